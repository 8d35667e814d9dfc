import * as z from 'zod/mini';
import { sharedSettings, withOwnPages, withWholePartners } from '../../core/settings/config.ts';
import { parseSettings, type ValuesOf } from '../../core/settings/parse-settings.ts';
import { counted, key, keyWords, onOff, optional, wholeNumber } from '../../core/settings/shapes.ts';

const maxHops = 10;
const hopWords = { off: '0', on: '1' } as const;
const isHopWord = (text: string): text is keyof typeof hopWords => text in hopWords;

/** How many proxies are trusted: 0 for none. */
const trustedHops = () =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text: string) => (isHopWord(text) ? hopWords[text] : text)),
    ),
    wholeNumber(0, maxHops),
  );

const maxBackupHours = 744;

/** Hours as a number, from `12`, `12h` or `2d`. */
const hoursOrDays = () =>
  z.pipe(
    z.pipe(
      z.string().check(z.regex(/^\d{1,3}[hd]?$/)),
      z.transform((text: string) => Number.parseInt(text, 10) * (text.endsWith('d') ? 24 : 1)),
    ),
    z.int().check(z.minimum(1), z.maximum(maxBackupHours)),
  );

const databaseAddress = () =>
  z.string().check(
    z.regex(/^(file:.+|(libsql|https?|wss?):\/\/.+)$/),
    z.refine((text) => text.startsWith('file:') || URL.canParse(text)),
  );

const settings = {
  PORT: counted('a port', 0, 65_535, '8787'),
  HOST: {
    accepts: 'an address to listen on',
    shape: () => z.string().check(z.regex(/^[\w.:-]+$/)),
    otherwise: '127.0.0.1',
  },
  DATABASE_URL: {
    accepts: 'file:PATH or libsql://HOST',
    shape: databaseAddress,
    otherwise: 'file:data/janji.db',
  },
  DATABASE_AUTH_TOKEN: optional('the token of the remote database', () => z.string()),
  ARCHIVE_DATABASE_URL: optional(
    'file:PATH or libsql://HOST, another one than DATABASE_URL',
    databaseAddress,
  ),
  SANDBOX_DATABASE_URL: optional(
    'file:PATH or libsql://HOST, another one than DATABASE_URL',
    databaseAddress,
  ),
  DATABASE_KEY: optional(keyWords, key),
  DATABASE_KEY_PREVIOUS: { accepts: `the key before, of ${keyWords}`, shape: key, otherwise: undefined },
  BACKUP_RECIPIENT: optional('the recipient of age-keygen (age1…)', () =>
    z.string().check(z.regex(/^age1[a-z\d]{20,5000}$/)),
  ),
  BACKUP_IDENTITY_FILE: optional('the path of a file of age-keygen', () => z.string()),
  BACKUP_FOLDER: optional('the path of a folder for the backups of the service', () => z.string()),
  BACKUP_EVERY: {
    accepts: 'hours from 1 to 744, or days such as 7d',
    shape: hoursOrDays,
    otherwise: '24',
  },
  BACKUP_KEEP: counted('a number', 1, 1_000, '14'),
  CLINICS: optional('files, to serve many clinics from a folder of databases', () => z.enum(['files'])),
  CLINICS_FOLDER: {
    accepts: 'the path of the folder with the directory and the databases of the clinics',
    shape: () => z.string(),
    otherwise: 'data/clinics',
  },
  CLINICS_OPEN: {
    accepts: 'how many clinics may be open at once, from 1 to 100000',
    shape: () => wholeNumber(1, 100_000),
    otherwise: '200',
  },
  CLINICS_METRICS: {
    accepts: 'how many clinics have metrics of their own, from 0 to 1000',
    shape: () => wholeNumber(0, 1_000),
    otherwise: '20',
  },
  CLINICS_DIRECTORY: optional(
    'libsql://HOST or file:PATH, where several machines serve the clinics together',
    databaseAddress,
  ),
  CLINICS_DIRECTORY_TOKEN: optional('the token of the directory', () => z.string()),
  CLINICS_ADDRESS: optional('where the other machines reach this one, such as http://10.0.0.1:8787', () =>
    z.string().check(
      z.regex(/^https?:\/\/[^/?#@]+\/?$/),
      z.refine((text) => URL.canParse(text)),
    ),
  ),
  CLINICS_LEASE: {
    accepts: 'seconds from 2 to 300, after which another machine takes the clinics of one that is gone',
    shape: () => wholeNumber(2, 300),
    otherwise: '15',
  },
  SIGNUP: {
    accepts: 'on, to let clinics ask to be added, or off',
    shape: onOff,
    otherwise: 'off',
  },
  OPERATOR_SECRET: optional('a secret of at least 32 visible characters', () =>
    z.string().check(z.regex(/^[\x21-\x7e]{32,}$/)),
  ),
  // A misspelt `production` would start the demo clinic with a generated secret.
  NODE_ENV: {
    accepts: 'production, development or test',
    shape: () => z.enum(['production', 'development', 'test']),
    otherwise: 'development',
  },
  DEMO: optional('on or off', onOff),
  METRICS_TOKEN: optional('a token of at least 16 visible characters', () =>
    z.string().check(z.regex(/^[\x21-\x7e]{16,}$/)),
  ),
  QUEUE_TARGET_MS: {
    accepts: 'milliseconds from 1 to 10000, or 0 to refuse nothing',
    shape: () => wholeNumber(0, 10_000),
    otherwise: '25',
  },
  SMTP_URL: optional('smtp://HOST or smtps://USER:PASSWORD@HOST', () =>
    z.string().check(
      z.regex(/^smtps?:\/\/.+$/),
      z.refine((text) => URL.canParse(text)),
    ),
  ),
  TRUST_PROXY: {
    accepts: 'off, or how many proxies of yours a request passes, from 1 to 10 (on is 1)',
    shape: trustedHops,
    otherwise: 'off',
  },
} as const;

export type NodeSettings = ValuesOf<typeof settings>;

const all = { ...sharedSettings, ...settings };

export type AllSettings = ValuesOf<typeof all>;

export const settingNames: readonly string[] = Object.keys(all);

/** Every setting of a service on Node, in one schema, so that all wrong settings are reported at once. */
export const parseAllSettings = (source: NodeJS.ProcessEnv): AllSettings =>
  withOwnPages(withWholePartners(parseSettings(all, source)));

export const parseNodeSettings = (source: Readonly<Record<string, unknown>>): NodeSettings =>
  parseSettings(settings, source);

/** Whether other machines may reach the service, directly or through a proxy. */
export const isOpenToOthers = ({ NODE_ENV, HOST, TRUST_PROXY }: NodeSettings): boolean =>
  NODE_ENV === 'production' || !isLoopback(HOST) || TRUST_PROXY > 0;

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
