import type { Deprecation } from '../endpoint/endpoint.ts';

/**
 * The headers of an operation that will end: since when it is deprecated, as a structured date (RFC 9745), when it ends,
 * as an HTTP date (RFC 8594), and where both are explained.
 */
export const deprecationHeaders = ({ since, ends }: Deprecation): Record<string, string> => ({
  Deprecation: `@${Date.parse(since) / 1000}`,
  Sunset: new Date(ends).toUTCString(),
  Link: '</docs>; rel="deprecation"; type="text/html"',
});
