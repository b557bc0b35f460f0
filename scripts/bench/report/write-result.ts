/** Results as files, in `results/`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../servers/root';

const directory = join(root, 'scripts', 'bench', 'results');

/** With the day of the run, and measured numbers at a length that means something; counts stay what they are. */
export function writeJson(name: string, result: object): void {
  const brief = (_key: string, value: unknown): unknown =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
  const day = new Date().toISOString().slice(0, 10);
  writeResult(name, `${JSON.stringify({ day, ...result }, brief, 2)}\n`);
}

export function writeResult(name: string, text: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), text);
  console.log(`${relative(root, join(directory, name))} written`);
}
