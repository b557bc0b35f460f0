/** The comparison as a picture: a bar of creates per second for each server, with its p99 beside it. */
import type { Machine } from '../describe-machine';
import { ours } from '../servers/entries';
import type { Settings } from './settings';
import type { ServerSummary } from './summarize';

const width = 800;
const margin = 24;
const labelWidth = 224;
const valueWidth = 152;
const barHeight = 26;
const rowHeight = 42;
const top = 96;
const barX = margin + labelWidth;
const barWidthMax = width - margin - valueWidth - barX;

interface Bar {
  name: string;
  label: string;
  /** NaN for a server that is disqualified. */
  perSecond: number;
  p99Ms: number;
}

export function drawPicture(servers: readonly ServerSummary[], machine: Machine, settings: Settings): string {
  const { rounds, connections, ids } = settings;
  const number = connections.includes(64) ? 64 : (connections[0] ?? 64);
  const bars = barsOf(servers, number);
  const most = Math.max(0, ...bars.map((bar) => bar.perSecond || 0));
  const height = top + bars.length * rowHeight + 40;
  const node = machine.node.replace(/^v(\d+).*/, 'Node $1');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escape(titleOf(bars, number))}</title>
<style>
  text { font: 15px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #1f2328 }
  .title { font-size: 20px; font-weight: 600 }
  .quiet { font-size: 13px; fill: #59636e }
  .ours { font-weight: 600 }
  .track { fill: #818b98; opacity: .14 }
  .bar { fill: #818b98 }
  .bar.ours { fill: #1a7f37 }
  .bar.limit { fill: none; stroke: #818b98; stroke-width: 1.5; stroke-dasharray: 5 4 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .quiet { fill: #9198a1 }
    .bar { fill: #656c76 }
    .bar.ours { fill: #3fb950 }
    .bar.limit { stroke: #9198a1 }
  }
</style>
<text x="${margin}" y="40" class="title">POST /plants: durable creates per second</text>
<text x="${margin}" y="64" class="quiet">${number} connections, ids in ${ids} order; every plant is synced to disk by SQLite before its 200</text>
${bars.map((bar, row) => drawBar(bar, row, bar.perSecond / most)).join('\n')}
<text x="${margin}" y="${height - 18}" class="quiet">${node}, ${machine.cores} cores with the load generator, median of ${rounds} rounds. p99: 99 of 100 answers are faster.</text>
</svg>
`;
}

/** The fastest first, the disqualified last. */
function barsOf(servers: readonly ServerSummary[], connections: number): Bar[] {
  return servers
    .map(({ name, label, fault, cells }) => {
      const cell = fault === undefined ? cells.find((each) => each.connections === connections) : undefined;
      return { name, label, perSecond: cell?.perSecond.median ?? NaN, p99Ms: cell?.p99Ms ?? NaN };
    })
    .sort((a, b) => (b.perSecond || 0) - (a.perSecond || 0));
}

function drawBar({ name, label, perSecond, p99Ms }: Bar, row: number, share: number): string {
  const kind = name.startsWith(ours) ? 'ours' : name;
  const y = top + row * rowHeight;
  const baseline = y + barHeight / 2 + 5;
  const rect = (className: string, barWidth: number): string =>
    `<rect class="${className}" x="${barX}" y="${y}" width="${barWidth.toFixed(1)}" height="${barHeight}" rx="4"/>`;
  const text = (x: number, anchor: string, className: string, content: string): string =>
    `<text x="${x}" y="${baseline}" text-anchor="${anchor}" class="${className}">${escape(content)}</text>`;
  const lines = [text(barX - 12, 'end', kind, label), rect('track', barWidthMax)];
  if (Number.isNaN(perSecond)) return [...lines, text(barX + 12, 'start', 'quiet', 'disqualified')].join('\n');
  return [
    ...lines,
    rect(`bar ${kind}`, Math.max(4, barWidthMax * share)),
    text(barX + barWidthMax + 64, 'end', kind, Math.round(perSecond).toLocaleString('en-US')),
    text(width - margin, 'end', 'quiet', `p99 ${p99Ms.toFixed(p99Ms < 10 ? 1 : 0)} ms`),
  ].join('\n');
}

function titleOf(bars: readonly Bar[], connections: number): string {
  const all = bars.map(
    ({ label, perSecond }) => `${label} ${Number.isNaN(perSecond) ? 'disqualified' : Math.round(perSecond)}`,
  );
  return `Durable creates per second at ${connections} connections: ${all.join('; ')}`;
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
