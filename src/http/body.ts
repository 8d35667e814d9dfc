import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Failure } from '../errors.ts';
import type { AppEnv } from './context.ts';

export const maxBodyBytes = 65_536;

const jsonMediaType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;

export const limitBody: MiddlewareHandler<AppEnv> = bodyLimit({
  maxSize: maxBodyBytes,
  onError: () => {
    throw new Failure('payload_too_large');
  },
});

const decode = (bytes: ArrayBuffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure('unsupported_media_type');
  }
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * Reads the body once and refuses what is not JSON in UTF-8. Broken JSON is only noted here, since the token, the
 * role and the ownership are answered for first. An empty body counts as `{}` where every field is optional.
 */
export const readBody =
  (optional: boolean): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const text = decode(await c.req.arrayBuffer());
    const contentType = c.req.header('Content-Type') ?? '';
    if (text !== '' && !jsonMediaType.test(contentType.trim())) throw new Failure('unsupported_media_type');
    const isMalformed = text === '' ? !optional : !isJson(text);
    c.set('malformedJson', isMalformed);
    const json = text === '' || isMalformed ? '{}' : text;
    // Hono types the cache by value, yet fills it with promises.
    c.req.bodyCache = { text: Promise.resolve(json) as unknown as string };
    return next();
  };
