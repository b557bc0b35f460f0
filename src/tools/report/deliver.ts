/** Prints and writes reports: for people, for CI and for other programs. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { annotations, formats } from './formats';
import type { Report } from './report';

/** The options of a command that reports. */
export const reportOptions = { format: { type: 'string' }, output: { type: 'string' } } as const;
export const reportUsage = `--format FORMAT      prints the report as ${Object.keys(formats).join(', ')} instead of text
--output FILE        writes it to FILE, and prints the text as well`;

interface ReportValues {
  format?: string | undefined;
  output?: string | undefined;
}

/** Prints text for people: to stderr where stdout has the report in another format. Throws for an unknown format. */
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
  makeFolder(dirname(output));
  writeFileSync(output, `${text}\n`);
}

/** Makes a folder and those above it, one by one: Node's own way does not end where none can be made, as below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}
