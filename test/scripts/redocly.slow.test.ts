/** Redocly reads contracts that may come from anywhere: what it may read and ask for them, and how large they may be. */
import { createServer } from 'node:net';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownLintRules } from '../../src/tools/project/own-package';
import { runRedocly } from '../../src/tools/project/run-command';
import { contractOf } from '../support/contracts';
import { listening } from '../support/ports';

it('asks no host and reads nothing but the files of the contract for its lint', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const host = `http://127.0.0.1:${await listening(server)}`;
  const file = contractOf(`openapi: 3.1.0
info: { title: Files, version: 1.0.0 }
x-a: { $ref: /etc/passwd }
x-b: { $ref: '${host}/a.yaml' }
x-c: { $ref: settings.env }
x-d: { $ref: '${join(dirname(__dirname), 'README.md')}' }
paths:
  /a:
    get: { responses: { '200': { description: A., content: { a/b: { schema: { $ref: '${host}/b.json' }, examples: { a: { externalValue: '${host}/c' } } } } } } }
`);
  writeFileSync(join(dirname(file), 'settings.env'), 'SECRET=1');
  const { ok, output } = await runRedocly(['lint', file], [dirname(file)], ownLintRules);
  server.close();
  expect({ ok, connections }).toEqual({ ok: false, connections: 0 });
  expect(output).toContain("Can't resolve $ref: /etc/passwd is not read");
  expect(output).toContain("Can't resolve $ref: other hosts are not asked");
  expect(output).not.toMatch(/root:x|SECRET=1|# The tests/);
});

it('holds thousands of schemas that refer to one another to its rules', async () => {
  const next = (index: number): string => `{ properties: { next: { $ref: '#/components/schemas/S${index}' } } }`;
  const schemas = Array.from({ length: 3_000 }, (_, index) => `    S${index}: ${next((index + 1) % 3_000)}\n`);
  const file = contractOf(`\npaths: {}\ncomponents:\n  schemas:\n${schemas.join('')}`);
  const { output } = await runRedocly(['lint', file], [dirname(file)], ownLintRules);
  expect(output).toContain('openapi.yaml: validated in');
});

it('names all patterns that would take it for ever to match an example, of however many', async () => {
  const others = Array.from({ length: 30 }, (_, index) => `X${index}`);
  const file = contractOf(`
paths: {}
components:
  schemas:
    Title: { type: string, pattern: '^([a-z]+ ?)*$', examples: ['monsteradeliciosaandmanyothersofthehouse, and more'] }
    Tag: { type: string, pattern: '^[a-z]+$', examples: [indoor, Outdoor] }
${others.map((name) => `    ${name}: { type: string, pattern: '^([a-z]+ ?)*${name}$', example: monsteradeliciosaandmanyothersofthehouse }`).join('\n')}
`);
  const { output } = await runRedocly(['lint', file], [dirname(file)], ownLintRules);
  expect(output.match(/^Example .*/gm)).toEqual([
    'Example validation errored: pattern ^([a-z]+ ?)*$ takes too long for an example: expected no repetition in another, as in (a+)*.',
    'Example value must conform to the schema: must match pattern "^[a-z]+$".',
    ...others.map(
      (name) =>
        `Example validation errored: pattern ^([a-z]+ ?)*${name}$ takes too long for an example: expected no repetition in another, as in (a+)*.`,
    ),
  ]);
});
