/** Prints a Markdown table with columns of even width. */
export const printTable = (head: readonly string[], rows: readonly (readonly string[])[]): void => {
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |\n`;
  process.stdout.write(line(head) + line(widths.map((width) => '-'.repeat(width))));
  for (const row of rows) process.stdout.write(line(row));
};
