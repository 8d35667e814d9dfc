import * as z from 'zod/mini';
import { onOff, parseSettings, sharedSettings, type ValuesOf, wholeNumber } from '../config.ts';

const settings = {
  PORT: { accepts: 'a port from 0 to 65535', shape: () => wholeNumber(0, 65_535), otherwise: '8787' },
  HOST: {
    accepts: 'an address to listen on',
    shape: () => z.string().check(z.regex(/^[\w.:-]+$/)),
    otherwise: '127.0.0.1',
  },
  DATABASE_URL: {
    accepts: 'file:PATH or libsql://HOST',
    shape: () =>
      z.string().check(
        z.regex(/^(file:.+|(libsql|https?|wss?):\/\/.+)$/),
        z.refine((text) => text.startsWith('file:') || URL.canParse(text)),
      ),
    otherwise: 'file:data/janji.db',
  },
  DATABASE_AUTH_TOKEN: {
    accepts: 'the token of the remote database',
    shape: () => z.string(),
    otherwise: undefined,
  },
  // A name that only looks like production would bring the demo clinic and a secret of its own making.
  NODE_ENV: {
    accepts: 'production, development or test',
    shape: () => z.enum(['production', 'development', 'test']),
    otherwise: 'development',
  },
  DEMO: { accepts: 'on or off', shape: onOff, otherwise: undefined },
  METRICS_TOKEN: {
    accepts: 'a token of at least 16 visible characters',
    shape: () => z.string().check(z.regex(/^[\x21-\x7e]{16,}$/)),
    otherwise: undefined,
  },
  SMTP_URL: {
    accepts: 'smtp://HOST or smtps://USER:PASSWORD@HOST',
    shape: () =>
      z.string().check(
        z.regex(/^smtps?:\/\/.+$/),
        z.refine((text) => URL.canParse(text)),
      ),
    otherwise: undefined,
  },
  TRUST_PROXY: { accepts: 'on or off', shape: onOff, otherwise: 'off' },
} as const;

export type NodeSettings = ValuesOf<typeof settings>;

const all = { ...sharedSettings, ...settings };

export type AllSettings = ValuesOf<typeof all>;

/** Every setting of a service on Node, so that all that are wrong are named at once. */
export const parseAllSettings = (source: NodeJS.ProcessEnv): AllSettings => parseSettings(all, source);

/** The settings that only the Node side has. */
export const parseNodeSettings = (source: Readonly<Record<string, unknown>>): NodeSettings =>
  parseSettings(settings, source);

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
