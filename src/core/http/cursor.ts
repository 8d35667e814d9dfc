import { fromBase64Url, toBase64Url } from '../crypto/base64url.ts';
import { Failure } from '../endpoint/errors.ts';
import type { LazyShape, OutputOf } from '../endpoint/lazy-shape.ts';

/** An opaque cursor of the position after which a list continues. */
export const encodeCursor = (position: readonly (string | number)[]): string =>
  toBase64Url(new TextEncoder().encode(JSON.stringify(position)));

export const invalidCursor = (): Failure =>
  new Failure('invalid_query', { issues: [{ path: 'cursor', rule: 'invalid' }] });

/** The position of a cursor; throws `invalid_query` unless it has the list's shape. */
export const decodeCursor = <L extends LazyShape>(cursor: string, shape: L): OutputOf<L> => {
  try {
    return shape().parse(JSON.parse(new TextDecoder('utf-8').decode(fromBase64Url(cursor)))) as OutputOf<L>;
  } catch {
    throw invalidCursor();
  }
};

/** The `Link` header to the next page (RFC 8288), relative to the request's own path. */
export const nextLink = (path: string, query: Readonly<Record<string, unknown>>, cursor: string | null) => {
  if (cursor === null) return {};
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const next = new URLSearchParams([...given.map(([name, value]) => [name, String(value)])]);
  next.set('cursor', cursor);
  return { Link: `<${path}?${next}>; rel="next"` };
};
