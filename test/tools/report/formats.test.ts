/** The report of a command, as CI and other programs read it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemsIn } from '../../../src/tools/check/problems';
import { annotations, formats } from '../../../src/tools/report/formats';
import { deliver, textOutput } from '../../../src/tools/report/deliver';
import { placeIn, type Report } from '../../../src/tools/report/report';
import { temporaryFolder } from '../../support/temporary-folder';

const report: Report = {
  name: 'check',
  isFailed: true,
  verdict: 'failed: types',
  groups: [
    {
      name: 'types',
      seconds: 1.5,
      problems: [
        { level: 'error', message: 'expected `a`, @b <c>\nand 5 %', place: { file: 'src/a,b.ts', line: 2, column: 3 } },
        { level: 'warning', message: 'odd', details: '```\nx' },
      ],
    },
    { name: 'drift', problems: [], skipped: 'types has not passed' },
    { name: 'lint', problems: [] },
  ],
};

it('is Markdown in which no text of others is markup', () => {
  expect(formats.markdown?.(report)).toBe(
    [
      '### ❌ check\n\n`failed: types`\n\n#### `types`\n',
      '- ``expected `a`, @b <c> and 5 %`` at `src/a,b.ts:2:3`',
      '- `odd`\n\n  ````\n  ```\n  x\n  ````\n',
      '\n#### `drift`\n\n- not tried: `types has not passed`\n\nPassed: `lint`',
    ].join('\n'),
  );
});

it('is JUnit, a group a test', () => {
  expect(formats.junit?.(report).split('\n').slice(2, -1)).toEqual([
    '  <testsuite name="check" tests="3" failures="1" skipped="1" time="1.500">',
    '    <testcase classname="check" name="types" time="1.500"><failure message="expected `a`, @b &lt;c&gt;&#10;and 5 %"></failure></testcase>',
    '    <testcase classname="check" name="drift"><skipped message="types has not passed"/></testcase>',
    '    <testcase classname="check" name="lint"></testcase>',
    '  </testsuite>',
  ]);
});

it.each([
  ['JUnit', formats.junit, 'name="check"><failure message="failed: types">'],
  ['SARIF', formats.sarif, '"text": "failed: types"'],
  ['lines', (each: Report) => annotations(each).join('\n'), '::error title=check::failed: types'],
])('is %s that fails where nothing could be tried', (_what, format, failure) => {
  const untried = { ...report, groups: [{ name: 'GET /', problems: [], skipped: 'no credential' }] };
  expect(format?.(untried)).toContain(failure);
});

it('is SARIF, a group a rule', () => {
  const { version, runs } = JSON.parse(formats.sarif?.(report) ?? '') as { version: string; runs: object[] };
  const at = (uri: string, startLine: number, startColumn: number): object => ({
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine, startColumn } } }],
  });
  expect({ version, runs }).toEqual({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'openapi-in-charge check', rules: [{ id: 'types' }] } },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: [
              { level: 'note', message: { text: 'drift was not tried: types has not passed' } },
            ],
          },
        ],
        results: [
          {
            ruleId: 'types',
            level: 'error',
            message: { text: 'expected `a`, @b <c>\nand 5 %' },
            ...at('src/a,b.ts', 2, 3),
          },
          { ruleId: 'types', level: 'warning', message: { text: 'odd\n```\nx' }, ...at('openapi.yaml', 1, 1) },
        ],
      },
    ],
  });
});

it('is lines that GitHub shows beside those of the change', () => {
  expect(annotations(report)).toEqual([
    '::error file=src/a%2Cb.ts,line=2,col=3,title=types::expected `a`, @b <c>%0Aand 5 %25',
    '::warning title=types::odd%0A```%0Ax',
  ]);
});

it('has no other formats', () => {
  expect(() => textOutput({ format: 'constructor' })).toThrow(
    'expected --format json, markdown, junit, sarif, got constructor',
  );
  expect(() => textOutput({ output: 'a.xml' })).toThrow('expected --format beside --output, got none');
});

it('finds the places that programs name in their output', () => {
  const output = [
    'openapi.yaml:12:7 POST /a has no summary',
    "src/handlers.ts(9,14): error TS2741: Property 'a' is missing",
    `${process.cwd()}/src/a.ts`,
    '  3:1  warning  Unexpected any  no-explicit-any',
    'at http://localhost:3000:1 nothing',
  ].join('\n');
  expect(problemsIn(output)).toMatchObject([
    { level: 'error', place: { file: 'openapi.yaml', line: 12, column: 7 } },
    { level: 'error', place: { file: 'src/handlers.ts', line: 9, column: 14 } },
    { level: 'warning', message: 'Unexpected any  no-explicit-any', place: { file: 'src/a.ts', line: 3, column: 1 } },
  ]);
  expect(placeIn('x'.repeat(100_000))).toBeUndefined();
});

it('is refused a folder that cannot be made', () => {
  expect(() => deliver(report, { format: 'json', output: '/proc/none/report.json' }, {})).toThrow(/ENOENT/);
});

it('is written to a file, or printed in place of the text, and beside the lines of a change on GitHub', () => {
  const [out, err] = [jest.spyOn(console, 'log').mockReturnValue(), jest.spyOn(console, 'error').mockReturnValue()];
  const output = join(temporaryFolder(), 'report', 'check.md');
  try {
    deliver(report, { format: 'markdown', output }, { GITHUB_ACTIONS: 'true' });
    deliver(report, { format: 'json' }, {});
    deliver(report, {}, {});
    expect(readFileSync(output, 'utf8')).toBe(`${formats.markdown?.(report)}\n`);
    expect(out.mock.calls).toEqual([[JSON.stringify(report, null, 2)]]);
    expect(err.mock.calls).toEqual(annotations(report).map((line) => [line]));
  } finally {
    jest.restoreAllMocks();
  }
});
