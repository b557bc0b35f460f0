import { readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codeFileOf, compilePublished, PUBLISHED, publishedText } from '../../../src/engine/rules/published-schemas';
import { writePublishedSchemas } from '../../../src/engine/rules/write-published-schemas';
import { temporaryFolder } from '../../support/temporary-folder';

describe('code that the build writes', () => {
  const built = temporaryFolder();
  const folder = join(built, 'published');
  beforeAll(() => {
    symlinkSync(resolve('node_modules'), join(built, 'node_modules'));
    writePublishedSchemas(folder);
  });

  it('is of the schemas and of the Ajv that are installed', () => {
    expect(readdirSync(folder).sort()).toEqual(PUBLISHED.map(publishedText).map(codeFileOf).sort());
  });

  const info = { title: 'Notes', version: '1' };
  const notes = (schema: unknown) => ({
    openapi: '3.1.0',
    info,
    paths: { '/notes': { get: { respones: {}, responses: { 999: { description: '' } } } } },
    components: { schemas: { Note: schema } },
  });
  it.each([
    ...['3.1', '3.2'].flatMap((name) => [
      [name, {}],
      [name, { openapi: `${name}.0`, info, paths: {} }],
      [name, notes({ type: 'object' })],
      [name, notes(7)],
    ]),
    ['JSON Schema', { type: 'object', properties: { name: { type: 'text', maxLength: -1 } } }],
    ['JSON Schema', { items: { anyOf: [] }, $defs: { Note: 7 } }],
    ['JSON Schema', true],
  ] as [string, unknown][])('finds in a document of %s what a compiled schema finds: %j', (name, document) => {
    const [written, compiled] = [folder, join(folder, 'empty')].map((each) =>
      compilePublished(publishedText(name), each),
    );
    expect([written?.(document), written?.errors]).toEqual([compiled?.(document), compiled?.errors]);
    expect(written).not.toBe(compiled);
  });

  it('is not taken for another text', () => {
    const text = publishedText('3.1');
    expect(compilePublished(text.replace('"info"', '"Info"'), folder)({ openapi: '3.1.0', info, paths: {} })).toBe(
      false,
    );
  });
});
