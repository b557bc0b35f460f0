/** Reports of what a server sent: they reach terminals and readers of XML. */
import { describe as describeFinding, reportOf, warningLines } from '../../../src/tools/conformance/report/report';
import type { Finding, Verdict } from '../../../src/tools/conformance/verdict';

const SENT = '\u001b[31m\u009b2J\u202e\u0000\uffff<&';
const SHOWN = '\\u{1b}[31m\\u{9b}2J\\u{202e}\\u{0}\\u{ffff}<&';
const url = 'http://localhost:3000';
const finding: Finding = {
  where: 'GET /notes',
  problem: `answers ${SENT}`,
  answer: { status: 200, headers: { 'content-type': SENT }, body: SENT },
  reason: SENT,
};

it('write control characters out, as text', () => {
  expect(describeFinding(finding, url, [])).toBe(
    `GET /notes answers ${SHOWN}\n  came: 200 ${SHOWN} ${SHOWN}\n  came: ${SHOWN}`,
  );
  expect(warningLines([finding])).toEqual([`GET /notes: answers ${SHOWN}`]);
});

const none: Verdict = {
  ...{
    url,
    seed: 1,
    requests: 9,
    operations: [],
    accepted: [],
    findings: [],
    warnings: [],
    untried: [],
    unwritten: [],
  },
  coverage: { operations: {}, statuses: {}, 'media types': {}, parameters: {}, branches: {}, constraints: {} },
};
const ending = { code: 0, isStrict: false, seconds: 1, secrets: [], json: {} };

it('write them out for programs, too', () => {
  const verdict = { ...none, findings: [finding], untried: [{ where: 'GET /a', why: SENT }] };
  expect(reportOf(verdict, { ...ending, code: 1, why: SENT })).toMatchObject({
    verdict: SHOWN,
    groups: [
      { name: 'GET /notes', problems: [{ message: `answers ${SHOWN}` }] },
      { name: 'GET /a', skipped: SHOWN },
    ],
  });
});

describe('a report for programs', () => {
  const verdict: Verdict = {
    ...none,
    operations: ['GET /a', 'GET /b', 'GET /c'],
    accepted: ['GET /a'],
    warnings: [{ where: 'GET /b', problem: 'answers 400 to a valid request' }],
    untried: [
      { where: 'GET /a', why: 'no value for one parameter' },
      { where: 'GET /b', why: 'no valid request was accepted' },
    ],
    unwritten: ['GET /c'],
  };
  const details = 'GET /b answers 400 to a valid request';
  const refused = { message: 'answers 400 to a valid request', place: undefined, details };
  const unwritten = {
    name: 'GET /c',
    problems: [],
    skipped: 'not written yet, and held to what comes before a handler',
  };

  it('passes no operation that has accepted nothing, and has what is left open of others', () => {
    expect(reportOf(verdict, ending)).toEqual({
      ...{ name: 'conformance', isFailed: false, json: {} },
      verdict: '0 findings in 9 requests to 3 operations in 1.0 s',
      groups: [
        { name: 'GET /a', problems: [{ level: 'note', message: 'not tried: no value for one parameter' }] },
        { name: 'GET /b', problems: [{ level: 'warning', ...refused }], skipped: 'no valid request was accepted' },
        unwritten,
      ],
    });
  });

  it('fails for what is left open and for what was not tried if it is to be strict', () => {
    expect(reportOf(verdict, { ...ending, code: 1, isStrict: true, why: 'too open' })).toEqual({
      ...{ name: 'conformance', isFailed: true, verdict: 'too open', json: {} },
      groups: [
        { name: 'GET /a', problems: [{ level: 'error', message: 'not tried: no value for one parameter' }] },
        {
          name: 'GET /b',
          problems: [
            { level: 'error', ...refused },
            { level: 'error', message: 'not tried: no valid request was accepted' },
          ],
        },
        unwritten,
      ],
    });
  });
});
