/** A run that finds much is told shortly: most of it has one cause. */
import type { Finding } from '../probe';
import { report } from '../report';

const finding = (index: number): Finding => ({
  where: `GET /notes/${index}`,
  problem: 'answers 500',
  request: { method: 'GET', target: `/notes/${index}`, headers: { Accept: '*/*' }, body: undefined },
  answer: { status: 500, headers: { 'content-type': 'text/plain', date: 'today' }, body: 'x'.repeat(10_000) },
});

it('is nothing where nothing was found', () => {
  expect(report([], 1)).toBe('');
});

it('has the request and the answer of a finding, and the seed that repeats the run', () => {
  const body = `${'x'.repeat(500)}… (10000 characters)`;
  expect(report([finding(0)], 7)).toBe(
    'GET /notes/0 answers 500\n' +
      '  > GET /notes/0\n  > Accept: */*\n' +
      `  < 500\n  < content-type: text/plain\n  < ${body}\n\n` +
      'CONFORMANCE_SEED=7 repeats the run\n',
  );
});

it('shows five of many findings, names twenty, and counts the others', () => {
  const lines = report(
    Array.from({ length: 100 }, (_, index) => finding(index)),
    7,
  ).split('\n');
  expect(lines.filter((line) => line.startsWith('  > GET'))).toHaveLength(5);
  expect(lines.filter((line) => line.startsWith('GET'))).toHaveLength(25);
  expect(lines.slice(-3)).toEqual(['and 75 more', 'CONFORMANCE_SEED=7 repeats the run', '']);
});
