/** A part of a source, and what stands in its place. */
export interface Cut {
  from: number;
  to: number;
  instead: string;
}

/** What every node of a syntax tree has. */
export interface Node {
  type: string;
  start: number;
  end: number;
}

/** A removed part leaves its line breaks, so that every line keeps its number. */
export const cut = (source: string, { start, end }: Pick<Node, 'start' | 'end'>, instead = ''): Cut => ({
  from: start,
  to: end,
  instead: instead + source.slice(start, end).replaceAll(/[^\n]/g, ''),
});

/** The source without the parts that are cut; a part within another goes with it. */
export const without = (source: string, cuts: readonly Cut[]): string => {
  const ordered = cuts.toSorted((a, b) => a.from - b.from || b.to - a.to);
  let text = '';
  let at = 0;
  for (const { from, to, instead } of ordered) {
    if (from < at) continue;
    text += source.slice(at, from) + instead;
    at = to;
  }
  return text + source.slice(at);
};
