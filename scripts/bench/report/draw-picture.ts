/** The comparison as an SVG: a bar of creates per second for each server, with its p99. */
import type { Options } from '../options';
import type { Bench } from '../run';
import { ours } from '../servers/entries';
import type { Row } from './rows';

const width = 800;
const margin = 24;
const labelWidth = 224;
const valueWidth = 152;
const barHeight = 26;
const rowHeight = 42;
const top = 96;
const barX = margin + labelWidth;
const barWidthMax = width - margin - valueWidth - barX;

type Settings = Pick<Options, 'rounds' | 'connections' | 'ids'> & { store: string };

/** At 64 connections, or at the first number that was measured; the fastest server first. */
export function drawPicture(all: readonly Row[], machine: Bench['machine'], settings: Settings): string {
  const { store, rounds, connections, ids } = settings;
  const number = connections.includes(64) ? 64 : connections[0];
  const rows = all.filter((row) => row.connections === number).sort((a, b) => b.perSecond.median - a.perSecond.median);
  const most = rows[0]?.perSecond.median ?? NaN;
  const height = top + rows.length * rowHeight + 40;
  const node = machine.node.replace(/^v(\d+).*/, 'Node $1');
  const title = rows.map(({ label, perSecond }) => `${label} ${Math.round(perSecond.median)}`).join('; ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escape(`Durable creates per second at ${number} connections: ${title}`)}</title>
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
<text x="${margin}" y="64" class="quiet">${number} connections, ids in ${ids} order; every plant is synced to disk by ${store} before its 200</text>
${rows.map((row, index) => drawBar(row, index, row.perSecond.median / most)).join('\n')}
<text x="${margin}" y="${height - 18}" class="quiet">${node}, ${machine.cores} cores with the load generator, median of ${rounds} rounds. p99: 99 of 100 answers are faster.</text>
</svg>
`;
}

function drawBar({ server, label, perSecond, p99Ms }: Row, index: number, share: number): string {
  const kind = server.startsWith(ours) ? 'ours' : server;
  const y = top + index * rowHeight;
  const baseline = y + barHeight / 2 + 5;
  const rect = (className: string, barWidth: number): string =>
    `<rect class="${className}" x="${barX}" y="${y}" width="${barWidth.toFixed(1)}" height="${barHeight}" rx="4"/>`;
  const text = (x: number, anchor: string, className: string, content: string): string =>
    `<text x="${x}" y="${baseline}" text-anchor="${anchor}" class="${className}">${escape(content)}</text>`;
  return [
    text(barX - 12, 'end', kind, label),
    rect('track', barWidthMax),
    rect(`bar ${kind}`, Math.max(4, barWidthMax * share)),
    text(barX + barWidthMax + 64, 'end', kind, Math.round(perSecond.median).toLocaleString('en-US')),
    text(width - margin, 'end', 'quiet', `p99 ${p99Ms.toFixed(p99Ms < 10 ? 1 : 0)} ms`),
  ].join('\n');
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
