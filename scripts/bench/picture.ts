/** The comparison as an SVG: a bar of creates per second for each server, with its p99. */

import type { Row } from './report';

/** The width: narrow, with each bar below its label, so that the text is still legible on a telephone. */
const width = 480;
const margin = 20;
const barHeight = 14;
const rowHeight = 48;
const top = 104;
const barWidthMax = width - 2 * margin;
const p99Width = 84;
/** The factor by which it is enlarged if there is room. */
const scale = 1.25;

interface Machine {
  node: string;
  cores: number;
}

interface Settings {
  store: string;
  rounds: number;
}

/** At 64 connections; the fastest server first. */
export function drawPicture(all: readonly Row[], machine: Machine, { store, rounds }: Settings): string {
  const rows = all.filter((row) => row.connections === 64).sort((a, b) => b.perSecond.median - a.perSecond.median);
  const most = rows[0]?.perSecond.median ?? NaN;
  const height = top + rows.length * rowHeight + 48;
  const node = machine.node.replace(/^v(\d+).*/, 'Node $1');
  const title = rows.map(({ label, perSecond }) => `${label} ${Math.round(perSecond.median)}`).join('; ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width * scale}" height="${height * scale}" role="img" aria-labelledby="title">
<title id="title">${escape(`Durable creates per second at 64 connections: ${title}`)}</title>
<style>
  text { font: 15px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #1f2328 }
  .page { fill: #fff }
  .title { font-size: 18px; font-weight: 600 }
  .quiet { font-size: 13px; fill: #59636e }
  .ours { font-weight: 600 }
  .track { fill: #818b98; opacity: .14 }
  .bar { fill: #818b98 }
  .bar.ours { fill: #1a7f37 }
  .bar.limit { fill: none; stroke: #818b98; stroke-width: 1.5; stroke-dasharray: 5 4 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 }
    text { fill: #f0f6fc }
    .quiet { fill: #9198a1 }
    .bar { fill: #656c76 }
    .bar.ours { fill: #3fb950 }
    .bar.limit { stroke: #9198a1 }
  }
</style>
<rect class="page" width="${width}" height="${height}" rx="6"/>
<text x="${margin}" y="36" class="title">POST /plants: durable creates per second</text>
<text x="${margin}" y="60" class="quiet">64 connections, ids in ascending order;</text>
<text x="${margin}" y="78" class="quiet">every plant is synced to disk by ${store} before its 200</text>
${rows.map((row, index) => drawBar(row, index, row.perSecond.median / most)).join('\n')}
<text x="${margin}" y="${height - 34}" class="quiet">${node}, ${machine.cores} cores with the load generator, median of ${rounds} rounds.</text>
<text x="${margin}" y="${height - 16}" class="quiet">p99: 99 of 100 answers are faster.</text>
</svg>
`;
}

function drawBar({ server, label, perSecond, p99Ms }: Row, index: number, share: number): string {
  const kind = server.startsWith('plant-store') ? 'ours' : server;
  const y = top + index * rowHeight;
  const rect = (className: string, barWidth: number): string =>
    `<rect class="${className}" x="${margin}" y="${y + 24}" width="${barWidth.toFixed(1)}" height="${barHeight}" rx="4"/>`;
  const text = (x: number, anchor: string, className: string, content: string): string =>
    `<text x="${x}" y="${y + 16}" text-anchor="${anchor}" class="${className}">${escape(content)}</text>`;
  return [
    text(margin, 'start', kind, label),
    text(width - margin - p99Width, 'end', kind, Math.round(perSecond.median).toLocaleString('en-US')),
    text(width - margin, 'end', 'quiet', `p99 ${p99Ms.toFixed(p99Ms < 10 ? 1 : 0)} ms`),
    rect('track', barWidthMax),
    rect(`bar ${kind}`, Math.max(4, barWidthMax * share)),
  ].join('\n');
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
