import { closeSync, openSync, readSync } from 'node:fs';
import { SettingError } from '../../../core/settings/parse-settings.ts';

/** The key of an encrypted file; without one it is opened, or made, as a plain one. */
export type FileKey = string | undefined;

/** Every plain SQLite file begins with this. An encrypted one begins with what looks like chance. */
const plainBeginning = Buffer.from('SQLite format 3\0');

/**
 * Whether a file is encrypted (or not a database); null if there is none yet. Never call it for a file that this
 * process has open: closing another handle of it would release SQLite's locks.
 */
export const isEncrypted = (path: string): boolean | null => {
  const beginning = Buffer.alloc(plainBeginning.length);
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    return readSync(file, beginning) === 0 ? null : !beginning.equals(plainBeginning);
  } finally {
    closeSync(file);
  }
};

/** The key that opens an existing file: copies from before encryption stay readable. */
export const keyFor = (path: string, key: FileKey): FileKey => (isEncrypted(path) === true ? key : undefined);

/** Throws if a key is set and the file is plain: with a key set the operator expects an encrypted file. */
export const assertNotPlain = (path: string, key: FileKey): void => {
  if (key === undefined || isEncrypted(path) !== false) return;
  throw new SettingError(
    `DATABASE_KEY is set, but ${path} is not encrypted: encrypt it with \`janji encrypt\`, or unset DATABASE_KEY.`,
  );
};

/** Thrown for a file that is damaged, or has another key. */
export class WrongKey extends SettingError {}

export const wrongKey = (path: string): WrongKey =>
  new WrongKey(`DATABASE_KEY does not open ${path}: it is the key of another file, or the file is damaged.`);
