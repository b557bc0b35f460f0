/** A contract of OpenAPI 3.0 in a copy of the project: its types are generated, its handlers compile, and it is served as it was meant. */
import { ProjectCopy } from './project-copy';

const copy = new ProjectCopy();
afterAll(() => copy.discard());

const contract = `
openapi: 3.0.3
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    post:
      operationId: addNote
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses:
        '200': { description: Added., content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
        default: { description: Refused., content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
components:
  schemas:
    Note:
      type: object
      required: [text]
      properties:
        text: { type: string, nullable: true }
        size: { type: number, minimum: 0, exclusiveMinimum: true }
    Error:
      type: object
      required: [error, message]
      properties: { error: { type: integer, format: int32 }, message: { type: string } }
`;

const handlers = `
import type { Handlers } from './operation';

export const errorCodes = {};

export const handlersOn = (_plants: unknown): Handlers => ({
  async addNote({ body }) {
    const text: string | null = body.text;
    return { status: 200, body: { ...body, text } };
  },
});
`;

it('is generated, compiled and served', async () => {
  copy.write('openapi.yaml', contract);
  copy.write('src/handlers.ts', handlers);
  expect(await copy.run(['tsx', 'scripts/generate.ts'])).toMatchObject({ code: 0 });
  expect(copy.read('generated/openapi.ts')).toContain('text: string | null;');
  const { output } = await copy.run(['tsc', '--noEmit', '--project', 'src', '--composite', 'false']);
  expect(output).not.toContain('src/handlers.ts');
  const { baseUrl } = await copy.serve();
  const add = async (body: string): Promise<[status: number, text: string]> => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${baseUrl}/notes`, { method: 'POST', headers, body });
    return [answer.status, await answer.text()];
  };
  expect(await add('{"text":null,"size":0.5}')).toEqual([200, '{"text":null,"size":0.5}']);
  expect(await add('{"text":null,"size":0}')).toEqual([
    400,
    '{"error":40002,"message":"/body/size: expected a number > 0, got 0"}',
  ]);
});
