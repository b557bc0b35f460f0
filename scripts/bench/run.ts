/** `npm run bench`: this server and its peers, in one run on one machine. Exits 0 whatever it measures. */
import '../../src/node-version';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitWith, readArguments } from '../../src/engine';
import { root } from '../../src/tools/project/run-command';
import { compare, type Settings } from './compare';
import { measureContract } from './contract';

const usage = `npm run bench [-- OPTIONS]
Compares this server with its peers, in rounds; every server stores each plant on disk before it answers 200.

  --store STORE        sqlite, or postgres: one PostgreSQL, which the benchmark starts (sqlite)
  --only a,b           only these servers, and no files of results
  --rounds N           rounds (5)
  --seconds S          seconds of each measurement (5)
  --warm-up N          requests before a server is measured (60000)
  --connections a,b    numbers of connections (1,64,512)
  --contract N         instead: what a contract of N operations costs at the start and for each request, beside one of a single
                       operation

The stores are in the folder for temporary files, which has to be on a disk (TMPDIR). A run of at
least five rounds of all servers is written to scripts/bench/results.`;

async function main(): Promise<number> {
  const { values } = readArguments({
    options: {
      store: { type: 'string', default: 'sqlite' },
      only: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '5' },
      'warm-up': { type: 'string', default: '60000' },
      connections: { type: 'string', default: '1,64,512' },
      contract: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { store } = values;
  if (store !== 'sqlite' && store !== 'postgres') throw new Error(`--store: expected sqlite or postgres, got ${store}`);
  const settings: Settings = {
    store,
    only: values.only?.split(','),
    rounds: numberOf('rounds', values.rounds),
    seconds: numberOf('seconds', values.seconds),
    warmUp: numberOf('warm-up', values['warm-up']),
    connections: values.connections.split(',').map((text) => numberOf('connections', text)),
  };
  const contract = values.contract === undefined ? undefined : numberOf('contract', values.contract);
  build();
  const directory = makeDirectory();
  await (contract === undefined ? compare(directory, settings) : measureContract(directory, contract));
  return 0;
}

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0 && (Number.isInteger(number) || name === 'seconds')))
    throw new Error(`--${name}: expected a number above 0, got ${text}`);
  return number;
}

/** Builds this server, its peers and the load generator. */
function build(): void {
  if (!existsSync(join(__dirname, 'node_modules'))) run('npm', ['ci', '--no-audit', '--no-fund'], __dirname);
  run('npm', ['run', '--silent', 'build'], root);
  run('npx', ['tsc', '--project', __dirname], root);
}

function run(command: string, args: string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}

const TMPFS = 0x01021994;

/** A new directory, removed on exit. Throws if it would be in memory, because nothing is durable there. */
function makeDirectory(): string {
  if (statfsSync(tmpdir()).type === TMPFS)
    throw new Error(`${tmpdir()} is in memory, where nothing is durable: name a folder on a disk by TMPDIR`);
  const directory = mkdtempSync(join(tmpdir(), 'plant-bench-'));
  // Retried, because a server that was just killed may still be writing.
  process.on('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

// An interrupted run ends its servers and removes its stores too, which happens on exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

exitWith(main);
