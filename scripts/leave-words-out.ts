import type { Plugin } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';

/** A part of the source, and what stands in its place. */
interface Cut {
  from: number;
  to: number;
  instead: string;
}

/** A removed part leaves its line breaks, so that every line keeps its number. */
const cut = (source: string, from: number, to: number, instead = ''): Cut => ({
  from,
  to,
  instead: instead + source.slice(from, to).replaceAll(/[^\n]/g, ''),
});

interface Node {
  type: string;
  start: number;
  end: number;
}
interface Property extends Node {
  key: Node & { name?: string };
  value: Node;
}

const propertiesOf = (node: Node | undefined): Property[] =>
  node?.type === 'ObjectExpression'
    ? (node as Node & { properties: Property[] }).properties.filter(({ type }) => type === 'Property')
    : [];

const named = (node: Node | undefined, ...names: string[]): Property[] =>
  propertiesOf(node).filter(({ key }) => names.includes(key.name ?? ''));

const withComma = (source: string, { start, end }: Node): Cut => {
  const comma = /^\s*,/.exec(source.slice(end))?.[0] ?? '';
  return cut(source, start, end + comma.length);
};

/** What the reference alone reads of a contract: its sentences, and those of its answers. */
const contractCuts = (source: string, contract: Node | undefined): Cut[] =>
  [
    ...named(contract, 'summary', 'description'),
    ...named(contract, 'returns')
      .flatMap(({ value }) => propertiesOf(value))
      .flatMap(({ value }) => named(value, 'description')),
  ].map((property) => withComma(source, property));

/**
 * The source without what only the reference reads: `described(shape, 'words', more)` is the shape, and a contract has
 * no sentences. In this way words cost a Worker nothing, however many there are.
 */
export const withoutWords = (source: string): string => {
  const cuts: Cut[] = [];
  new Visitor({
    CallExpression({ callee, arguments: given, start, end }) {
      const name = callee.type === 'Identifier' ? callee.name : '';
      const [first] = given as Node[];
      if (first === undefined) return;
      if (name === 'endpoint') cuts.push(...contractCuts(source, first));
      if (name !== 'described' && name !== 'describedAs') return;
      cuts.push(cut(source, start, first.start, '('), cut(source, first.end, end, ')'));
    },
  }).visit(parseSync('source.ts', source).program);
  const ordered = cuts.sort((a, b) => a.from - b.from || a.to - b.to);
  let text = '';
  let at = 0;
  for (const { from, to, instead } of ordered) {
    if (from < at) continue;
    text += source.slice(at, from) + instead;
    at = to;
  }
  return text + source.slice(at);
};

const ownSource = /\/src\/.*\.ts$/;

export const leaveWordsOut: Plugin = {
  name: 'leave-words-out',
  transform: {
    filter: { id: [ownSource, /\/package\.json$/] },
    handler(source, id) {
      if (ownSource.test(id)) return { code: withoutWords(source), map: null };
      if (id.includes('/node_modules/')) return null;
      const { name, version } = JSON.parse(source);
      return { code: JSON.stringify({ name, version }), map: null };
    },
  },
};
