import type { Deps } from '../core/deps.ts';
import type { Endpoint } from '../core/endpoint/endpoint.ts';
import type { Answer } from '../core/http/respond.ts';
import { openCursor, signCursor } from '../core/http/signed-cursor.ts';

interface WithCursor {
  cursor: string;
}

/** Whether a list goes on by cursors. */
export const isPaged = ({ query }: Endpoint): boolean => query !== undefined && 'cursor' in query().shape;

/** Whether a validated query names a cursor. */
export const hasCursor = (query: object | undefined): query is WithCursor =>
  (query as Partial<WithCursor> | undefined)?.cursor !== undefined;

/** The query with its cursor as the list made it; throws `invalid_query` unless this clinic made it for this list. */
export const withOpenedCursor = async (
  { tokenKeys }: Deps,
  { path }: Endpoint,
  query: WithCursor,
): Promise<object> => ({ ...query, cursor: await openCursor(tokenKeys, path, query.cursor) });

const linked = /(?<=[?&]cursor=)[\w-]+/;

const sign = async <A extends Answer>(
  { tokenKeys }: Deps,
  { path }: Endpoint,
  answer: A,
  link: string,
  cursor: string,
): Promise<A> => {
  const signed = await signCursor(tokenKeys, path, cursor);
  const { meta, headers } = answer;
  return {
    ...answer,
    headers: { ...headers, Link: link.replace(linked, signed) },
    // A table has the link alone.
    ...(meta !== undefined && { meta: { ...(meta as object), next_cursor: signed } }),
  };
};

/** An answer that is sent: where another page follows, its cursor is signed. */
export const withSignedCursor = <A extends Answer>(
  deps: Deps,
  endpoint: Endpoint,
  answer: A,
): A | Promise<A> => {
  const link = answer.headers?.Link;
  const cursor = link === undefined ? undefined : linked.exec(link)?.[0];
  return link === undefined || cursor === undefined ? answer : sign(deps, endpoint, answer, link, cursor);
};
