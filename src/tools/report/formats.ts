/** A report as other programs read it: JSON, Markdown for a comment, JUnit and SARIF for CI, annotations of GitHub Actions. */
import type { Group, Problem, Report } from './report';

export const formats: Readonly<Record<string, (report: Report) => string>> = { json, markdown, junit, sarif };

function json({ json: own, ...report }: Report): string {
  return JSON.stringify(own ?? report, null, 2);
}

/** Texts of a contract stand in code, where they are neither markup nor mentions. */
function markdown({ name, isFailed, verdict, groups }: Report): string {
  const ofGroup = ({ name: title, problems, skipped }: Group): string[] => {
    if (problems.length === 0 && skipped === undefined) return [];
    const why = skipped === undefined ? [] : [`- not tried: ${code(skipped)}`];
    return ['', `#### ${code(title)}`, '', ...why, ...problems.map(ofProblem)];
  };
  const passed = groups.filter(({ problems, skipped }) => problems.length === 0 && skipped === undefined);
  return [
    `### ${isFailed ? '❌' : '✅'} ${name}`,
    '',
    code(verdict),
    ...groups.flatMap(ofGroup),
    ...(passed.length > 0 ? ['', `Passed: ${passed.map((each) => code(each.name)).join(', ')}`] : []),
  ].join('\n');
}

function ofProblem({ message, place, details }: Problem): string {
  const at = place ? ` at ${code(`${place.file}:${place.line}:${place.column}`)}` : '';
  if (details === undefined) return `- ${code(message)}${at}`;
  const fence = fenceFor(details, 3);
  return `- ${code(message)}${at}\n\n${`${fence}\n${details}\n${fence}`.replaceAll(/^(?=.)/gm, '  ')}\n`;
}

function code(text: string): string {
  const fence = fenceFor(text, 1);
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${space}${text.replaceAll(/\s+/g, ' ')}${space}${fence}`;
}

/** Backticks: one more than stand together in the text. */
function fenceFor(text: string, least: number): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return '`'.repeat(Math.max(least, longest + 1));
}

const isBad = ({ problems }: Group): boolean => problems.some(({ level }) => level === 'error');

/** The groups; a report that fails without a failed one has one of its own name, which says why. */
function allGroups({ name, isFailed, verdict, groups }: Report): readonly Group[] {
  if (!isFailed || groups.some(isBad)) return groups;
  return [{ name, problems: [{ level: 'error', message: verdict }] }, ...groups];
}

/** A group is a test. */
function junit(report: Report): string {
  const { name } = report;
  const all = allGroups(report);
  const isSkipped = (group: Group): boolean => group.skipped !== undefined && !isBad(group);
  const cases = all.map((group) => {
    const failures = group.problems
      .filter(({ level }) => level === 'error')
      .map(({ message, details = '' }) => `<failure message="${xml(message)}">${xml(details)}</failure>`);
    const skipped = isSkipped(group) ? `<skipped message="${xml(group.skipped ?? '')}"/>` : '';
    const time = group.seconds === undefined ? '' : ` time="${group.seconds.toFixed(3)}"`;
    const attributes = `classname="${xml(name)}" name="${xml(group.name)}"${time}`;
    return `    <testcase ${attributes}>${failures.join('')}${skipped}</testcase>\n`;
  });
  const seconds = all.reduce((sum, group) => sum + (group.seconds ?? 0), 0);
  const counts = `tests="${all.length}" failures="${all.filter(isBad).length}" skipped="${all.filter(isSkipped).length}" time="${seconds.toFixed(3)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite name="${xml(name)}" ${counts}>\n${cases.join('')}  </testsuite>\n</testsuites>`;
}

/** Escapes a text for XML, and removes characters that XML 1.0 forbids. */
function xml(text: string): string {
  const named: Record<string, string> = { '\n': '&#10;', '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text
    .replaceAll(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"\n]/g, (character) => named[character] ?? '');
}

/** SARIF 2.1.0, which code scanning shows; a rule is the name of a group, and a notification says what was not tried. */
function sarif(report: Report): string {
  const groups = allGroups(report);
  const results = groups.flatMap(({ name: ruleId, problems }) =>
    problems.map(({ level, message, place, details }) => ({
      ruleId,
      level,
      message: { text: details === undefined ? message : `${message}\n${details}` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: encodeURI(place?.file ?? 'openapi.yaml') },
            region: { startLine: place?.line ?? 1, startColumn: place?.column ?? 1 },
          },
        },
      ],
    })),
  );
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].map((id) => ({ id }));
  const toolExecutionNotifications = groups.flatMap(({ name, skipped }) =>
    skipped === undefined ? [] : { level: 'note', message: { text: `${name} was not tried: ${skipped}` } },
  );
  const invocations = [{ executionSuccessful: true, toolExecutionNotifications }];
  const run = { tool: { driver: { name: `openapi-in-charge ${report.name}`, rules } }, invocations, results };
  const $schema = 'https://json.schemastore.org/sarif-2.1.0.json';
  return JSON.stringify({ $schema, version: '2.1.0', runs: [run] }, null, 2);
}

/** Lines that GitHub Actions shows at a file and line of the change, if they are printed. */
export function annotations(report: Report): string[] {
  const command = { error: 'error', warning: 'warning', note: 'notice' };
  const data = (text: string): string =>
    text.replaceAll(
      /[%\r\n]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    );
  const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return allGroups(report).flatMap(({ name, problems }) =>
    problems.map(({ level, message, place, details = '' }) => {
      const at = place ? `file=${property(place.file)},line=${place.line},col=${place.column},` : '';
      return `::${command[level]} ${at}title=${property(name)}::${data(`${message}\n${details}`.trim())}`;
    }),
  );
}
