/** Commands in messages: as the script of npm that runs them, or as our own command line. */
import { join } from 'node:path';
import { typed } from '../../src/tools/project/typed';

const before = { ...process.env };
afterEach(() => {
  process.env = before;
});

it.each([
  ['check', 'diff', 'npm run contract:diff -- BASE'],
  ['npx', 'diff', 'openapi-in-charge diff BASE'],
  [undefined, 'generate', 'openapi-in-charge generate BASE'],
])('under %s, %s is typed as %s', (event, command, expected) => {
  process.env = { ...before, npm_package_json: join(__dirname, '../../package.json'), npm_lifecycle_event: event };
  expect(typed(command, 'BASE')).toBe(expected);
});
