/** Findings as text: the problem, the smallest request that shows it, and the seed that repeats the run. */
import type { Finding } from './probe';

const TEXT_MAX = 500;
const IRRELEVANT_HEADERS: ReadonlySet<string> = new Set(['connection', 'content-length', 'date', 'keep-alive']);

export function report(findings: readonly Finding[], seed: number): string {
  return findings.map((finding) => `${describe(finding)}\n  CONFORMANCE_SEED=${seed} repeats it\n`).join('\n');
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
