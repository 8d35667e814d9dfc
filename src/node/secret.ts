import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { SettingError } from '../config.ts';
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

/**
 * The token secret beside an embedded database: created on first use, readable only by its owner. Exclusive creation
 * decides between processes that start at the same time.
 */
export const localSecret = (path: string): string => {
  try {
    writeFileSync(path, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readSecret(path);
};

/** Only beside an embedded database is there a place to keep a secret of our own making. */
export const assertSecret = ({ JWT_SECRET, NODE_ENV, DATABASE_URL }: AllSettings): void => {
  if (JWT_SECRET !== undefined) return;
  if (NODE_ENV === 'production')
    throw new SettingError('JWT_SECRET is not set: production takes a secret of at least 32 bytes.');
  if (!DATABASE_URL.startsWith('file:'))
    throw new SettingError(
      'JWT_SECRET is not set: with a remote database it takes a secret of at least 32 bytes.',
    );
};
