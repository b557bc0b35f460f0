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

it('write them out for programs, too', () => {
  const untried = [{ where: 'GET /a', why: SENT }];
  const none = {
    operations: [],
    accepted: [],
    warnings: [],
    unwritten: [],
    seed: 1,
    requests: 1,
    coverage: {} as Verdict['coverage'],
  };
  const verdict = { ...none, findings: [finding], untried, url };
  expect(reportOf(verdict, { code: 1, why: SENT, seconds: 1, secrets: [], json: {} })).toMatchObject({
    verdict: SHOWN,
    groups: [
      { name: 'GET /notes', problems: [{ message: `answers ${SHOWN}` }] },
      { name: 'GET /a', skipped: SHOWN },
    ],
  });
});
