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
  /** True if what is left open, or untried, fails the command as well. */
  isStrict: boolean;
  seconds: number;
  secrets: Secrets;
  json: object;
}

/** The verdict as other programs read it: an operation is a group, skipped unless it has accepted something. */
export function reportOf(verdict: Verdict, { code, why, isStrict, seconds, secrets, json }: Ending): Report {
  const { findings, warnings, untried, unwritten, operations, accepted, url, requests } = verdict;
  const named = [findings, warnings, untried].flat().map(({ where }) => where);
  const groups = [...new Set([...operations, ...named])].map((name): Group => {
    const at = (all: readonly Finding[], level: Problem['level']): Problem[] =>
      all
        .filter(({ where }) => where === name)
        .map((finding) => ({
          level,
          message: printable(finding.problem),
          place: placeIn(finding.contract ?? ''),
          details: describe(finding, url, secrets),
        }));
    const reasons = new Set(untried.filter(({ where }) => where === name).map((each) => printable(each.why)));
    const isUntried = !isStrict && !accepted.includes(name);
    const skipped = [
      ...(isUntried ? reasons : []),
      ...(unwritten.includes(name) ? ['not written yet, and held to what comes before a handler'] : []),
    ];
    const parts = isUntried ? [] : [...reasons].map((reason) => `not tried: ${reason}`);
    return {
      name: printable(name),
      problems: [
        ...at(findings, 'error'),
        ...at(warnings, isStrict ? 'error' : 'warning'),
        ...parts.map((message): Problem => ({ level: isStrict ? 'error' : 'note', message })),
      ],
      skipped: skipped.length > 0 ? skipped.join('; ') : undefined,
    };
  });
  const counted = `${findings.length} findings in ${requests} requests to ${operations.length} operations in ${seconds.toFixed(1)} s`;
  return { name: 'conformance', isFailed: code !== 0, verdict: printable(why ?? counted), groups, json };
}
