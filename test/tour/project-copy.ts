/** A copy of the project in a temporary folder, to change it and run the project's commands in it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { type Document as YamlDocument, parse, parseDocument, stringify } from 'yaml';
import { nodeArguments } from '../../src/tools/project/run-command';

export const project = join(__dirname, '..', '..');

/** What is copied; tests are added as needed. */
const PARTS = [
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'redocly.yaml', 'eslint.config.mjs', 'jest.config.mjs'],
  ...['README.md', 'LICENSE', 'openapi.yaml', 'generated', 'src', 'scripts', 'test/README.md', 'test/support'],
];

export interface Ended {
  code: number | null;
  /** stdout and stderr together. */
  output: string;
}

/** A program of the copy that runs until it is stopped. */
export interface Running {
  child: ChildProcess;
  /** The output so far. */
  output(): string;
  /** Resolves once the output matches; rejects if the program ends before. */
  wrote(expression: RegExp): Promise<RegExpExecArray>;
  ended: Promise<Ended>;
}

/** How many characters of its output a failure shows. */
const TOLD_MAX = 2_000;

/** A project in a temporary folder, at first empty. */
export class Project {
  private readonly running = new Set<Running>();

  constructor(readonly folder = mkdtempSync(join(tmpdir(), 'plants-copy-'))) {}

  /** Gives it the packages that another has installed: of ours, unless it is named. */
  link(from = project): void {
    symlinkSync(join(from, 'node_modules'), join(this.folder, 'node_modules'), 'junction');
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  write(name: string, text: string): void {
    const file = join(this.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  remove(name: string): void {
    rmSync(join(this.folder, name), { recursive: true, force: true });
  }

  /** Starts a program of `node_modules/.bin`, or else of the system. */
  start([name = '', ...args]: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
    const isTool = existsSync(join(this.folder, 'node_modules', '.bin', name));
    const [file = name, ...first] = isTool ? [process.execPath, ...nodeArguments(this.folder, name)] : [];
    const child = spawn(file, [...first, ...args], {
      cwd: this.folder,
      env: { ...environment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: name === 'npx', // a group of its own, as a signal that npx gets does not reach its program
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        child.emit('wrote');
      });
    }
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', reject).on('close', (code) => resolve({ code, output }));
    });
    const wrote = (expression: RegExp): Promise<RegExpExecArray> =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = expression.exec(output);
          if (match) resolve(match);
        };
        child.on('wrote', look).on('close', () => {
          reject(new Error(`expected ${String(expression)}, got at last:\n${output.slice(-TOLD_MAX)}`));
        });
        look();
      });
    const running = { child, output: () => output, wrote, ended };
    this.running.add(running);
    child.on('close', () => this.running.delete(running));
    return running;
  }

  /** Runs a program to its end. */
  run(command: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.start(command, env).ended;
  }

  /** Starts the service; resolves once it listens, to its address and, unless there is a tokens file, its token. */
  async serve(env: NodeJS.ProcessEnv = {}): Promise<{ running: Running; baseUrl: string; token: string }> {
    const running = this.start(['tsx', 'src/main.ts'], { PORT: '0', LOG_LEVEL: 'warn', ...env });
    const [banner, baseUrl = ''] = await running.wrote(/"baseUrl":"(http:[^"]+)".*\n/);
    const [, token = ''] = /"token":"([\w-]+)"/.exec(banner) ?? [];
    return { running, baseUrl, token };
  }

  /** Runs steps of `npm run check`. */
  check(...steps: string[]): Promise<Ended> {
    return this.run(['tsx', 'src/tools/cli.ts', 'check', '--only', steps.join()]);
  }

  /** Kills programs that still run, and removes the copy. */
  async discard(): Promise<void> {
    for (const { child } of this.running) stop(child);
    await Promise.all([...this.running].map(({ ended }) => ended));
    rmSync(this.folder, { recursive: true });
  }
}

/** A copy of ours. */
export class ProjectCopy extends Project {
  /** `tests` are files and folders below `test/` to copy as well. */
  constructor(tests: readonly string[] = []) {
    super();
    const bench = join(project, 'scripts', 'bench');
    for (const part of [...PARTS, ...tests.map((name) => `test/${name}`)]) {
      cpSync(join(project, part), join(this.folder, part), {
        recursive: true,
        filter: (source) => relative(bench, source).startsWith('..'),
      });
    }
    const page = join('scripts', 'bench', 'README.md'); // of the benchmark, what the check of the documentation reads
    cpSync(join(project, page), join(this.folder, page));
    this.link();
  }

  /** Puts back what the project has. */
  restore(name: string): void {
    this.write(name, readFileSync(join(project, name), 'utf8'));
  }

  /** Makes the copy a git repository whose main branch has these files as they are, and commits them again later. */
  async commit(...names: string[]): Promise<void> {
    const git = (...args: string[]): Promise<Ended> =>
      this.run(['git', '-c', 'user.name=x', '-c', 'user.email=x@localhost', '-c', 'commit.gpgsign=false', ...args]);
    await git('init', '--quiet', '--initial-branch=main');
    await git('add', ...names);
    await git('commit', '--quiet', '--no-verify', '--message=change');
  }

  /** Replaces a text that must occur exactly once; code and contracts have edits of their own. */
  replace(name: string, text: string, by: string): void {
    const parts = this.read(name).split(text);
    if (parts.length !== 2) throw new Error(`expected ${text} once in ${name}, got ${parts.length - 1}`);
    this.write(name, parts.join(by));
  }

  /** Changes the contract, or a file of it, by what it says and not by how that is written. */
  editContract(edit: (contract: YamlDocument) => unknown, file = 'openapi.yaml'): void {
    const contract = parseDocument(this.read(file));
    edit(contract);
    this.write(file, contract.toString({ lineWidth: 0 }));
  }

  /** Moves all schemas of the contract, whatever they are, into a file of their own. */
  moveSchemas(file: string): void {
    const contract = parse(this.read('openapi.yaml')) as { components: { schemas: Record<string, unknown> } };
    const { schemas } = contract.components;
    const own = stringify(schemas).replaceAll('#/components/schemas/', '#/');
    contract.components.schemas = Object.fromEntries(
      Object.keys(schemas).map((name) => [name, { $ref: `${file}#/${name}` }]),
    );
    this.write(file, own);
    this.write('openapi.yaml', stringify(contract));
  }

  /** Sets the version number of the contract. */
  setVersion(version: string): void {
    this.editContract((contract) => contract.setIn(['info', 'version'], version));
  }
}

/** Kills a program, and what npx has started. */
function stop({ spawnfile, pid = 0 }: ChildProcess): void {
  process.kill(spawnfile === 'npx' ? -pid : pid, 'SIGKILL');
}

/** Our environment, without the variables of jest, of a git hook or of a merge request around it. */
function environment(): NodeJS.ProcessEnv {
  const others =
    /^(?:GIT_|JEST_|NODE_ENV$|NODE_OPTIONS$|ANSWERS_FILE$|CI_MERGE_REQUEST_|CI_DEFAULT_BRANCH$|GITHUB_BASE_REF$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.test(name)));
}
