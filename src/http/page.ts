import * as z from 'zod/mini';
import { once } from '../endpoint/once.ts';
import { decodeCursor, encodeCursor, nextLink } from './cursor.ts';

export const defaultLimit = 50;

interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

const namePosition = once(() => z.tuple([z.string(), z.string()]));

/** Where a list by name goes on, and how many rows to read: one more than shown tells whether more follow. */
export const namePage = ({ limit = defaultLimit, cursor }: PageQuery) => {
  const [afterName, afterId] = cursor === undefined ? ['', ''] : decodeCursor(cursor, namePosition);
  return { afterName, afterId, limit: limit + 1 };
};

/** Cuts the rows read for a page to what is shown, with the cursor and the link of the next one. */
export const pageOf = <R>(
  rows: readonly R[],
  path: string,
  query: PageQuery,
  positionOf: (row: R) => readonly (string | number)[],
) => {
  const { limit = defaultLimit } = query;
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const next_cursor = last === undefined ? null : encodeCursor(positionOf(last));
  return { shown, meta: { next_cursor }, headers: nextLink(path, { ...query }, next_cursor) };
};
