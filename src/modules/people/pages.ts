import * as z from 'zod/mini';
import type { Deps } from '../../core/deps.ts';
import type { Role } from '../../core/endpoint/endpoint.ts';
import { once } from '../../core/endpoint/once.ts';
import { buildPage, pageStart } from '../../core/http/page.ts';
import { soughtIn } from '../../core/search/rules.ts';
import { findPeople, type PersonRow, searchPeople } from './queries.ts';

interface Query {
  limit?: number | undefined;
  cursor?: string | undefined;
  q?: string | undefined;
  role?: Role | undefined;
}

const namePosition = once(() => z.tuple([z.string(), z.string(), z.string()]));
const wordPosition = once(() => z.tuple([z.string(), z.string()]));
const pastEveryRole = '~';

/** Reads one page of people: all of them by role and name, or only those whom `q` finds. */
export const peopleRead = ({ db }: Deps, query: Query) => {
  const { q, role } = query;
  if (q === undefined) {
    const { position, limit } = pageStart(query, namePosition, [role ?? '', '', '']);
    const [afterRole, afterName, afterId] = position;
    const roles = { firstRole: role ?? '', lastRole: role ?? pastEveryRole };
    return findPeople(db, { afterRole, afterName, afterId, ...roles, limit });
  }
  const { position, limit } = pageStart(query, wordPosition, ['', '']);
  const [afterWord, afterId] = position;
  return searchPeople(db, { ...soughtIn(q), role: role ?? null, afterWord, afterId, limit });
};

type Row = PersonRow & { word?: string };

export const peoplePage = <V>(
  rows: readonly Row[],
  path: string,
  query: Query,
  view: (row: PersonRow) => V,
) => {
  const { shown, ...page } = buildPage(rows, path, { ...query }, (row) =>
    row.word === undefined ? [row.role, row.name, row.id] : [row.word, row.id],
  );
  return { status: 200 as const, data: shown.map(view), ...page };
};
