/** The development server: starts a server for each valid change, and replaces the previous one by it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeToken, messageOf } from '../../engine';
import { Folders, sourcesOf } from '../../engine/reading';
import { generate } from '../generate/files';
import { lint } from '../generate/lint';
import { LOAD_TYPESCRIPT, root } from '../project/run-command';
import { typed } from '../project/typed';
import { Server } from './server';
import type { Checked } from './types';

/** The time that a server has to come up while a newer change waits. */
const PATIENCE_MS = 3_000;

export class Development {
  private readonly folder = mkdtempSync(join(tmpdir(), 'dev-'));
  private readonly env: NodeJS.ProcessEnv;
  /** The token of all starts, unless there is a tokens file. */
  private readonly token: string | undefined;
  private readonly types = fork(require.resolve('./types'), { execArgv: LOAD_TYPESCRIPT });
  private readonly typesEnded = once(this.types, 'exit');
  /** The contract that was last linted and generated from, and its types, so that a change of code alone repeats neither. */
  private generated: string | undefined;
  private server: Server | undefined;
  private stale = false;
  private rounds: Promise<void> | undefined;
  private ended = false;

  /** References of the contract may lead into the allowed folders, too. */
  constructor(
    env: NodeJS.ProcessEnv,
    private readonly allowed: readonly string[] = [],
  ) {
    this.env = { ...env };
    if (env.AUTH_TOKENS_FILE) return;
    const { token, line } = makeToken('dev', undefined, '*');
    this.env.AUTH_TOKENS_FILE = join(this.folder, 'tokens');
    writeFileSync(this.env.AUTH_TOKENS_FILE, line, { mode: 0o600 });
    this.token = token;
  }

  /** Call after each change; a change during a round starts another round afterwards. */
  changed(): void {
    this.stale = true;
    this.rounds ??= this.run().finally(() => (this.rounds = undefined));
  }

  async end(): Promise<void> {
    this.ended = true;
    this.types.kill();
    await this.rounds;
    await this.server?.stop();
    rmSync(this.folder, { recursive: true });
  }

  private async run(): Promise<void> {
    while (this.stale && !this.ended) {
      this.stale = false;
      try {
        await this.round();
      } catch (error) {
        this.complain(messageOf(error));
      }
    }
  }

  /** Rejects with the problem and its remedy. The next server loads while contract and types are checked. */
  private async round(): Promise<void> {
    const file = join(root, 'openapi.yaml');
    const sources = sourcesOf(file, new Folders(file, this.allowed));
    const contract = [...sources].map((each) => readFileSync(each, 'utf8')).join('\0');
    const isNew = this.generated !== withTypes(contract);
    // The first round takes long: nothing is loaded yet.
    const say = (what: string): void => {
      if (!this.server) console.error(`${what} ...`);
    };
    if (isNew) {
      say('generating the types of openapi.yaml');
      // Unset while generated/ comes from another text, which lint may refuse and the next change may revert.
      this.generated = undefined;
      await generate(true, this.allowed).catch(fail);
    }
    const generated = withTypes(contract);
    const next = new Server(this.env);
    try {
      say('checking openapi.yaml and the types of src, and loading the program');
      const [linted, { errors, missing }] = await Promise.all([isNew ? lint(this.allowed) : undefined, this.check()]);
      if (linted && linted.problems.length > 0) fail(linted.problems.join('\n'));
      this.generated = generated;
      if (errors !== '') throw new Error(`${errors}\nCorrect these places, and save.`);
      await this.replaceBy(next);
      if (missing !== '')
        console.log(`\n${missing}\nMocks answer until their handlers are written into src/handlers.ts.`);
    } catch (error) {
      void next.stop();
      throw error;
    }
  }

  private complain(problem: string): void {
    // A newer change is tried next, so this problem is out of date.
    if (this.ended || this.stale) return;
    console.error(`\n${problem}`);
    console.error(this.server ? 'The previous server keeps running.' : 'No server is running.');
  }

  private async check(): Promise<Checked> {
    this.types.send('check');
    const [checked] = (await Promise.race([once(this.types, 'message'), this.typesEnded])) as unknown[];
    if (typeof checked === 'object' && checked !== null) return checked as Checked;
    throw new Error(`the process that checks types has ended: start ${typed('dev')} again`);
  }

  /** The previous server serves until the next one has loaded all but its store, which the two must not have open at once. */
  private async replaceBy(next: Server): Promise<void> {
    const before = this.server;
    const stopBefore = async (): Promise<void> => {
      this.server = undefined;
      if ((await before?.stop()) === false) console.error('The previous server did not end by itself, and was killed.');
    };
    // A server that does not come up, as where its database does not answer, gives way to a newer change, and to the end.
    const giveWay = setInterval(() => void ((this.stale || this.ended) && next.stop()), PATIENCE_MS);
    const banner = this.withToken(await next.serve(stopBefore).finally(() => clearInterval(giveWay)));
    this.server = next;
    // The port that was chosen for the first one stays.
    if (this.env.PORT === '0') this.env.PORT = String(next.port);
    console.log(before ? `\nRestarted: ${banner.split('\n')[0]}` : `\n${banner}`);
    void next.stopped.then(() => {
      if (this.server !== next || this.ended) return;
      this.server = undefined;
      console.error('\nThe server has stopped; the next change starts it again.');
    });
  }

  /** The banner, with the token itself in place of a variable for it. */
  private withToken(banner: string): string {
    if (this.token === undefined) return banner;
    return banner.replace('$USERNAME:$PASSWORD', `dev:${this.token}`).replace(/\$(?:TOKEN|API_KEY)/, this.token);
  }
}

/** A contract with what was generated from it, which may be removed or changed by others. */
function withTypes(contract: string): string {
  const types = join(root, 'generated/openapi.ts');
  return `${contract}\0${existsSync(types) ? readFileSync(types, 'utf8') : ''}`;
}

function fail(problem: unknown): never {
  throw new Error(`${messageOf(problem)}\n\nCorrect openapi.yaml there, and save.`);
}
