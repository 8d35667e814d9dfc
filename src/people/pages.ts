import * as z from 'zod/mini';
import type { Deps } from '../deps.ts';
import type { Role } from '../endpoint/endpoint.ts';
import { once } from '../endpoint/once.ts';
import { decodeCursor } from '../http/cursor.ts';
import { defaultLimit, pageOf } from '../http/page.ts';
import { wordEnd } from '../search/queries.ts';
import { termsOf } from '../search/rules.ts';
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
export const peopleRead = ({ db }: Deps, { limit = defaultLimit, cursor, q, role }: Query) => {
  if (q === undefined) {
    const [afterRole, afterName, afterId] =
      cursor === undefined ? [role ?? '', '', ''] : decodeCursor(cursor, namePosition);
    const roles = { firstRole: role ?? '', lastRole: role ?? pastEveryRole };
    return findPeople(db, { afterRole, afterName, afterId, ...roles, limit: limit + 1 });
  }
  const terms = termsOf(q);
  const [term = ''] = terms;
  const [afterWord, afterId] = cursor === undefined ? ['', ''] : decodeCursor(cursor, wordPosition);
  const wanted = { term, termEnd: term + wordEnd, terms: JSON.stringify(terms), role: role ?? null };
  return searchPeople(db, { ...wanted, afterWord, afterId, limit: limit + 1 });
};

type Row = PersonRow & { word?: string };

export const peoplePage = <V>(
  rows: readonly Row[],
  path: string,
  query: Query,
  view: (row: PersonRow) => V,
) => {
  const { shown, ...page } = pageOf(rows, path, { ...query }, (row) =>
    row.word === undefined ? [row.role, row.name, row.id] : [row.word, row.id],
  );
  return { status: 200 as const, data: shown.map(view), ...page };
};
