/** A verdict in the format of JUnit, which CI systems read: an operation is a test. */
import type { Verdict } from '../verdict';
import type { Secrets } from '../../samples/curl';
import { describe } from './report';

export function junitOf(
  { findings, untried, operations, url, seconds }: Verdict & { seconds: number },
  secrets: Secrets,
): string {
  const names = new Set([...operations, ...findings.map(({ where }) => where), ...untried.map(({ where }) => where)]);
  const cases = [...names].map((name) => {
    const failed = findings.filter(({ where }) => where === name);
    const skipped =
      failed.length === 0 && !operations.includes(name) ? untried.filter(({ where }) => where === name) : [];
    const inner = [
      ...failed.map(
        (finding) =>
          `<failure message="${escaped(finding.problem)}">${escaped(describe(finding, url, secrets))}</failure>`,
      ),
      ...skipped.slice(0, 1).map(({ why }) => `<skipped message="${escaped(why)}"/>`),
    ];
    return {
      text: `<testcase classname="${escaped(url)}" name="${escaped(name)}">${inner.join('')}</testcase>`,
      failed,
      skipped,
    };
  });
  const count = (kind: 'failed' | 'skipped'): number => cases.filter((each) => each[kind].length > 0).length;
  const counts = `tests="${cases.length}" failures="${count('failed')}" skipped="${count('skipped')}" time="${seconds.toFixed(3)}"`;
  const lines = cases.map(({ text }) => `    ${text}\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite name="conformance" ${counts}>\n${lines}  </testsuite>\n</testsuites>\n`;
}

/** Escapes a text for XML, and removes characters that XML 1.0 forbids. */
function escaped(text: string): string {
  const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text
    .replaceAll(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"]/g, (character) => named[character] ?? '');
}
