import type { Plugin } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';
import { type Cut, cut, type Node, without } from './cuts.ts';

interface Property extends Node {
  key: Node & { name?: string };
  value: Node;
  shorthand: boolean;
}

/** What a column says for the migrations and the types alone. */
const ofMigrations = ['references', 'unique', '$type'];

const propertiesOf = (node: Node): Property[] =>
  (node as Node & { properties: Property[] }).properties.filter(
    ({ type, shorthand }) => type === 'Property' && !shorthand,
  );

const withComma = (source: string, { start, end }: Node): Cut => {
  const comma = /^\s*,/.exec(source.slice(end))?.[0] ?? '';
  return cut(source, { start, end: end + comma.length });
};

/** What the reference alone reads of a contract: an answer is never validated, so its shape goes as well. */
const empty: Readonly<Record<string, string>> = { returns: '{}', fails: '[]' };
const words = ['summary', 'description', 'tag'];

const contractCuts = (source: string, contract: Node): Cut[] =>
  propertiesOf(contract).flatMap((property) => {
    const name = property.key.name ?? '';
    const instead = empty[name];
    if (instead !== undefined) return [cut(source, property.value, instead)];
    return words.includes(name) ? [withComma(source, property)] : [];
  });

/** SQL in one line. Its line breaks stand behind it, so that what follows keeps its line. */
const inOneLine = (source: string, { start, end }: Node, quasis: readonly Node[]): Cut[] => {
  const cuts = quasis.flatMap((quasi) =>
    [...source.slice(quasi.start, quasi.end).matchAll(/\s*\n\s*/g)].map(({ 0: gap, index }) => ({
      from: quasi.start + index,
      to: quasi.start + index + gap.length,
      instead: ' ',
    })),
  );
  if (cuts.length > 0 && source.slice(start, end).includes('--'))
    throw new Error('SQL of several lines has a comment.');
  return [...cuts, { from: end, to: end, instead: '\n'.repeat(cuts.length) }];
};

const isContract = (node: Node): boolean =>
  node.type === 'ObjectExpression' && propertiesOf(node).some(({ key }) => key.name === 'returns');

/**
 * The source without what only the reference and the migrations read: `described(shape, 'words', more)` is the shape, a
 * contract has no sentences and no answers, a table no indexes and references. In this way they cost a Worker nothing,
 * however many there are. SQL stands in one line.
 */
export const withoutWords = (source: string): string => {
  const cuts: Cut[] = [];
  new Visitor({
    CallExpression({ callee, arguments: given, start, end }) {
      const [first, second, third] = given as Node[];
      if (callee.type === 'MemberExpression') {
        const { object, property } = callee as { object: Node; property: Node & { name?: string } };
        if (ofMigrations.includes(property.name ?? '')) cuts.push(cut(source, { start: object.end, end }));
      }
      const name = callee.type === 'Identifier' ? callee.name : '';
      if (first === undefined) return;
      if (name === 'endpoint' && first.type === 'ObjectExpression') cuts.push(...contractCuts(source, first));
      if (name === 'sqliteTable' && second !== undefined && third !== undefined)
        cuts.push(cut(source, { start: second.end, end: third.end }));
      if (name !== 'described' && name !== 'describedAs') return;
      cuts.push(cut(source, { start, end: first.start }, '('), cut(source, { start: first.end, end }, ')'));
    },
    TaggedTemplateExpression({ tag, quasi, start, end }) {
      if (tag.type === 'Identifier' && tag.name === 'sql')
        cuts.push(...inOneLine(source, { type: '', start, end }, quasi.quasis));
    },
    ObjectExpression(node) {
      if (isContract(node)) cuts.push(...contractCuts(source, node));
    },
  }).visit(parseSync('source.ts', source).program);
  return without(source, cuts);
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
