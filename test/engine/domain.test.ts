/** The engine serves any contract: nothing of our domain is in it, comments included. What it may import, ESLint says. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const engine = join(__dirname, '..', '..', 'src', 'engine');
const sources = readdirSync(engine, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(?:ts|js|css|html)$/.test(name),
);

it('names no plant, and no variable of a store', () => {
  expect(sources.length).toBeGreaterThan(50);
  const naming = sources.filter((name) => /plant|DATABASE_/i.test(readFileSync(join(engine, name), 'utf8')));
  expect(naming).toEqual([]);
});
