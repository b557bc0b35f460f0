import { answerArguments } from '../src/arguments';
import { programVersion } from '../src/project-root';

it.each(['--help', '-h'])('%s is answered with the variables that there are', (argument) => {
  expect(answerArguments([argument])).toContain('  DATABASE_URL           where plants are kept');
});

it.each(['--version', '-v'])('%s is answered with the version of the program', (argument) => {
  expect(answerArguments([argument])).toBe(`${programVersion()}\n`);
  expect(programVersion()).toMatch(/^\d+\.\d+\.\d+$/);
});

it('no argument means to serve', () => {
  expect(answerArguments([])).toBeUndefined();
});

it.each(['--port', 'serve'])('%s is refused, with what there is', (argument) => {
  expect(() => answerArguments([argument])).toThrow('npm start [-- --help | --version]');
});
