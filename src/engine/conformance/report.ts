/** Findings as text: the problem, the smallest request that shows it, and the seed that repeats the run. */
import type { Finding, Verdict } from './verdict';

const TEXT_MAX = 500;
const IRRELEVANT_HEADERS: ReadonlySet<string> = new Set(['connection', 'content-length', 'date', 'keep-alive']);

/** Of many findings at once most have the same cause: so many are shown with their requests, and so many by their names. */
const SHOWN_MAX = 5;
const NAMED_MAX = 20;

/** Empty if nothing was found. */
export function report({ findings, seed }: Pick<Verdict, 'findings' | 'seed'>): string {
  if (findings.length === 0) return '';
  const shown = findings.slice(0, SHOWN_MAX).map((finding) => `${describe(finding)}\n\n`);
  const others = findings.slice(SHOWN_MAX);
  const named = others.slice(0, NAMED_MAX).map(({ where, problem }) => `${where} ${problem}\n`);
  const more = others.length - named.length;
  const rest = more > 0 ? `and ${more} more\n` : '';
  return `${shown.join('')}${named.join('')}${rest}CONFORMANCE_SEED=${seed} repeats the run\n`;
}

function describe({ where, problem, request, answer }: Finding): string {
  const lines = [`${where} ${problem}`];
  if (request) lines.push(`  > ${request.method} ${cut(request.target)}`, ...headerLines('>', request.headers));
  if (request?.body !== undefined) lines.push(`  > ${cut(JSON.stringify(request.body))}`);
  if (answer) lines.push(`  < ${answer.status}`, ...headerLines('<', answer.headers), `  < ${cut(answer.body)}`);
  return lines.join('\n');
}

function headerLines(mark: string, headers: Readonly<Record<string, string | string[] | undefined>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => !IRRELEVANT_HEADERS.has(name))
    .map(([name, value]) => `  ${mark} ${name}: ${cut(String(value))}`);
}

function cut(text: string): string {
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}… (${text.length} characters)` : text;
}
