import { Failure } from '../../endpoint/errors.ts';

type HeaderOf = (name: string) => string | undefined;

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);

/**
 * Throws `cross_site` unless a page of our own made the request: a cookie comes along by itself, so what reads or sets one
 * has to ask. Browsers without Fetch Metadata tell their Origin, whose host has to be the one that was asked: its scheme is
 * not compared, since a proxy may end TLS.
 */
export const assertSameOrigin = (header: HeaderOf): void => {
  const site = header('Sec-Fetch-Site');
  const host = header('Host');
  const isOwn =
    site === undefined
      ? host !== undefined && hostOf(header('Origin') ?? '') === host.toLowerCase()
      : site === 'same-origin';
  if (!isOwn) throw new Failure('cross_site');
};
