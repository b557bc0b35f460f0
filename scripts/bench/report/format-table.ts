/** Rows as lines of aligned columns: the first to the left, the others, which are numbers, to the right. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((text, column) => pad(text, widths[column] ?? 0, column === 0)).join('  '))
    .join('\n');
}

function pad(text: string, width: number, left: boolean): string {
  return left ? text.padEnd(width) : text.padStart(width);
}
