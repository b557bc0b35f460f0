/** The report of a command that judges: problems in groups, each with its place; for people, for CI and for other programs. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { annotations, formats } from './formats';

export interface Place {
  /** Relative to the project. */
  file: string;
  line: number;
  column: number;
}

export interface Problem {
  /** `error` for a problem that fails the command. */
  level: 'error' | 'warning' | 'note';
  message: string;
  place?: Place | undefined;
  /** Text in several lines: a request that shows the problem, the output of a program. */
  details?: string | undefined;
}

/** A part of a command's work: a step of `check`, an operation of `conformance`, the changes of one impact for `diff`. */
export interface Group {
  name: string;
  problems: readonly Problem[];
  seconds?: number | undefined;
  /** Why it was not tried. */
  skipped?: string | undefined;
}

export interface Report {
  /** The command. */
  name: string;
  isFailed: boolean;
  /** A sentence. */
  verdict: string;
  groups: readonly Group[];
  /** The value that `--format json` prints in place of the report. */
  json?: object | undefined;
}

/** The options of a command that reports. */
export const reportOptions = { format: { type: 'string' }, output: { type: 'string' } } as const;
export const reportUsage = `--format FORMAT      prints the report as ${Object.keys(formats).join(', ')} instead of text
--output FILE        writes it to FILE, and prints the text as well`;

interface ReportValues {
  format?: string | undefined;
  output?: string | undefined;
}

/** Where text for people goes: to stderr where stdout has the report in another format. Throws for an unknown format. */
export function textOutput({ format, output }: ReportValues): (text: string) => void {
  if (format !== undefined && !Object.hasOwn(formats, format))
    throw new Error(`expected --format ${Object.keys(formats).join(', ')}, got ${format}`);
  if (output !== undefined && format === undefined) throw new Error('expected --format beside --output, got none');
  return format !== undefined && output === undefined ? console.error : console.log;
}

/** Prints or writes the report in the format that is asked for; on GitHub the problems also appear beside the lines of a change. */
export function deliver(report: Report, { format = '', output }: ReportValues, env = process.env): void {
  if (env.GITHUB_ACTIONS === 'true') for (const line of annotations(report)) console.error(line);
  const text = Object.hasOwn(formats, format) ? formats[format]?.(report) : undefined;
  if (text === undefined) return;
  if (output === undefined) return console.log(text);
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, `${text}\n`);
}

/** The first place that a text names: `openapi.yaml:12:7`, or `src/handlers.ts(12,7)` as the compiler writes it. */
export function placeIn(text: string): Place | undefined {
  const [, file, line, column] = PLACE.exec(text) ?? [];
  return file === undefined ? undefined : { file, line: Number(line), column: Number(column) };
}

const PLACE = /(?<![\w./-])([\w@-][\w./@-]{0,250}\.\w{1,5})[:(](\d{1,7})[:,](\d{1,7})\b/;
