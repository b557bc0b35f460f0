/** The report of a command that judges: problems in groups, each with its place. */

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

/** The first place that a text names: `openapi.yaml:12:7`, or `src/handlers.ts(12,7)` as the compiler writes it. */
export function placeIn(text: string): Place | undefined {
  const [, file, line, column] = PLACE.exec(text) ?? [];
  return file === undefined ? undefined : { file, line: Number(line), column: Number(column) };
}

const PLACE = /(?<![\w./-])([\w@-][\w./@-]{0,250}\.\w{1,5})[:(](\d{1,7})[:,](\d{1,7})\b/;
