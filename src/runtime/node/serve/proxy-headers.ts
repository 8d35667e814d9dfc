import type { IncomingHttpHeaders } from 'node:http';

/** Headers that proxies, tunnels and CDNs add to the requests that they forward. */
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

/** Whether a proxy forwarded the request, judged by its headers. */
export const cameByProxy = (headers: IncomingHttpHeaders): boolean =>
  proxyHeaders.some((name) => headers[name] !== undefined);
