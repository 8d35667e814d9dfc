// Pure: how one surface differs from the one before, and which differences break a client.

import type { Fact, Surface } from './surface.ts';

export interface Change {
  operation: string;
  /** In the words of the changelog. */
  what: string;
  kind: 'added' | 'changed' | 'deprecated' | 'removed';
  isBreaking: boolean;
}

type Found = readonly [what: string, isBreaking: boolean];

const listed = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');
const without = (words: readonly string[], others: readonly string[]) =>
  words.filter((word) => !others.includes(word));

const tightened = (name: string, before: string | undefined, after: string | undefined): boolean => {
  if (after === undefined || after === before) return false;
  if (name === 'pattern' || before === undefined) return true;
  return name.startsWith('max') ? Number(after) < Number(before) : Number(after) > Number(before);
};

/** What a client sends: it must stay good. */
const requestChanges = (before: Fact, after: Fact, name: string): Found[] => {
  const types = without(before.types, after.types);
  const values = after.values === null ? [] : without(before.values ?? ['any value'], after.values);
  const more = before.values === null ? [] : without(after.values ?? ['any value'], before.values);
  const limits = Object.keys(after.limits).filter((limit) =>
    tightened(limit, before.limits[limit], after.limits[limit]),
  );
  return [
    ...(after.isRequired && !before.isRequired ? [[`requires ${name}`, true] as const] : []),
    ...(before.isRequired && !after.isRequired ? [[`no longer requires ${name}`, false] as const] : []),
    ...(types.length > 0 ? [[`${name} no longer takes ${listed(types)}`, true] as const] : []),
    ...(values.length > 0 ? [[`${name} no longer takes ${listed(values)}`, true] as const] : []),
    ...(more.length > 0 ? [[`${name} also takes ${listed(more)}`, false] as const] : []),
    ...limits.map((limit) => [`${name} has a stricter \`${limit}\`: ${after.limits[limit]}`, true] as const),
  ];
};

/** What a client reads: it must stay there, and stay what it was. Further values of a word may come. */
const answerChanges = (before: Fact, after: Fact, name: string): Found[] => {
  const types = without(after.types, before.types);
  const more = after.values === null || before.values === null ? [] : without(after.values, before.values);
  return [
    ...(before.isRequired && !after.isRequired ? [[`may leave out ${name}`, true] as const] : []),
    ...(types.length > 0 ? [[`${name} may be ${listed(types)}`, true] as const] : []),
    ...(more.length > 0 ? [[`${name} has further values: ${listed(more)}`, false] as const] : []),
  ];
};

const parse = (at: string) => {
  const [, operation = '', side = '', path = ''] = /^(\S+ \S+) ([<>!]) (.*)$/.exec(at) ?? [];
  return { operation, side, path };
};

const nameOf = (side: string, path: string): string =>
  `\`${side === '>' ? path.replace(/^(body|query|path|header)\./, '') : path.replace(/^\d+ body\./, '')}\``;

const parentOf = (at: string): string => at.replace(/(\.[^.[\]]+|\[\])$/, '');

/** All differences, by operation. `today` decides whether an announced end has come. */
export const compareSurfaces = (before: Surface, after: Surface, today: string): Change[] => {
  const changes: Change[] = [];
  const add = (operation: string, kind: Change['kind'], what: string, isBreaking = false) =>
    changes.push({ operation, kind, what, isBreaking });

  for (const [operation, about] of after.operations)
    if (!before.operations.has(operation)) add(operation, 'added', about.get('summary') ?? '');
  for (const [operation, was] of before.operations) {
    const is = after.operations.get(operation);
    const sunset = was.get('sunset');
    if (is === undefined) {
      add(operation, 'removed', was.get('summary') ?? '', sunset === undefined || sunset > today);
      continue;
    }
    const ends = is.get('sunset');
    if (ends !== undefined && ends !== sunset)
      add(operation, 'deprecated', `ends on ${ends}`, sunset !== undefined && ends < sunset);
    if (was.has('open') && !is.has('open')) add(operation, 'changed', 'needs a login', true);
    const lost = without((was.get('scope') ?? '').split(' '), (is.get('scope') ?? '').split(' ')).filter(
      Boolean,
    );
    if (lost.length > 0) add(operation, 'changed', `no longer with the scope ${listed(lost)}`, true);
  }

  const isNew = (operation: string): boolean => !before.operations.has(operation);
  for (const [at, fact] of after.facts) {
    const { operation, side, path } = parse(at);
    const was = before.facts.get(at);
    if (isNew(operation)) continue;
    const name = nameOf(side, path);
    if (was === undefined) {
      // Of a whole that is new, only the whole is said.
      if (
        side !== '!' &&
        !before.facts.has(parentOf(at)) &&
        parentOf(at) !== at &&
        after.facts.has(parentOf(at))
      )
        continue;
      if (side === '!') add(operation, 'changed', `may fail with \`${path.split(' ')[1]}\``);
      else if (side === '<') add(operation, 'changed', `answers ${name}`);
      else add(operation, 'changed', `${fact.isRequired ? 'requires' : 'takes'} ${name}`, fact.isRequired);
      continue;
    }
    const found =
      side === '>' ? requestChanges(was, fact, name) : side === '<' ? answerChanges(was, fact, name) : [];
    for (const [what, isBreaking] of found) add(operation, 'changed', what, isBreaking);
  }
  for (const at of before.facts.keys()) {
    const { operation, side, path } = parse(at);
    if (after.facts.has(at) || !after.operations.has(operation)) continue;
    if (!after.facts.has(parentOf(at)) && parentOf(at) !== at && before.facts.has(parentOf(at))) continue;
    const name = nameOf(side, path);
    if (side === '!') add(operation, 'changed', `no longer fails with \`${path.split(' ')[1]}\``);
    else add(operation, 'changed', `${side === '>' ? 'no longer takes' : 'no longer answers'} ${name}`, true);
  }
  return changes;
};

const titles = { added: 'Added', changed: 'Changed', deprecated: 'Deprecated', removed: 'Removed' } as const;

/** The changelog by operation, as Markdown. */
export const changelog = (changes: readonly Change[]): string =>
  (Object.keys(titles) as Change['kind'][])
    .flatMap((kind) => {
      const of = changes.filter((change) => change.kind === kind);
      const operations = [...new Set(of.map(({ operation }) => operation))].sort();
      if (operations.length === 0) return [];
      const lines = operations.map((operation) => {
        const said = [...new Set(of.filter((one) => one.operation === operation).map(({ what }) => what))];
        return `- \`${operation}\`: ${said.join('; ')}`;
      });
      return [`### ${titles[kind]}`, '', ...lines, ''];
    })
    .join('\n');
