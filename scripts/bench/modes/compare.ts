/** The comparison: every server once in every round, each time as a new process with an empty store. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { countOf, printComparison } from '../report/print-comparison';
import { figuresOf, roundsWanted } from '../report/figures';
import { drawPicture } from '../report/draw-picture';
import { ratiosOf } from '../report/ratios';
import type { Settings } from '../report/settings';
import { summarize } from '../report/summarize';
import { writeJson, writeResult } from '../report/write-result';
import type { Context } from './context';
import { Progress } from './progress';
import { type Round, runServer, type Run } from './run-server';

export async function compare(context: Context): Promise<void> {
  const { options, entries, machine } = context;
  const rounds = await runRounds(context);
  const servers = entries.map((entry) => summarize(entry, rounds));
  const ratios = ratiosOf(rounds, options.connections);
  const figures = figuresOf(rounds);
  const settings = settingsOf(options);
  printComparison({ machine, settings, servers, ratios, figures });
  const name = isWhole(context) ? 'latest' : 'partial';
  writeJson(`${name}.json`, { machine, settings, servers, ratios, figures });
  writeResult(`${name}.svg`, drawPicture(servers, machine, settings));
}

function settingsOf({ rounds, seconds, warmUpSeconds, connections, ids }: Context['options']): Settings {
  return { rounds, seconds, warmUpSeconds, connections, ids };
}

/** Whether this run may replace what the README shows. */
function isWhole({ options }: Context): boolean {
  return options.only === undefined && options.rounds >= roundsWanted && options.connections.includes(64);
}

async function runRounds({ options, entries, generator, directory }: Context): Promise<Round[]> {
  const { rounds, connections } = options;
  const progress = new Progress(rounds * entries.length * connections.length);
  const all: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const runs = new Map<string, Run>();
    // Each round begins with another server, so that none is always the one after the slowest.
    for (const entry of [...entries.slice(round % entries.length), ...entries.slice(0, round % entries.length)]) {
      const place = join(directory, `${round}-${entry.name}`);
      const prefix = `round ${round + 1} of ${rounds}  ${entry.name}`;
      mkdirSync(place);
      const run = await runServer(entry, { directory: place, filled: 0 }, options, generator, (cell) => {
        progress.step(`${prefix}  ${countOf(cell.connections)}: ${Math.round(cell.perSecond)}/s`);
      });
      rmSync(place, { recursive: true });
      const { fault, cells } = run;
      if (fault) progress.step(`${prefix}  DISQUALIFIED: ${fault}`, connections.length - cells.length);
      runs.set(entry.name, run);
    }
    all.push(runs);
  }
  return all;
}
