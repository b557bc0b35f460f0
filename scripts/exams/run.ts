/**
 * Puts an examination that others wrote to a running mock, and writes its results to `scripts/exams/results/`. It fetches nothing.
 *
 *   npm run exams -- FOLDER
 *
 * FOLDER is a checkout of a suite; its files say which examination it is.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaSuite } from './schema-suite';

/** An examination: the file or folder that its suite is known by, and its results as Markdown. */
export interface Exam {
  name: string;
  knownBy: string;
  results: (folder: string) => Promise<string>;
}

const EXAMS: readonly Exam[] = [schemaSuite];

async function main([folder = '']: readonly string[]): Promise<void> {
  const exam = EXAMS.find(({ knownBy }) => existsSync(join(folder, knownBy)));
  if (!exam) {
    const known = EXAMS.map(({ name, knownBy }) => `${name} (with ${knownBy})`).join(', ');
    throw new TypeError(`expected a folder with ${known}, got ${folder || 'nothing'}`);
  }
  const results = await exam.results(folder);
  const written = join(__dirname, 'results');
  mkdirSync(written, { recursive: true });
  writeFileSync(join(written, `${exam.name}.md`), results);
  console.log(results);
}

void main(process.argv.slice(2));
