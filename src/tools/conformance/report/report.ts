/** A verdict as text: each finding with the request that repeats it, what came, and what the contract says. */
import type { Finding, Untried, Verdict } from '../verdict';
import { curlOf, printable, type Secrets } from '../../samples/curl';
import { type Group, placeIn, type Problem, type Report } from '../../report/report';

const TEXT_MAX = 500;

/** Findings that are printed in full unless an option says otherwise: most of many at once have the same cause. */
const SHOWN_MAX = 5;
/** Further findings that are listed by name. */
const NAMED_MAX = 20;

export interface ReportOptions {
  shownMax?: number;
  secrets?: Secrets;
}

/** The findings; empty if there are none. */
export function report(
  { findings, seed, url }: Pick<Verdict, 'findings' | 'seed' | 'url'>,
  { shownMax = SHOWN_MAX, secrets = [] }: ReportOptions = {},
): string {
  if (findings.length === 0) return '';
  const shown = findings.slice(0, shownMax).map((finding) => `${describe(finding, url, secrets)}\n\n`);
  const others = findings.slice(shownMax);
  const named = others.slice(0, NAMED_MAX).map(({ where, problem }) => `${where} ${problem}\n`);
  const more = others.length - named.length;
  const rest = more > 0 ? `and ${more} more\n` : '';
  return `${shown.join('')}${printable(named.join(''))}${rest}seed ${seed} repeats the run\n`;
}

/** One finding on several lines, without control characters of the server's. */
export function describe(
  { where, problem, contract, request, answer, reason }: Finding,
  url: string,
  secrets: Secrets,
): string {
  const lines = [`${where} ${problem}`];
  if (request) lines.push(`  ${curlOf(request, new URL(url).origin, secrets)}`);
  if (answer) {
    const type = answer.headers['content-type'] ?? 'no content';
    lines.push(`  came: ${answer.status} ${type} ${cut(answer.body)}`.trimEnd());
  }
  if (reason !== undefined) lines.push(`  came: ${reason}`);
  if (contract !== undefined) lines.push(`  contract: ${contract}`);
  return printable(lines.join('\n'));
}

/** One line for each warning, with its first places. */
export function warningLines(findings: readonly Finding[]): string[] {
  return grouped(findings.map(({ where, problem }) => [where, problem]));
}

/** One line for each reason why something was not tried, with its first places. */
export function untriedLines(untried: readonly Untried[]): string[] {
  return grouped(untried.map(({ where, why }) => [where, why]));
}

const PLACES_MAX = 3;

function grouped(all: readonly (readonly [where: string, text: string])[]): string[] {
  const places = new Map<string, Set<string>>();
  for (const [where, text] of all) places.set(text, (places.get(text) ?? new Set()).add(where));
  return [...places].map(([text, [...found]]) => {
    const rest = found.length > PLACES_MAX ? `, and ${found.length - PLACES_MAX} more` : '';
    return printable(`${found.slice(0, PLACES_MAX).join(', ')}${rest}: ${text}`);
  });
}

function cut(text: string): string {
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}… (${text.length} characters)` : text;
}

interface Ending {
  /** The code that the command exits with. */
  code: number;
  why?: string;
  seconds: number;
  secrets: Secrets;
  json: object;
}

/** The verdict as other programs read it: an operation is a group. */
export function reportOf(verdict: Verdict, { code, why, seconds, secrets, json }: Ending): Report {
  const { findings, untried, operations, url, requests } = verdict;
  const names = new Set([...operations, ...findings.map(({ where }) => where), ...untried.map(({ where }) => where)]);
  const groups = [...names].map((name): Group => {
    const problems = findings
      .filter(({ where }) => where === name)
      .map((finding): Problem => {
        const { problem, contract = '' } = finding;
        const details = describe(finding, url, secrets);
        return { level: 'error', message: printable(problem), place: placeIn(contract), details };
      });
    const skipped = operations.includes(name) ? undefined : untried.find(({ where }) => where === name)?.why;
    return { name: printable(name), problems, skipped: skipped && printable(skipped) };
  });
  const counted = `${findings.length} findings in ${requests} requests to ${operations.length} operations in ${seconds.toFixed(1)} s`;
  return { name: 'conformance', isFailed: code !== 0, verdict: printable(why ?? counted), groups, json };
}
