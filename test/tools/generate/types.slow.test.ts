/** The types that handlers get, where they say more than the schema: files of forms are bytes. */
import { runTool } from '../../../src/tools/project/run-command';
import { contractOf } from '../../support/contracts';

const contract = contractOf(`
openapi: 3.1.0
info: { title: Letters, version: 1.0.0 }
paths:
  /letters:
    post:
      operationId: sendLetter
      requestBody:
        content:
          multipart/form-data:
            schema:
              type: object
              required: [photo]
              properties:
                photo: { type: string, format: binary, maxLength: 300 }
                scans: { type: array, items: { type: string, contentMediaType: image/png } }
      responses: { '204': { description: Sent. } }
`);

it('has types in which files are bytes', async () => {
  // In a process of its own: Jest cannot load the generator.
  const script = `const { contractTypes } = require('./src/tools/generate/types.ts'); contractTypes(process.argv[1] ?? '').then(console.log)`;
  const { output: types } = await runTool(['tsx', '--eval', script, contract]);
  expect(types).toMatch(/photo: Uint8Array;/);
  expect(types).toMatch(/scans\?: Uint8Array\[\];/);
});
