import { Failure } from '../../endpoint/errors.ts';

type HeaderOf = (name: string) => string | undefined;

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);

/**
 * Throws `cross_site` unless a page of our own made the request: browsers send cookies by themselves, so an endpoint
 * that reads or sets one must check this. Browsers without Fetch Metadata send their Origin, whose host must be the
 * requested host; its scheme is not compared, since a proxy may end TLS.
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
