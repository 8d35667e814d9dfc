import type { KeptAnswer, PublicCache } from '../kept-answers.ts';
import { sameTag } from './etag.ts';
import { requestIdForm } from './observed.ts';

// Public reads that are kept for some seconds, where the clinic allows it. What is kept may be stale for so long; a booking
// never reads it, and decides by what is true then.

/** How old a kept answer may be, in milliseconds. */
const keptMs = 5_000;
/** What a shared cache may do with them. */
const caching = 'public, s-maxage=5, stale-while-revalidate=10';
const keptPaths = /^\/v1\/(doctors(\/[\w-]+(\/(slots|queue))?)?|sessions|slots|queues)$/;

const mostKept = 1_000;

/** Keeps answers in memory until the clinic's own writes change `mark`, which is another value after each. */
export const createKeptAnswers = (clock: () => number, mark: () => unknown): PublicCache => {
  const kept = new Map<string, { mark: unknown; answer: KeptAnswer }>();
  return {
    find: (key) => {
      const found = kept.get(key);
      if (found === undefined) return null;
      const { answer } = found;
      if (found.mark === mark() && clock() - answer.madeAt < keptMs) return answer;
      kept.delete(key);
      return null;
    },
    begin: (key) => {
      // A write while it is computed may or may not be in it.
      const before = mark();
      return (answer) => {
        kept.set(key, { mark: before, answer });
        if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? '');
      };
    },
    variesBy: ['Origin', 'Accept-Encoding'],
  };
};

/** The part of the platform's cache that is used here. */
interface Platform {
  match(key: string): Promise<Response | undefined>;
  put(key: string, answer: Response): Promise<void>;
}

const madeAtHeader = 'X-Made-At';

/** Keeps answers in the cache of the platform, where the request arrived. */
export const createPlatformCache = (clock: () => number, open: () => Platform): PublicCache => ({
  find: async (key) => {
    const found = await open().match(key);
    const madeAt = Number(found?.headers.get(madeAtHeader));
    if (found === undefined || !(clock() - madeAt < keptMs)) return null;
    const headers = [...found.headers].filter(([name]) => name !== madeAtHeader.toLowerCase());
    return { headers: headers as [string, string][], body: await found.arrayBuffer(), madeAt };
  },
  begin:
    (key) =>
    ({ headers, body, madeAt }) =>
      open().put(key, new Response(body, { headers: [...headers, [madeAtHeader, String(madeAt)]] })),
  variesBy: ['Origin'],
});

/** Whether a request is nobody's in particular, for a read that may be kept. */
const mayBeKept = ({ method, url, headers }: Request): boolean =>
  method === 'GET' &&
  keptPaths.test(new URL(url).pathname) &&
  !headers.has('Authorization') &&
  !headers.has('Cookie') &&
  !/no-cache|no-store/.test(headers.get('Cache-Control') ?? '');

/** An address that no other request has: what is asked for and these headers as one text, as a query could spell each of them. */
const buildKey = (request: Request, variesBy: readonly string[]): string => {
  const { origin, pathname, search } = new URL(request.url);
  const parts = [search, ...variesBy.map((name) => request.headers.get(name))];
  return `${origin}${pathname}?${encodeURIComponent(JSON.stringify(parts))}`;
};

const readRequestId = (request: Request): string => {
  const given = request.headers.get('X-Request-Id');
  return given !== null && requestIdForm.test(given) ? given : crypto.randomUUID();
};

const answerKept = (request: Request, { headers: kept, body, madeAt }: KeptAnswer, now: number): Response => {
  const headers = new Headers(kept);
  headers.set('X-Request-Id', readRequestId(request));
  headers.set('Age', String(Math.max(0, Math.floor((now - madeAt) / 1000))));
  const known = request.headers.get('If-None-Match');
  const tag = headers.get('ETag');
  const isKnown = known !== null && tag !== null && sameTag(known, tag);
  if (isKnown) headers.delete('Content-Type');
  return new Response(isKnown ? null : body, { status: isKnown ? 304 : 200, headers });
};

type Fetch<A extends unknown[]> = (request: Request, ...more: A) => Response | Promise<Response>;

/** Answers public reads by what is kept, for a clinic that allows it; a request with credentials never meets it. */
export const withPublicCache =
  <A extends unknown[]>(
    fetch: Fetch<A>,
    {
      cache,
      clock,
      background,
    }: {
      cache: PublicCache;
      clock: () => number;
      background: (work: Promise<unknown>) => void;
    },
  ): Fetch<A> =>
  async (request, ...more) => {
    if (!mayBeKept(request)) return fetch(request, ...more);
    const key = buildKey(request, cache.variesBy);
    const found = await cache.find(key);
    if (found !== null) return answerKept(request, found, clock());
    const keep = cache.begin(key);
    const answer = await fetch(request, ...more);
    if (!answer.headers.get('Cache-Control')?.startsWith('public')) return answer;
    const headers = new Headers(answer.headers);
    headers.set('Cache-Control', caching);
    if (answer.status !== 200) return new Response(answer.body, { status: answer.status, headers });
    const body = await answer.arrayBuffer();
    const kept = keep({ headers: [...headers] as [string, string][], body, madeAt: clock() });
    if (kept !== undefined) background(kept);
    return new Response(body, { status: 200, headers });
  };
