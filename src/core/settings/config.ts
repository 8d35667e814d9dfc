import * as z from 'zod/mini';
import { shortestHorizonDays } from '../archive/rules.ts';
import { isGateway, isPage, maxReminderHours, quietHours } from '../clinic/notice-settings.ts';
import { isTimeZone } from '../clinic/time.ts';
import { roles } from '../endpoint/roles.ts';
import type { ExchangeTarget } from '../tables/words.ts';
import { parseSettings, SettingError, type ValuesOf } from './parse-settings.ts';
import {
  counted,
  headerText,
  isMailApi,
  isOrigin,
  isPasskeyOrigin,
  key,
  keyWords,
  listed,
  onOff,
  optional,
  origins,
  partnerUrl,
  roleList,
  secret,
  switched,
  wholeNumber,
} from './shapes.ts';

/** Each setting: its allowed values in words, its shape, and its default. */
export const sharedSettings = {
  CLINIC_TIME_ZONE: {
    accepts: 'an IANA time zone such as Asia/Jakarta',
    shape: () => z.string().check(z.refine(isTimeZone)),
    otherwise: 'Asia/Jakarta',
  },
  JWT_SECRET: optional('a secret of at least 32 bytes', secret),
  JWT_SECRET_PREVIOUS: optional('the secret before this one, of at least 32 bytes', secret),
  DATA_KEY: optional(keyWords, key),
  DATA_KEY_PREVIOUS: { accepts: `the key before, of ${keyWords}`, shape: key, otherwise: undefined },
  CLINIC_ID: optional('1 to 64 letters, digits, dots, dashes and underscores', () =>
    z.string().check(z.regex(/^[\w.-]{1,64}$/)),
  ),
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
  PASSKEY_DOMAIN: optional('the domain to which passkeys belong, such as klinik.example', () =>
    z.string().check(z.regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/)),
  ),
  SESSION_IDLE_DAYS: counted('days', 1, 365, '30'),
  SESSION_MAX_DAYS: counted('days', 1, 730, '180'),
  CLINIC_SESSION_IDLE_HOURS: counted('hours', 1, 8_760, '12'),
  CLINIC_SESSION_MAX_DAYS: counted('days', 1, 730, '14'),
  // The booking rules: a rule that is not set here is read from the database (src/core/clinic/rules.ts).
  MIN_NOTICE_MINUTES: counted('minutes', 0, 43_200, undefined),
  MAX_ADVANCE_DAYS: counted('days', 1, 730, undefined),
  CANCEL_LEAD_MINUTES: counted('minutes', 0, 43_200, undefined),
  MAX_LIVE_BOOKINGS: optional('a number from 0 (no limit) to 10000', () => wholeNumber(0, 10_000)),
  MAX_UNPROVED_BOOKINGS: optional('a number from 0 (no limit) to 10000', () => wholeNumber(0, 10_000)),
  APPROVAL_AFTER_NO_SHOWS: optional('a number from 0 (never) to 100', () => wholeNumber(0, 100)),
  SELF_CHECK_IN_MINUTES: optional('minutes from 0 (at the desk alone) to 720', () => wholeNumber(0, 720)),
  RETENTION_YEARS: optional('years from 0 (for ever) to 100', () => wholeNumber(0, 100)),
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
  MAIL_API_URL: optional("the https address of a mail provider's API", () =>
    z.string().check(z.refine(isMailApi)),
  ),
  MAIL_API_KEY: { accepts: 'the key of that API', shape: () => z.string(), otherwise: undefined },
  MAIL_TO_LOG: switched('off'),
  PUBLIC_URL: optional(
    'the https origin under which people reach the service, such as https://janji.klinik.example',
    () => z.string().check(z.refine(isOrigin)),
  ),
  PASSWORD_RESET_URL: optional('the https address of the page on which a new password is set', () =>
    z.string().check(z.refine(isPage)),
  ),
  EMAIL_PROOF_URL: optional('the https address of the page on which the code from the mail is entered', () =>
    z.string().check(z.refine(isPage)),
  ),
  NOTICE_API_URL: optional("the https address of a gateway's API for messages", () =>
    z.string().check(z.refine(isGateway)),
  ),
  NOTICE_API_KEY: optional('the key of that API, in letters, digits and signs of ASCII', () =>
    z.string().check(z.regex(/^[\x21-\x7e]+$/)),
  ),
  NOTICE_CALLBACK_SECRET: optional(
    'the secret, of at least 16 characters, with which the gateway signs what it reports',
    () => z.string().check(z.minLength(16)),
  ),
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
  RATE_LIMIT: switched('on'),
  PUBLIC_CACHE: switched('off'),
  SANDBOX: switched('off'),
  LOGIN_BY_CODE: switched('off'),
  LOGIN_BY_PHONE_CODE: switched('off'),
  PHONE_CODES_PER_DAY: counted('a number', 1, 10_000, '200'),
  PHONE_CODE_COUNTRIES: {
    accepts: 'country codes such as 62, separated by commas',
    shape: () => z.pipe(listed(), z.array(z.string().check(z.regex(/^[1-9]\d{0,2}$/)))),
    otherwise: '62',
  },
  FHIR: switched('off'),
  WEBHOOK_ALLOW_PRIVATE: {
    accepts: 'true or false',
    shape: () => z.enum(['true', 'false']),
    otherwise: 'false',
  },
  CORS_ORIGINS: { accepts: 'exact origins, separated by commas', shape: () => origins(), otherwise: '' },
  BPJS: optional('rs (hospitals) or fktp (first-level clinics)', () => z.enum(['rs', 'fktp'])),
  BPJS_URL: optional('the https address of the Antrean service', partnerUrl),
  BPJS_CONS_ID: optional('the consumer id that BPJS gave', headerText),
  BPJS_SECRET: optional('the consumer secret that BPJS gave', () => z.string()),
  BPJS_USER_KEY: optional('the user key of the Antrean service', headerText),
  BPJS_PCARE_LOGIN: optional('user:password:application of PCare, where an FKTP is asked for it', () =>
    z.string().check(z.regex(/^[^:]+:.+:[^:]+$/)),
  ),
  BPJS_CONTENT_TYPE: {
    accepts: 'the media type of what is sent',
    shape: headerText,
    otherwise: 'application/x-www-form-urlencoded',
  },
  SATUSEHAT: switched('off'),
  SATUSEHAT_AUTH_URL: optional('the https address that gives tokens, such as …/oauth2/v1', partnerUrl),
  SATUSEHAT_FHIR_URL: optional('the https address of FHIR, such as …/fhir-r4/v1', partnerUrl),
  SATUSEHAT_CLIENT_ID: optional('the client id', headerText),
  SATUSEHAT_CLIENT_SECRET: optional('its secret', headerText),
  SATUSEHAT_ORGANIZATION_ID: optional('the Organization id of the clinic', () =>
    z.string().check(z.regex(/^[\w.-]{1,64}$/)),
  ),
  SATUSEHAT_FINISH: {
    accepts: 'on (a completed visit is finished) or off (the record system finishes it)',
    shape: onOff,
    otherwise: 'off',
  },
  OIDC_ISSUER: optional(
    'the https address of the provider of OpenID Connect, exactly as it names itself',
    () => z.string().check(z.refine(isMailApi)),
  ),
  OIDC_CLIENT_ID: optional('the client id that it gave', headerText),
  OIDC_CLIENT_SECRET: optional('the secret of that client', headerText),
  OIDC_DOMAINS: {
    accepts: 'domains of e-mail such as klinik.example, separated by commas',
    shape: () => z.pipe(listed(), z.array(z.string().check(z.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)))),
    otherwise: '',
  },
  OIDC_ROLE_CLAIM: optional('the name of a claim that has the role', () =>
    z.string().check(z.regex(/^[\w.:/-]{1,100}$/)),
  ),
  OIDC_PASSWORDS_OFF: {
    accepts: 'roles of the clinic separated by commas (doctor, staff, admin)',
    shape: () => z.pipe(listed(), z.array(z.enum(['doctor', 'staff', 'admin']))),
    otherwise: '',
  },
  OIDC_BREAK_GLASS: optional('the e-mail of an admin who always may log in with a password', () =>
    z.pipe(
      z.string().check(z.regex(/^[^\s@,]+@[^\s@,]+$/)),
      z.transform((text) => text.toLowerCase()),
    ),
  ),
  LOG_LEVEL: {
    accepts: 'silent, error, warn, info or debug',
    shape: () => z.enum(['silent', 'error', 'warn', 'info', 'debug']),
    otherwise: 'info',
  },
} as const;

export type Config = ValuesOf<typeof sharedSettings>;

const localOrigin = 'http://localhost:8787';

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

/** The origins whose pages may read a failure that is answered without the rest of the settings; none where they are wrong. */
export const readOrigins = ({ CORS_ORIGINS }: { CORS_ORIGINS?: unknown }): readonly string[] =>
  origins().safeParse(String(CORS_ORIGINS ?? '')).data ?? [];

/** The settings that both runtimes share, from the environment or the Worker's bindings. */
export const parseConfig = (source: Readonly<Record<string, unknown>>): Config => {
  const config = withOwnPages(withWholeIssuer(withWholePartners(parseSettings(sharedSettings, source))));
  buildRelyingParty(config);
  if (config.FHIR === 'on' && config.PUBLIC_URL === undefined)
    throw new SettingError('FHIR=on needs PUBLIC_URL, since its links are whole addresses.');
  return config;
};
