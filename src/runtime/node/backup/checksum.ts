import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncToDisk } from '../database/database-file.ts';
import { giveToOwner } from '../owner.ts';

/** The path of a file's checksum, in the format of `sha256sum --check`. */
export const checksumPathOf = (path: string): string => `${path}.sha256`;

const hashFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

/** Writes the checksum of a file for the name that the file will get. */
export const writeChecksum = async (partial: string, target: string): Promise<void> => {
  const path = checksumPathOf(target);
  writeFileSync(path, `${await hashFile(partial)}  ${basename(target)}\n`, { mode: 0o600 });
  giveToOwner(path);
  syncToDisk(path);
};

/** Whether a file matches its checksum; null if there is no checksum beside it. */
export const matchesChecksum = async (path: string): Promise<boolean | null> => {
  if (!existsSync(checksumPathOf(path))) return null;
  const [written] = readFileSync(checksumPathOf(path), 'utf8').split(/\s/);
  return written === (await hashFile(path));
};
