import { existsSync, readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Config, parseConfig } from '../../../core/settings/config.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import { explainError } from '../reason.ts';
import { readDataKey, readSecret } from '../secret.ts';
import { isOpenToOthers, type NodeSettings, parseNodeSettings, settingNames } from '../settings.ts';
import { settingsFile } from '../settings-file.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

const draw = 'take one that was drawn: openssl rand -base64 48';
const minDistinctCharacters = 10;

const attempt = <T>(read: () => T): { value: T | null; problems: string[] } => {
  try {
    return { value: read(), problems: [] };
  } catch (error) {
    if (error instanceof SettingError) return { value: null, problems: error.message.split('\n') };
    throw error;
  }
};

/** The valid settings, and the problems of the others. */
export const checkSettings = (source: Readonly<Record<string, unknown>>) => {
  const shared = attempt(() => parseConfig(source));
  const own = attempt(() => parseNodeSettings(source));
  const problems = [...shared.problems, ...own.problems];
  const findings = problems.map((line) => wrong('settings', line, 'docs/settings.md lists them all'));
  if (findings.length === 0) findings.push(ok('settings', 'all are acceptable'));
  return { config: shared.value, settings: own.value, findings };
};

/** Which settings are judged, if nobody chose any: a check in the wrong folder looks like one of the service otherwise. */
export const checkEnvironment = (nodeEnv: string | undefined, file: string | null): Finding[] =>
  nodeEnv || file !== null
    ? []
    : [
        note(
          'settings',
          `no ${settingsFile} is in this folder and NODE_ENV is not set: what follows is judged as development`,
          'janji init, or --settings FILE, or NODE_ENV=production',
        ),
      ];

/** What a file may set for others: Node, the system, the password of `create-admin`. */
const ofOthers = /^(NODE_|JANJI_|[a-z]|TZ$|TMPDIR$|SQLITE_TMPDIR$|PATH$|HOME$)/;

/** A misspelt name sets nothing, which nobody notices otherwise. */
export const checkNames = (file: string): Finding[] =>
  Object.keys(parseEnv(readFileSync(file, 'utf8')))
    .filter((name) => !settingNames.includes(name) && !ofOthers.test(name))
    .map((name) =>
      note(
        'settings',
        `${name} in ${file} is no setting, and does nothing`,
        'docs/settings.md lists them all',
      ),
    );

const localFile = (url: string, end: 'jwt-secret' | 'data-key'): string | null =>
  url.startsWith('file:') ? `${url.slice('file:'.length)}.${end}` : null;

const checkLocalFile = (
  name: string,
  file: string,
  read: (file: string) => string,
  draw: string,
): Finding => {
  if (!existsSync(file)) return note(name, `none yet: the first start makes ${file}`);
  if ((statSync(file).mode & 0o077) !== 0)
    return wrong(name, `${file} can be read by others than its owner`, `chmod 600 ${file}`);
  try {
    read(file);
  } catch (error) {
    return wrong(name, explainError(error), draw);
  }
  return ok(name, `kept in ${file}, for its owner alone`);
};

/** Whether the token secret is strong enough. */
export const checkSecret = (config: Config, settings: NodeSettings): Finding => {
  const { JWT_SECRET: given, JWT_SECRET_PREVIOUS: previous } = config;
  const secretFile = localFile(settings.DATABASE_URL, 'jwt-secret');
  if (given === undefined) {
    if (settings.NODE_ENV !== 'production' && secretFile !== null)
      return checkLocalFile('secret', secretFile, readSecret, draw);
    const where = secretFile === null ? 'with a remote database' : 'in production';
    return wrong('secret', `JWT_SECRET is not set, and is needed ${where}`, draw);
  }
  if (new Set(given).size < minDistinctCharacters)
    return wrong('secret', `JWT_SECRET has fewer than ${minDistinctCharacters} different characters`, draw);
  if (given === previous)
    return wrong('secret', 'JWT_SECRET_PREVIOUS is JWT_SECRET itself', 'unset JWT_SECRET_PREVIOUS');
  return ok('secret', `JWT_SECRET has ${Buffer.byteLength(given)} bytes`);
};

const drawKey = 'take one that was drawn: openssl rand -base64 32';

/** Whether there is a key for sealed values. */
export const checkDataKey = (config: Config, settings: NodeSettings): Finding => {
  const { DATA_KEY: given, DATA_KEY_PREVIOUS: previous } = config;
  const keyFile = localFile(settings.DATABASE_URL, 'data-key');
  if (given === undefined) {
    if (settings.NODE_ENV !== 'production' && keyFile !== null)
      return checkLocalFile('data key', keyFile, readDataKey, 'put back the one that was there');
    const where = keyFile === null ? 'with a remote database' : 'in production';
    return wrong('data key', `DATA_KEY is not set, and is needed ${where}`, drawKey);
  }
  if (new Set(given).size < minDistinctCharacters)
    return wrong('data key', 'DATA_KEY was not drawn by chance', drawKey);
  if (given === previous)
    return wrong('data key', 'DATA_KEY_PREVIOUS is DATA_KEY itself', 'unset DATA_KEY_PREVIOUS');
  return previous === undefined
    ? ok('data key', 'DATA_KEY is set')
    : note('data key', 'DATA_KEY_PREVIOUS still opens', 'janji rekey, then unset it');
};

/** Whether the file of an embedded database with patients' data is encrypted. */
export const checkFileKey = ({ NODE_ENV, DATABASE_URL, DATABASE_KEY }: NodeSettings): Finding[] =>
  NODE_ENV === 'production' && DATABASE_URL.startsWith('file:') && DATABASE_KEY === undefined
    ? [
        note(
          'encryption',
          'a copy of the database file shows names and notes to its reader',
          'set DATABASE_KEY, and janji encrypt',
        ),
      ]
    : [];

const withoutMail = ({ MAIL_TO_LOG }: Config, { NODE_ENV }: NodeSettings): string => {
  if (NODE_ENV === 'production') return 'no mail is sent: forgotten passwords stay so';
  return MAIL_TO_LOG === 'on' ? 'mails go to the log alone' : 'mails are left as files in data/mail alone';
};

/** Settings that work but are rarely intended. */
export const checkIntentions = (config: Config, settings: NodeSettings): Finding[] => {
  const hasMail = settings.SMTP_URL !== undefined || config.MAIL_API_URL !== undefined;
  const isPublic = isOpenToOthers(settings);
  const found: (Finding | false)[] = [
    config.RATE_LIMIT === 'off' &&
      note('throttle', 'RATE_LIMIT is off: passwords can be guessed without limit', 'unset RATE_LIMIT'),
    !hasMail && note('mail', withoutMail(config, settings), 'set SMTP_URL or MAIL_API_URL'),
    hasMail &&
      config.PASSWORD_RESET_URL === undefined &&
      note('mail', 'mails name no page to set a new password on', 'set PUBLIC_URL'),
    config.WEBHOOK_ALLOW_PRIVATE === 'true' &&
      isPublic &&
      note('webhooks', 'they may reach addresses inside the network', 'unset WEBHOOK_ALLOW_PRIVATE'),
  ];
  return found.filter((finding) => finding !== false);
};
