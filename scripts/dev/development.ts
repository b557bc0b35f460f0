/** The development server: rebuilds and restarts the program after each change. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../src/engine/http/api-error';
import { makeToken } from '../../src/engine/auth/tokens';
import { prepare } from './prepare';
import { NotStarted, type RunningServer, startServer, tryServer } from './server';

export class Development {
  private readonly folder = mkdtempSync(join(tmpdir(), 'dev-'));
  private readonly env: NodeJS.ProcessEnv;
  /** The same token for all starts, unless there is a tokens file. */
  private readonly token: string | undefined;
  private server: RunningServer | undefined;
  private stale = false;
  private rounds: Promise<void> | undefined;
  private ended = false;

  constructor(env: NodeJS.ProcessEnv) {
    this.env = env;
    if (env.AUTH_TOKENS_FILE) return;
    const { token, line } = makeToken('dev', undefined, '*');
    const file = join(this.folder, 'tokens');
    writeFileSync(file, line, { mode: 0o600 });
    this.token = token;
    this.env = { ...env, AUTH_TOKENS_FILE: file };
  }

  /** To be called after each change; a change during a round starts another round afterwards. */
  changed(): void {
    this.stale = true;
    this.rounds ??= this.run().finally(() => (this.rounds = undefined));
  }

  async end(): Promise<void> {
    this.ended = true;
    await this.rounds;
    await this.server?.stop();
    rmSync(this.folder, { recursive: true });
  }

  private async run(): Promise<void> {
    while (this.stale && !this.ended) {
      this.stale = false;
      try {
        const problem = await prepare();
        if (problem === undefined) await this.restart();
        else this.complain(problem);
      } catch (error) {
        this.complain(
          error instanceof NotStarted ? `${error.message}\n\nThe server does not start.` : messageOf(error),
        );
      }
    }
  }

  private async restart(): Promise<void> {
    if (this.ended) return;
    const before = this.server;
    if (before) {
      // Replace it only by one that has been seen to start.
      await tryServer(this.env, this.folder);
      this.server = undefined;
      await before.stop();
    }
    const server = (this.server = await startServer(this.env));
    const banner = this.withToken(server.banner);
    console.log(before ? `\nRestarted: ${banner.split('\n')[0]}` : `\n${banner}`);
    void server.stopped.then(() => {
      if (this.server !== server || this.ended) return;
      this.server = undefined;
      console.error('\nThe server has stopped; the next change starts it again.');
    });
  }

  /** The banner with our token where it leaves the credential to a variable. */
  private withToken(banner: string): string {
    if (this.token === undefined) return banner;
    return banner.replace('$USERNAME:$PASSWORD', `dev:${this.token}`).replace(/\$(?:TOKEN|API_KEY)/, this.token);
  }

  private complain(problem: string): void {
    if (this.ended) return;
    console.error(`\n${problem}`);
    console.error(this.server ? 'The previous server keeps running.' : 'No server is running.');
  }
}
