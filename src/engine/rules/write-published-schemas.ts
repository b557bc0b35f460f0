/** Writes the published schemas as code; `npm run build` and `npm start` run it. Code that is there is kept. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import standaloneCode from 'ajv/dist/standalone';
import { CODE_FOLDER, codeFileOf, compile, PUBLISHED, publishedText } from './published-schemas';

/** Writes the code of each published schema that is not there yet to a folder: of a build, `rules/published` of the engine. */
export function writePublishedSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const text of PUBLISHED.map(publishedText)) {
    const file = join(folder, codeFileOf(text));
    if (existsSync(file)) continue;
    const { ajv, validate } = compile(text, { source: true });
    writeFileSync(file, standaloneCode(ajv, validate));
  }
}

if (require.main === module) writePublishedSchemas(CODE_FOLDER);
