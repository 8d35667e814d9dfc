import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerSecrets } from '../../core/crypto/clinic-keys.ts';
import { keyPattern, keyText } from '../../core/crypto/key-text.ts';
import { SettingError } from '../../core/settings/parse-settings.ts';
import { giveToOwner } from './owner.ts';
import type { AllSettings } from './settings.ts';

const minBytes = 32;

/** Reads the secret from an existing file; throws if the secret is weak or missing. */
export const readSecret = (path: string): string => {
  const secret = readFileSync(path, 'utf8').trim();
  if (Buffer.byteLength(secret) >= minBytes) return secret;
  throw new SettingError(
    `JWT_SECRET is not set, and ${path} holds none of at least ${minBytes} bytes: put it back, or remove that file, which ends every login.`,
  );
};

/** Reads the data key from an existing file; throws if it is none. */
export const readDataKey = (path: string): string => {
  const key = readFileSync(path, 'utf8').trim();
  if (keyPattern.test(key)) return keyText(key);
  throw new SettingError(
    `DATA_KEY is not set, and ${path} holds no key of 32 bytes: put it back, because another one opens none of the numbers and secrets in the database.`,
  );
};

/** Exclusive creation decides between processes that start at the same time; only the owner can read the file. */
const makeOnce = (path: string, bytes: number): void => {
  try {
    writeFileSync(path, randomBytes(bytes).toString('base64url'), { mode: 0o600, flag: 'wx' });
    giveToOwner(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
};

/** The token secret beside an embedded database: created on first use. */
const localSecret = (path: string): string => {
  makeOnce(path, 48);
  return readSecret(path);
};

/** The data key beside an embedded database: created on first use. */
const localDataKey = (path: string): string => {
  makeOnce(path, 32);
  return readDataKey(path);
};

/** The server's secrets: the settings', else those beside the embedded database at `path`. */
export const readSecrets = (
  settings: Pick<AllSettings, 'JWT_SECRET' | 'DATA_KEY'>,
  path: string | null,
): Pick<ServerSecrets, 'secret' | 'dataKey'> => ({
  secret: settings.JWT_SECRET ?? localSecret(`${path}.jwt-secret`),
  dataKey: settings.DATA_KEY ?? localDataKey(`${path}.data-key`),
});

/** Only beside an embedded database is there a place to store secrets that we create. */
export const assertSecrets = ({ NODE_ENV, DATABASE_URL, ...settings }: AllSettings): void => {
  const missing = (['JWT_SECRET', 'DATA_KEY'] as const).filter((name) => settings[name] === undefined);
  const needed = { JWT_SECRET: 'a secret of at least 32 bytes', DATA_KEY: 'a key of 32 bytes' };
  const place =
    NODE_ENV === 'production' ? 'production' : DATABASE_URL.startsWith('file:') ? null : 'a remote database';
  if (missing.length === 0 || place === null) return;
  const lines = missing.map(
    (name) =>
      `${name} is not set: ${place} takes ${needed[name]}, such as openssl rand -base64 ${name === 'DATA_KEY' ? 32 : 48} prints.`,
  );
  throw new SettingError(`${lines.join('\n')} \`janji init\` writes a file of settings with both.`);
};
