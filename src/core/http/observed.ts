import type { Context } from 'hono';
import type { Compress, Deps } from '../deps.ts';
import type { Logger } from '../log.ts';
import type { AnsweredRequest } from '../metrics.ts';
import type { AppEnv, Arrival } from './context.ts';
import type { Format } from './format.ts';
import { preferredLanguage } from './language.ts';

/** Answers one request. */
type Handle = (c: Context<AppEnv>) => Response | Promise<Response>;

/** Makes a handle that is observed; the route is its pattern, as the metrics and the log name it. */
export type Observe = (
  route: string,
  handle: Handle,
  format?: Format,
  headers?: Record<string, string>,
) => Handle;

/** The route of a request that none matches. */
export const unmatched = 'none';

/** Adds an observed handler to a route; `headers` are those of each of its answers. */
export type Serve = (
  method: string,
  path: string,
  handle: Handle,
  format?: Format,
  headers?: Record<string, string>,
) => void;

const countDigits = 12;

/**
 * Makes request ids, as UUIDs of version 8 (RFC 9562, 5.8): a random prefix drawn once, and a counter as the last
 * field. A random id for each request would cost more than all other work before the request is read.
 */
const requestIds = (): (() => string) => {
  let drawn: string | undefined;
  let count = 0;
  return () => {
    // A Worker may draw nothing before its first request.
    drawn ??= crypto
      .randomUUID()
      .slice(0, -countDigits)
      .replace(/-4(?=...-)/, '-8');
    count += 1;
    return drawn + count.toString(16).padStart(countDigits, '0');
  };
};

const newRequestId = requestIds();
/** A request id of the client that is used unchanged. */
export const requestIdForm = /^[\w-]{8,128}$/;

export type ObservedBy = Pick<Deps, 'config' | 'metrics' | 'log' | 'compress'>;

const logRequest = (log: Logger, { requestId, seconds, ...answered }: AnsweredRequest): void =>
  log.info('request', { ...answered, ms: Math.round(seconds * 1e5) / 100, request_id: requestId });

/** Gives a request its id, the one it came with if that is well-formed, and its language. */
export const introduce = (c: Context<AppEnv>, compress?: Compress, format?: Format): Arrival => {
  const given = c.req.header('x-request-id');
  const requestId = given !== undefined && requestIdForm.test(given) ? given : newRequestId();
  const arrival = { requestId, language: format?.language ?? preferredLanguage(c), compress, format };
  c.set('arrival', arrival);
  return arrival;
};

/**
 * Gives each request its id and its language, answers errors, and records each answer in the metrics and the log. It
 * wraps handlers, since Hono calls a single handler without a chain of middleware. Builds no log line that the log's
 * level would drop.
 */
export const observer =
  (
    observedBy: (c: Context<AppEnv>) => ObservedBy,
    failed: (error: unknown, c: Context<AppEnv>) => Response,
  ): Observe =>
  (route, handle, format, headers) =>
  async (c) => {
    const began = performance.now();
    const { config, metrics, log, compress } = observedBy(c);
    const { requestId } = introduce(c, compress, format);
    let response: Response;
    try {
      response = await handle(c);
    } catch (error) {
      response = failed(error, c);
    }
    if (headers !== undefined)
      for (const [name, value] of Object.entries(headers)) response.headers.append(name, value);
    const { status } = response;
    const { method } = c.req;
    // `c.var` would copy all of them.
    const code = c.get('failure') ?? 'ok';
    const seconds = (performance.now() - began) / 1000;
    const answered = { method, route, status, code, seconds, requestId };
    metrics.request(answered);
    if (config.LOG_LEVEL === 'info' || config.LOG_LEVEL === 'debug') logRequest(log, answered);
    return response;
  };
