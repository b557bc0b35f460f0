/** The test that every new project has: the service against its contract, whatever has been written of it. */
import { ApiError } from '../../../src/engine/errors/api-error';
import { notWritten } from '../../../src/engine/errors/not-written';
import { holdToContract } from '../../../src/tools/project/test-service';
import { type AnyHandlers, contractOf } from '../../support/contracts';
import { startServer } from '../../support/service';

const BEDS = `
paths:
  /beds/{id}:
    get:
      operationId: getBed
      parameters: [{ name: id, in: path, required: true, schema: { type: integer, maximum: 9 } }]
      responses:
        '200': { description: The bed., content: { application/json: { schema: { type: integer } } } }
        4XX: { description: No., content: { application/json: {} } }
`;
const UNASKABLE = `
security: [{ user: [], login: [] }]
paths:
  /beds: { get: { operationId: getBed, responses: { '204': { description: Done. }, 4XX: { description: No. } } } }
components: { securitySchemes: { user: { type: http, scheme: basic }, login: { type: http, scheme: bearer } } }
`;

/** The findings and notes about a service of one operation, of which those with this handler are not written yet. */
async function held(contract: string, getBed: AnyHandlers[string]): ReturnType<typeof holdToContract> {
  const file = contractOf(contract);
  const { close, ...service } = await startServer(file, { getBed: async (...all) => getBed(...all) });
  const unwritten = getBed === unwrittenBed ? ['getBed'] : [];
  const target = { ...service, user: 'tester', bodyBytesMax: 1_000, close };
  return holdToContract(file, target, { unwritten }).finally(close);
}
const unwrittenBed = notWritten('getBed');

it('passes for handlers that do what the contract says, and for those that are not written', async () => {
  expect(await held(BEDS, () => ({ status: 200, body: 1n }))).toEqual({ findings: '', notes: '' });
  expect(await held(BEDS, unwrittenBed)).toEqual({ findings: '', notes: 'not written yet: GET /beds/{id}\n' });
});

it('fails for handlers that refuse everything, as declared', async () => {
  const refusing = (): never => {
    throw new ApiError(40401, 'no such bed');
  };
  const why = 'no valid request was accepted, the last one was answered with 404: its success is not known';
  expect(await held(BEDS, refusing)).toEqual({
    findings: expect.stringMatching(
      new RegExp(`^no operation has accepted a request: ${why}\nCONFORMANCE_SEED=\\d+ repeats it$`),
    ) as unknown,
    notes: `not tried: GET /beds/{id}: ${why}\n`,
  });
});

it('passes for a contract of which nothing can be tried, with a note', async () => {
  expect(await held(UNASKABLE, () => ({ status: 204 }))).toEqual({
    findings: '',
    notes: 'not tried: GET /beds: one header cannot have two credentials: user and login\n',
  });
});
