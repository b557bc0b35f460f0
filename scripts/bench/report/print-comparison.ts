/** The comparison for people: tables of what was measured, the ratios, and the figures that were to be reached. */
import type { Machine } from '../describe-machine';
import type { Settings } from './settings';
import { describeFigure, type Figure, roundsWanted } from './figures';
import { formatTable } from './format-table';
import type { Ratio } from './ratios';
import type { Spread } from './statistics';
import type { ServerSummary } from './summarize';

interface Comparison {
  machine: Machine;
  settings: Settings;
  servers: ServerSummary[];
  ratios: Ratio[];
  figures: Figure[];
}

export function printComparison({ machine, settings, servers, ratios, figures }: Comparison): void {
  const { node, cores, cpu, commitUs } = machine;
  const { rounds, connections, ids } = settings;
  print(`Node ${node}, ${cores} cores of ${cpu}, one synced commit takes ${commitUs} us`);
  print(`medians of ${rounds} rounds; every create is on disk before its 200; ids in ${ids} order`);
  for (const number of connections) print(`\n${countOf(number)}\n${tableOf(servers, number)}`);
  print(`\nResident memory, MB\n${memoryTableOf(servers.filter((server) => server.fault === undefined))}`);
  if (ratios.length > 0)
    print(`\nThis server to each of the others: median (lowest to highest of the rounds)\n${ratioTableOf(ratios)}`);
  for (const { name, fault } of servers) if (fault !== undefined) print(`\nDISQUALIFIED  ${name}: ${fault}`);
  if (figures.length > 0)
    print(`\nFigures${rounds < roundsWanted ? `, from ${rounds} rounds where they ask for ${roundsWanted}` : ''}`);
  for (const figure of figures) print(describeFigure(figure));
  const busiest = Math.max(...servers.flatMap(({ cells }) => cells.map((cell) => cell.generatorShare)));
  print(`\nThe load generator used at most ${Math.round(busiest * 100)} % of a core.`);
}

export function countOf(connections: number): string {
  return connections === 1 ? '1 connection' : `${connections} connections`;
}

function tableOf(servers: ServerSummary[], connections: number): string {
  const rows = servers.map(({ name, fault, cells }) => {
    const cell = cells.find((each) => each.connections === connections);
    if (fault !== undefined || cell === undefined) return [name, 'disqualified', '', '', '', ''];
    const { perSecond, p50Ms, p99Ms, cpuUs } = cell;
    const spread = `${whole(perSecond.min)} to ${whole(perSecond.max)}`;
    return [name, whole(perSecond.median), spread, p50Ms.toFixed(2), p99Ms.toFixed(2), whole(cpuUs)];
  });
  return formatTable([['server', 'creates/s', 'spread', 'p50 ms', 'p99 ms', 'CPU us each'], ...rows]);
}

function memoryTableOf(servers: ServerSummary[]): string {
  const rows = servers.map((server) => [
    server.name,
    whole(server.residentMbBefore),
    whole(server.residentMbAfter),
    whole(server.acknowledged),
  ]);
  return formatTable([['server', 'before', 'after', 'creates'], ...rows]);
}

function ratioTableOf(ratios: Ratio[]): string {
  const rows = ratios.map(({ peer, connections, perSecond, p50, p99 }) => [
    peer,
    String(connections),
    ...[perSecond, p50, p99].map(spreadText),
  ]);
  return formatTable([['to', 'connections', 'creates/s', 'p50', 'p99'], ...rows]);
}

function spreadText({ median, min, max }: Spread): string {
  return `${median.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})`;
}

/** NaN is what could not be measured here. */
function whole(value: number): string {
  return Number.isNaN(value) ? '-' : Math.round(value).toLocaleString('en-US');
}

function print(text: string): void {
  console.log(text);
}
