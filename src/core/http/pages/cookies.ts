import { generateCookie } from 'hono/cookie';
import { parse } from 'hono/utils/cookie';

/**
 * A cookie that is sent only to this host's own pages and that no script can read; its name has the prefix `__Host-`.
 */
export const hostCookie = (name: string, value: string, maxAge?: number): string =>
  generateCookie(name, value, {
    prefix: 'host',
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'Strict',
    ...(maxAge !== undefined && { maxAge }),
  });

export const hostCookieIn = (header: string | undefined, name: string): string | undefined =>
  header === undefined ? undefined : parse(header, `__Host-${name}`)[`__Host-${name}`];
