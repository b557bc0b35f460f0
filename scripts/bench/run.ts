/**
 * `npm run bench`: this server against its peers, in one run on one machine; `npm run bench -- --help` says what else.
 * What it finds is printed and written to `results/`; whatever it is, the bench ends with 0 when it could be measured.
 */
import { describeMachine } from './describe-machine';
import { LoadGenerator } from './load/load-generator';
import { compare } from './modes/compare';
import { compareFilled } from './modes/filled';
import { soak } from './modes/soak';
import { measureStart } from './modes/start';
import { makeDirectory, prepare } from './prepare';
import { help, type Options, readOptions } from './read-options';
import { chooseEntries, ours, readEntries } from './servers/entries';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return console.log(help);
  const entries = isAboutOurs(options) ? readEntries() : chooseEntries(readEntries(), options.only);
  prepare(entries.some((entry) => entry.name.startsWith(ours)));
  const directory = makeDirectory(options.directory);
  const machine = describeMachine(directory);
  const generator = new LoadGenerator();
  const context = { options, entries, machine, generator, directory };
  if (options.filled !== undefined) await compareFilled(context, options.filled);
  if (options.soakSeconds !== undefined) await soak(context, options.soakSeconds);
  if (options.start) await measureStart(context);
  if (!isAboutOurs(options)) await compare(context);
  generator.stop();
}

function isAboutOurs({ filled, soakSeconds, start }: Options): boolean {
  return filled !== undefined || soakSeconds !== undefined || start;
}

// So that an interrupted bench also ends its servers and removes its stores, which happens on exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
