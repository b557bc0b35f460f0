/** The program's commands, as an installation without a compiler has them. */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { projectOf } from '../src/engine';
import { temporaryFolder } from './support/temporary-folder';

const COMMANDS = ['start', 'token', 'migrate', 'plants'];

function cli(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const program = join(dirname(process.env.PROGRAM ?? ''), 'cli.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

it('lists its commands, a line each, without one and with --help', () => {
  const { status, stdout, stderr } = cli('--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command} +\\w.*$`, 'm'));
  expect(cli()).toEqual({ status: 1, stdout, stderr: '' });
});

it.each(COMMANDS)('says of %s what it takes', (command) => {
  const { status, stdout, stderr } = cli(command, '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(new RegExp(`^${command}\\b`));
});

it('says which version it is', () => {
  expect(cli('--version')).toEqual({ status: 0, stdout: `${projectOf(__dirname).version}\n`, stderr: '' });
});

it('names the file that could not be written, which a failed write of the system does not', () => {
  const program = join(dirname(process.env.PROGRAM ?? ''), 'cli.js');
  const file = join(temporaryFolder(), 'tokens');
  const script = `trap '' XFSZ; ulimit -f 0; exec '${process.execPath}' '${program}' token alice --add '${file}'`;
  const { status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, `${file} was not changed: EFBIG: file too large, write\n`]);
});

it('completes its commands, their options and files in a shell', () => {
  const program = join(dirname(process.env.PROGRAM ?? ''), 'cli.js');
  const complete = (...words: string[]): string[] => {
    const script = `plant-store() { '${process.execPath}' '${program}' "$@"; }
      eval "$(plant-store completion bash)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plant_store; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' })
      .stdout.trim()
      .split('\n');
  };
  expect(complete('plant-store', '')).toEqual(COMMANDS);
  expect(complete('plant-store', 'token', '--ex')).toEqual(['--expires']);
  expect(complete('plant-store', 'token', '--add', 'package.js')).toEqual(['package.json']);
  expect(cli('completion', 'fish').stdout).toContain("-a migrate -d 'brings");
  expect(cli('completion').stderr).toBe('expected plant-store completion bash|zsh|fish, got ""\n');
});

it('refuses what is no command, and a command what it does not take', () => {
  const { status, stdout, stderr } = cli('toString');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^expected one of the commands below, got "toString"\n\nplant-store COMMAND/);
  expect(cli('token', '--nonsense')).toMatchObject({ status: 1, stdout: '' });
});
