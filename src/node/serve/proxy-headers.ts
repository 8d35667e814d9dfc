import type { IncomingHttpHeaders } from 'node:http';

/** What proxies, tunnels and content networks add to the requests that they hand on. */
export const proxyHeaders = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-original-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'forwarded',
  'via',
  'cf-connecting-ip',
  'cf-ray',
  'cdn-loop',
  'true-client-ip',
  'fly-client-ip',
  'fastly-client-ip',
] as const;

/** Whether a request was handed on by a proxy, wherever its socket comes from. */
export const cameByProxy = (headers: IncomingHttpHeaders): boolean =>
  proxyHeaders.some((name) => headers[name] !== undefined);
