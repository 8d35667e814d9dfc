import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { openFile } from '../../../core/db/embedded/open-file.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import { withFolder } from '../database/cleared.ts';
import { assertFile } from '../database/database-file.ts';
import type { FileKey } from '../database/file-key.ts';
import { matchesChecksum } from './checksum.ts';
import { beginsWith, isDump, withRestoredDump } from './dump-file.ts';

/** How every file begins that age has encrypted (https://age-encryption.org/v1). */
const beginning = Buffer.from('age-encryption.org/v1\n');

const isSealed = (path: string): boolean => beginsWith(path, beginning);

const webStream = (path: string): ReadableStream<Uint8Array> =>
  Readable.toWeb(createReadStream(path)) as ReadableStream;

const writeTo = (path: string, stream: ReadableStream<Uint8Array>): Promise<void> =>
  pipeline(Readable.fromWeb(stream as NodeStream), createWriteStream(path, { mode: 0o600 }));

const pagesAtOnce = 256;

/** The pages of an encrypted database as those of a plain one, which is written nowhere. */
function* plainPages(path: string, key: FileKey): Generator<Buffer> {
  const database = openFile(path, { timeout: 5000, key });
  try {
    const [[count = 0] = []] = database.prepare('PRAGMA page_count').raw().all() as [number][];
    const page = database.prepare('select data from sqlite_dbpage where pgno = ?').raw();
    for (let first = 1; first <= count; first += pagesAtOnce) {
      const numbers = Array.from({ length: Math.min(pagesAtOnce, count - first + 1) }, (_, at) => first + at);
      yield Buffer.concat(numbers.map((number) => (page.get(number) as [Buffer])[0]));
    }
  } finally {
    database.close();
  }
}

/** Encrypts bytes for a recipient (`age1…`), piece by piece: a change or a truncation is detected. */
export const sealBytes = async (
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  to: string,
  recipient: string,
): Promise<void> => {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw new SettingError(
      'BACKUP_RECIPIENT is not acceptable: it takes the recipient of age-keygen (age1…).',
    );
  }
  const plain = Readable.toWeb(Readable.from(bytes, { objectMode: false })) as ReadableStream;
  await writeTo(to, await encrypter.encrypt(plain));
};

/** Encrypts a database for a recipient. Decrypted, it is a plain database that opens without the file's key. */
export const sealDatabase = (from: string, key: FileKey, to: string, recipient: string): Promise<void> =>
  sealBytes(plainPages(from, key), to, recipient);

/** The identities of a file of age-keygen: one a line, and comments. */
const identitiesIn = (path: string): string[] => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new SettingError(`BACKUP_IDENTITY_FILE cannot be read: ${path}.`);
  }
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
};

const openSealed = async (from: string, to: string, identityFile: string): Promise<void> => {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  try {
    for (const identity of identitiesIn(identityFile)) decrypter.addIdentity(identity);
  } catch (error) {
    if (error instanceof SettingError) throw error;
    // The library's own message could quote the identity.
    throw new SettingError(`BACKUP_IDENTITY_FILE holds what is no identity of age: ${identityFile}.`);
  }
  const opened = await decrypter.decrypt(webStream(from)).catch(() => {
    throw new SettingError(
      `${from} does not open with BACKUP_IDENTITY_FILE: it is encrypted for another one.`,
    );
  });
  await writeTo(to, opened).catch(() => {
    throw new SettingError(`${from} is damaged: it was changed or cut short since it was encrypted.`);
  });
};

const changed = (file: string): SettingError =>
  new SettingError(
    `${file} is not sound:\nchanged: it is not the file that was checksummed when it was made`,
  );

/**
 * Runs work on a backup or an export; on a copy, which is deleted afterwards, of one that age has encrypted, or that holds the
 * rows line by line.
 */
export const withOpened = async <T>(
  file: string,
  identityFile: string | undefined,
  work: (path: string) => Promise<T>,
): Promise<T> => {
  assertFile(file);
  if (isDump(file) && (await matchesChecksum(file)) === false) throw changed(file);
  if (!isSealed(file)) return withRestoredDump(file, work);
  if (identityFile === undefined)
    throw new SettingError(
      `${file} is encrypted: set BACKUP_IDENTITY_FILE to the file with the identity of age that opens it.`,
    );
  if ((await matchesChecksum(file)) === false) throw changed(file);
  return withFolder(async (folder) => {
    const path = join(folder, basename(file));
    await openSealed(file, path, identityFile);
    return withRestoredDump(path, work);
  });
};
