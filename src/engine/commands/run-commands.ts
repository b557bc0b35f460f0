/** The command line of a program: the first argument names the command, and only that module is loaded. */
import { completionFor } from './completion';
import { exitWith } from './exit-with';

export interface Command {
  /** A line for `--help`, with a verb: `serves the contract`. */
  does: string;
  /** Loads its module, whose `run` resolves to the exit code. */
  load: () => Promise<{ run: (args: string[]) => number | Promise<number> }>;
}

export interface Program {
  /** Its name in `--help`. */
  name: string;
  version: string;
  commands: Readonly<Record<string, Command>>;
}

/**
 * The commands of any service; `start` is the service's own.
 *
 * @example
 * const commands = { start: { does: 'serves the contract', load: () => import('./main.js') }, ...engineCommands };
 */
export const engineCommands = {
  token: { does: 'makes, lists and revokes the tokens of a file', load: () => import('./token.js') },
} satisfies Program['commands'];

/**
 * Runs the command that the arguments name, and ends the process with its code; without a command, lists them.
 *
 * @example
 * runCommands({ name: 'garden', version: project.version, commands });
 */
export function runCommands({ name, version, commands }: Program, args = process.argv.slice(2)): void {
  const width = Math.max(...Object.keys(commands).map((command) => command.length));
  const list = Object.entries(commands).map(([command, { does }]) => `  ${command.padEnd(width)}  ${does}`);
  const usage = `${name} COMMAND [ARGUMENTS]\n\n${list.join('\n')}\n\n${name} COMMAND --help says what each takes, ${name} --version which version it is.
${name} completion bash|zsh|fish prints what makes a shell complete them.`;
  exitWith(async () => {
    const [command = '', ...rest] = args;
    const found = Object.hasOwn(commands, command) ? commands[command] : undefined;
    if (found) return (await found.load()).run(rest);
    if (command === '--version' || command === '-v') {
      console.log(version);
      return 0;
    }
    if (command === 'completion') {
      console.log(completionFor(name, commands, rest[0]));
      return 0;
    }
    if (command !== '' && command !== '--help' && command !== '-h')
      throw new Error(`expected one of the commands below, got ${JSON.stringify(command)}\n\n${usage}`);
    console.log(usage);
    return command === '' ? 1 : 0;
  });
}
