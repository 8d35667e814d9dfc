import * as z from 'zod/mini';
import { shortestHorizonDays } from '../archive/rules.ts';
import { isGateway, isPage, maxReminderHours, quietHours } from '../clinic/notice-settings.ts';
import { isTimeZone } from '../clinic/time.ts';
import { keyPattern, keyText } from '../crypto/key-text.ts';
import { roles } from '../endpoint/roles.ts';
import type { ExchangeTarget } from '../tables/words.ts';
import { parseSettings, SettingError, type ValuesOf } from './parse-settings.ts';

/** A whole number as the environment writes it, within bounds. */
export const wholeNumber = (min: number, max: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number)),
    z.int().check(z.minimum(min), z.maximum(max)),
  );

const listed = () =>
  z.pipe(
    z.string(),
    z.transform((list: string) =>
      list
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    ),
  );

const roleList = () => z.pipe(listed(), z.array(z.enum(roles)));

export const onOff = () => z.enum(['on', 'off']);

const secret = () => z.string().check(z.refine((text) => new TextEncoder().encode(text).length >= 32));

/** 32 bytes in base64, base64url or hex; read as base64url. */
export const key = () => z.pipe(z.string().check(z.regex(keyPattern)), z.transform(keyText));

// A wildcard would be a host's name to URL, and match nothing.
const isOrigin = (text: string): boolean =>
  URL.canParse(text) && new URL(text).origin === text && !text.includes('*');

// Browsers allow passkeys only on https pages and on localhost; an IP address has no domain to which they could belong.
const isPasskeyOrigin = (text: string): boolean => {
  if (!isOrigin(text)) return false;
  const { protocol, hostname } = new URL(text);
  return hostname === 'localhost' || (protocol === 'https:' && !/^[\d.]+$|^\[/.test(hostname));
};

const localOrigin = 'http://localhost:8787';

// The key travels with every mail: in the clear only to this machine.
const isMailApi = (text: string): boolean =>
  isPage(text) && (text.startsWith('https:') || /^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(text));

/** An address that a health system has given, without a slash at its end. */
const partnerUrl = () =>
  z.pipe(
    z.string().check(z.refine(isMailApi)),
    z.transform((text: string) => text.replace(/\/+$/, '')),
  );

/** A text that may stand in a header. */
const headerText = () => z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/));

const origins = (isAccepted = isOrigin) => z.pipe(listed(), z.array(z.string().check(z.refine(isAccepted))));

/** A setting that is a number of something, within bounds. */
export const counted = <O extends string | undefined>(
  unit: string,
  min: number,
  max: number,
  otherwise: O,
) => ({
  accepts: `${unit} from ${min} to ${max}`,
  shape: () => wholeNumber(min, max),
  otherwise,
});

export const keyWords = '32 bytes in base64 or hex, such as openssl rand -base64 32 prints';

/** Each setting: its allowed values in words, its shape, and its default. */
export const sharedSettings = {
  CLINIC_TIME_ZONE: {
    accepts: 'an IANA time zone such as Asia/Jakarta',
    shape: () => z.string().check(z.refine(isTimeZone)),
    otherwise: 'Asia/Jakarta',
  },
  JWT_SECRET: { accepts: 'a secret of at least 32 bytes', shape: secret, otherwise: undefined },
  JWT_SECRET_PREVIOUS: {
    accepts: 'the secret before this one, of at least 32 bytes',
    shape: secret,
    otherwise: undefined,
  },
  DATA_KEY: { accepts: keyWords, shape: key, otherwise: undefined },
  DATA_KEY_PREVIOUS: { accepts: `the key before, of ${keyWords}`, shape: key, otherwise: undefined },
  CLINIC_ID: {
    accepts: '1 to 64 letters, digits, dots, dashes and underscores',
    shape: () => z.string().check(z.regex(/^[\w.-]{1,64}$/)),
    otherwise: undefined,
  },
  ACCESS_TOKEN_TTL_SECONDS: counted('seconds', 60, 86_400, '3600'),
  PASSWORD_MIN_LENGTH: counted('a number', 8, 64, '8'),
  REQUIRE_SECOND_FACTOR: {
    accepts: `roles separated by commas (${roles.join(', ')})`,
    shape: roleList,
    otherwise: '',
  },
  PASSKEY_ORIGINS: {
    accepts: 'exact https origins of the pages on which passkeys are used, separated by commas',
    shape: () => origins(isPasskeyOrigin),
    otherwise: '',
  },
  PASSKEY_DOMAIN: {
    accepts: 'the domain to which passkeys belong, such as klinik.example',
    shape: () => z.string().check(z.regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/)),
    otherwise: undefined,
  },
  SESSION_IDLE_DAYS: counted('days', 1, 365, '30'),
  SESSION_MAX_DAYS: counted('days', 1, 730, '180'),
  CLINIC_SESSION_IDLE_HOURS: counted('hours', 1, 8_760, '12'),
  CLINIC_SESSION_MAX_DAYS: counted('days', 1, 730, '14'),
  // The booking rules: a rule that is not set here is read from the database (src/core/clinic/rules.ts).
  MIN_NOTICE_MINUTES: counted('minutes', 0, 43_200, undefined),
  MAX_ADVANCE_DAYS: counted('days', 1, 730, undefined),
  CANCEL_LEAD_MINUTES: counted('minutes', 0, 43_200, undefined),
  MAX_LIVE_BOOKINGS: {
    accepts: 'a number from 0 (no limit) to 10000',
    shape: () => wholeNumber(0, 10_000),
    otherwise: undefined,
  },
  MAX_UNPROVED_BOOKINGS: {
    accepts: 'a number from 0 (no limit) to 10000',
    shape: () => wholeNumber(0, 10_000),
    otherwise: undefined,
  },
  APPROVAL_AFTER_NO_SHOWS: {
    accepts: 'a number from 0 (never) to 100',
    shape: () => wholeNumber(0, 100),
    otherwise: undefined,
  },
  SELF_CHECK_IN_MINUTES: {
    accepts: 'minutes from 0 (at the desk alone) to 720',
    shape: () => wholeNumber(0, 720),
    otherwise: undefined,
  },
  RETENTION_YEARS: {
    accepts: 'years from 0 (for ever) to 100',
    shape: () => wholeNumber(0, 100),
    otherwise: undefined,
  },
  ARCHIVE_AFTER_DAYS: {
    accepts: 'days from 400 to 36500, or 0 for never',
    shape: () =>
      z.pipe(
        wholeNumber(0, 36_500),
        z.int().check(z.refine((days) => days === 0 || days >= shortestHorizonDays)),
      ),
    otherwise: '0',
  },
  OFFER_MINUTES: counted('minutes', 5, 1_440, '30'),
  MAIL_FROM: {
    accepts: 'the sender of mail, such as Klinik <klinik@example.com>',
    shape: () => z.string().check(z.regex(/^[^\r\n]{1,200}@[^\r\n]{1,200}$/)),
    otherwise: 'Janji <janji@localhost>',
  },
  MAIL_API_URL: {
    accepts: "the https address of a mail provider's API",
    shape: () => z.string().check(z.refine(isMailApi)),
    otherwise: undefined,
  },
  MAIL_API_KEY: { accepts: 'the key of that API', shape: () => z.string(), otherwise: undefined },
  MAIL_TO_LOG: { accepts: 'on or off', shape: onOff, otherwise: 'off' },
  PUBLIC_URL: {
    accepts: 'the https origin under which people reach the service, such as https://janji.klinik.example',
    shape: () => z.string().check(z.refine(isOrigin)),
    otherwise: undefined,
  },
  PASSWORD_RESET_URL: {
    accepts: 'the https address of the page on which a new password is set',
    shape: () => z.string().check(z.refine(isPage)),
    otherwise: undefined,
  },
  EMAIL_PROOF_URL: {
    accepts: 'the https address of the page on which the code from the mail is entered',
    shape: () => z.string().check(z.refine(isPage)),
    otherwise: undefined,
  },
  NOTICE_API_URL: {
    accepts: "the https address of a gateway's API for messages",
    shape: () => z.string().check(z.refine(isGateway)),
    otherwise: undefined,
  },
  NOTICE_API_KEY: {
    accepts: 'the key of that API, in letters, digits and signs of ASCII',
    shape: () => z.string().check(z.regex(/^[\x21-\x7e]+$/)),
    otherwise: undefined,
  },
  NOTICE_CALLBACK_SECRET: {
    accepts: 'the secret, of at least 16 characters, with which the gateway signs what it reports',
    shape: () => z.string().check(z.minLength(16)),
    otherwise: undefined,
  },
  QUIET_HOURS: {
    accepts: 'two hours of the day such as 21-6, or off',
    shape: () => quietHours(),
    otherwise: '21-6',
  },
  REMINDER_EARLY_HOURS: {
    accepts: 'hours from 0 (none) to 168',
    shape: () => wholeNumber(0, maxReminderHours),
    otherwise: '24',
  },
  REMINDER_LATE_HOURS: {
    accepts: 'hours from 0 (none) to 168',
    shape: () => wholeNumber(0, maxReminderHours),
    otherwise: '2',
  },
  API_KEY_REQUESTS_PER_MINUTE: counted('a number', 1, 60_000, '600'),
  RATE_LIMIT: { accepts: 'on or off', shape: onOff, otherwise: 'on' },
  PUBLIC_CACHE: { accepts: 'on or off', shape: onOff, otherwise: 'off' },
  SANDBOX: { accepts: 'on or off', shape: onOff, otherwise: 'off' },
  LOGIN_BY_CODE: { accepts: 'on or off', shape: onOff, otherwise: 'off' },
  LOGIN_BY_PHONE_CODE: { accepts: 'on or off', shape: onOff, otherwise: 'off' },
  PHONE_CODES_PER_DAY: counted('a number', 1, 10_000, '200'),
  PHONE_CODE_COUNTRIES: {
    accepts: 'country codes such as 62, separated by commas',
    shape: () => z.pipe(listed(), z.array(z.string().check(z.regex(/^[1-9]\d{0,2}$/)))),
    otherwise: '62',
  },
  FHIR: { accepts: 'on or off', shape: onOff, otherwise: 'off' },
  WEBHOOK_ALLOW_PRIVATE: {
    accepts: 'true or false',
    shape: () => z.enum(['true', 'false']),
    otherwise: 'false',
  },
  CORS_ORIGINS: { accepts: 'exact origins, separated by commas', shape: () => origins(), otherwise: '' },
  BPJS: {
    accepts: 'rs (hospitals) or fktp (first-level clinics)',
    shape: () => z.enum(['rs', 'fktp']),
    otherwise: undefined,
  },
  BPJS_URL: { accepts: 'the https address of the Antrean service', shape: partnerUrl, otherwise: undefined },
  BPJS_CONS_ID: { accepts: 'the consumer id that BPJS gave', shape: headerText, otherwise: undefined },
  BPJS_SECRET: {
    accepts: 'the consumer secret that BPJS gave',
    shape: () => z.string(),
    otherwise: undefined,
  },
  BPJS_USER_KEY: {
    accepts: 'the user key of the Antrean service',
    shape: headerText,
    otherwise: undefined,
  },
  BPJS_PCARE_LOGIN: {
    accepts: 'user:password:application of PCare, where an FKTP is asked for it',
    shape: () => z.string().check(z.regex(/^[^:]+:.+:[^:]+$/)),
    otherwise: undefined,
  },
  BPJS_CONTENT_TYPE: {
    accepts: 'the media type of what is sent',
    shape: headerText,
    otherwise: 'application/x-www-form-urlencoded',
  },
  SATUSEHAT: { accepts: 'on or off', shape: onOff, otherwise: 'off' },
  SATUSEHAT_AUTH_URL: {
    accepts: 'the https address that gives tokens, such as …/oauth2/v1',
    shape: partnerUrl,
    otherwise: undefined,
  },
  SATUSEHAT_FHIR_URL: {
    accepts: 'the https address of FHIR, such as …/fhir-r4/v1',
    shape: partnerUrl,
    otherwise: undefined,
  },
  SATUSEHAT_CLIENT_ID: { accepts: 'the client id', shape: headerText, otherwise: undefined },
  SATUSEHAT_CLIENT_SECRET: { accepts: 'its secret', shape: headerText, otherwise: undefined },
  SATUSEHAT_ORGANIZATION_ID: {
    accepts: 'the Organization id of the clinic',
    shape: () => z.string().check(z.regex(/^[\w.-]{1,64}$/)),
    otherwise: undefined,
  },
  SATUSEHAT_FINISH: {
    accepts: 'on (a completed visit is finished) or off (the record system finishes it)',
    shape: onOff,
    otherwise: 'off',
  },
  OIDC_ISSUER: {
    accepts: 'the https address of the provider of OpenID Connect, exactly as it names itself',
    shape: () => z.string().check(z.refine(isMailApi)),
    otherwise: undefined,
  },
  OIDC_CLIENT_ID: { accepts: 'the client id that it gave', shape: headerText, otherwise: undefined },
  OIDC_CLIENT_SECRET: { accepts: 'the secret of that client', shape: headerText, otherwise: undefined },
  OIDC_DOMAINS: {
    accepts: 'domains of e-mail such as klinik.example, separated by commas',
    shape: () => z.pipe(listed(), z.array(z.string().check(z.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)))),
    otherwise: '',
  },
  OIDC_ROLE_CLAIM: {
    accepts: 'the name of a claim that has the role',
    shape: () => z.string().check(z.regex(/^[\w.:/-]{1,100}$/)),
    otherwise: undefined,
  },
  OIDC_PASSWORDS_OFF: {
    accepts: 'roles of the clinic separated by commas (doctor, staff, admin)',
    shape: () => z.pipe(listed(), z.array(z.enum(['doctor', 'staff', 'admin']))),
    otherwise: '',
  },
  OIDC_BREAK_GLASS: {
    accepts: 'the e-mail of an admin who always may log in with a password',
    shape: () =>
      z.pipe(
        z.string().check(z.regex(/^[^\s@,]+@[^\s@,]+$/)),
        z.transform((text) => text.toLowerCase()),
      ),
    otherwise: undefined,
  },
  LOG_LEVEL: {
    accepts: 'silent, error, warn, info or debug',
    shape: () => z.enum(['silent', 'error', 'warn', 'info', 'debug']),
    otherwise: 'info',
  },
} as const;

export type Config = ValuesOf<typeof sharedSettings>;

/** Where passkeys are used, and their domain: browsers require that each origin is in it. */
export const buildRelyingParty = (
  settings: Pick<Config, 'PASSKEY_ORIGINS' | 'PASSKEY_DOMAIN' | 'PASSWORD_RESET_URL'>,
) => {
  const { PASSKEY_ORIGINS: given, PASSKEY_DOMAIN, PASSWORD_RESET_URL: page } = settings;
  // The page for new passwords is the clinic's front end; without one this is somebody's own machine.
  const frontEnd = page === undefined ? '' : new URL(page).origin;
  const origins = given.length > 0 ? given : [isPasskeyOrigin(frontEnd) ? frontEnd : localOrigin];
  const hosts = origins.map((origin) => new URL(origin).hostname);
  const domain = PASSKEY_DOMAIN ?? hosts[0] ?? '';
  if (hosts.some((host) => host !== domain && !host.endsWith(`.${domain}`)))
    throw new SettingError(
      `PASSKEY_DOMAIN is not acceptable: each origin of passkeys lies in ${domain} or below it.`,
    );
  return { domain, origins };
};

/** If the service's own address is known, mails link to its own pages unless other pages are set. */
export const withOwnPages = <C extends Config>(config: C): C => {
  const { PUBLIC_URL: origin, PASSWORD_RESET_URL, EMAIL_PROOF_URL } = config;
  if (origin === undefined) return config;
  return {
    ...config,
    PASSWORD_RESET_URL: PASSWORD_RESET_URL ?? `${origin}/pasien/atur-ulang`,
    EMAIL_PROOF_URL: EMAIL_PROOF_URL ?? `${origin}/pasien/akun/email`,
  };
};

const bpjsNames = ['BPJS_URL', 'BPJS_CONS_ID', 'BPJS_SECRET', 'BPJS_USER_KEY'] as const;
const satusehatNames = [
  'SATUSEHAT_AUTH_URL',
  'SATUSEHAT_FHIR_URL',
  'SATUSEHAT_CLIENT_ID',
  'SATUSEHAT_CLIENT_SECRET',
  'SATUSEHAT_ORGANIZATION_ID',
] as const;

/** Whether queues are reported to BPJS: it may be on only for the calls that BPJS makes, and then needs none of the four settings. */
export const reportsToBpjs = (config: Pick<Config, 'BPJS' | (typeof bpjsNames)[number]>): boolean =>
  config.BPJS !== undefined && bpjsNames.some((name) => config[name] !== undefined);

/** The health systems that visits are reported to. */
export const listReported = (config: Config): ExchangeTarget[] => [
  ...(reportsToBpjs(config) ? ['bpjs' as const] : []),
  ...(config.SATUSEHAT === 'on' ? ['satusehat' as const] : []),
];

/** Throws with a line for each setting that a health system which is switched on still needs. */
export const withWholePartners = <C extends Config>(config: C): C => {
  const missing = [
    ...(reportsToBpjs(config) ? bpjsNames.map((name) => ({ name, why: 'queues are reported to BPJS' })) : []),
    ...(config.SATUSEHAT === 'on' ? satusehatNames.map((name) => ({ name, why: 'SATUSEHAT is on' })) : []),
  ].filter(({ name }) => config[name] === undefined);
  if (missing.length > 0)
    throw new SettingError(
      missing
        .map(({ name, why }) => `${name} is missing: ${why}. It is ${sharedSettings[name].accepts}.`)
        .join('\n'),
    );
  return config;
};

const ssoNames = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PUBLIC_URL'] as const;

/** Throws for single sign-on that cannot work, or that would lock everybody out if its provider is lost. */
export const withWholeIssuer = <C extends Config>(config: C): C => {
  const { OIDC_ISSUER: issuer, OIDC_PASSWORDS_OFF: off, OIDC_BREAK_GLASS: breakGlass } = config;
  const missing = issuer === undefined ? [] : ssoNames.filter((name) => config[name] === undefined);
  if (missing.length > 0)
    throw new SettingError(
      missing
        .map((name) => `${name} is missing: OIDC_ISSUER is set. It is ${sharedSettings[name].accepts}.`)
        .join('\n'),
    );
  if (off.length > 0 && issuer === undefined)
    throw new SettingError('OIDC_PASSWORDS_OFF needs OIDC_ISSUER: nobody of these roles could log in.');
  if (off.includes('admin') && breakGlass === undefined)
    throw new SettingError(
      'OIDC_PASSWORDS_OFF with admin needs OIDC_BREAK_GLASS: otherwise nobody gets in when the provider is lost.',
    );
  return config;
};

/** The settings that both runtimes share, from the environment or the Worker's bindings. */
export const parseConfig = (source: Readonly<Record<string, unknown>>): Config => {
  const config = withOwnPages(withWholeIssuer(withWholePartners(parseSettings(sharedSettings, source))));
  buildRelyingParty(config);
  if (config.FHIR === 'on' && config.PUBLIC_URL === undefined)
    throw new SettingError('FHIR=on needs PUBLIC_URL, since its links are whole addresses.');
  return config;
};
