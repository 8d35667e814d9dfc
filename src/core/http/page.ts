import * as z from 'zod/mini';
import type { LazyShape, OutputOf } from '../endpoint/lazy-shape.ts';
import { once } from '../endpoint/once.ts';
import { decodeCursor, encodeCursor, nextLink } from './cursor.ts';

export const defaultLimit = 50;

export interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

const namePosition = once(() => z.tuple([z.string(), z.string()]));

/**
 * The position after which a page starts (`first` without a cursor), and how many rows to read: one more than is shown,
 * to see whether another page follows.
 */
export const pageStart = <L extends LazyShape>(
  { limit = defaultLimit, cursor }: PageQuery,
  shape: L,
  first: OutputOf<L>,
) => ({ position: cursor === undefined ? first : decodeCursor(cursor, shape), limit: limit + 1 });

/** The start of a page of a list by name. */
export const namePage = (query: PageQuery) => {
  const { position, limit } = pageStart(query, namePosition, ['', '']);
  const [afterName, afterId] = position;
  return { afterName, afterId, limit };
};

/** The rows that a page shows, with the cursor of the next page and the link to it. */
export const buildPage = <R>(
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
