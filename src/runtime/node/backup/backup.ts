import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import { assertFile, assertNew, publish, withPartial } from '../database/database-file.ts';
import type { FileKey } from '../database/file-key.ts';
import { schemaProblem } from '../database/schema-version.ts';
import { sealDatabase } from './age.ts';
import { checksumPathOf, writeChecksum } from './checksum.ts';
import { copyLive, type Progress } from './live-copy.ts';
import { type Contents, explainUnsoundness, readContents } from './soundness.ts';
import { addArchived } from './with-archive.ts';

export interface Made {
  contents: Contents;
  /** The problems of the copied data; the copy is not deleted, because it may be the only one. */
  problems: string[];
}

/** With what a copy is encrypted. */
export interface CopyKeys {
  /** The key of the copied file, and of the copy unless that has a recipient. */
  key?: FileKey;
  /** For whom the copy is encrypted by age. */
  recipient?: string | undefined;
}

/** Fills a new file, encrypted if there is a key. */
type Fill = (path: string, key: FileKey) => Promise<void>;

const fillSoundly = async (path: string, key: FileKey, progress: Progress, fill: Fill): Promise<Made> => {
  await fill(path, key);
  const problems = await explainUnsoundness(path, progress, key);
  if (problems.includes(schemaProblem.foreign))
    throw new SettingError(`There is no clinic in this database: ${schemaProblem.foreign}.`);
  const damage = problems.filter((line) => line.startsWith('damaged'));
  if (damage.length > 0) throw new Error(`The copy is not whole:\n${damage.join('\n')}`);
  return { contents: await readContents(path, progress, key), problems };
};

/** The same, encrypted by age; the temporary file is encrypted with a key that is then discarded. */
const fillForRecipient = (
  partial: string,
  recipient: string,
  progress: Progress,
  fill: Fill,
): Promise<Made> =>
  withPartial(partial, 'open', async (open) => {
    const key = randomBytes(32).toString('base64url');
    const made = await fillSoundly(open, key, progress, fill);
    await sealDatabase(open, key, partial, recipient);
    return made;
  });

/** Creates a file under a temporary name and, once it is complete, renames it and writes its checksum. */
export const makeCopy = (
  target: string,
  progress: Progress,
  fill: Fill,
  { key, recipient }: CopyKeys = {},
): Promise<Made> => {
  assertNew(target);
  return withPartial(target, 'partial', async (partial) => {
    const made =
      recipient === undefined
        ? await fillSoundly(partial, key, progress, fill)
        : await fillForRecipient(partial, recipient, progress, fill);
    assertNew(target);
    await writeChecksum(partial, target);
    try {
      publish(partial, target);
    } catch (error) {
      rmSync(checksumPathOf(target), { force: true });
      throw error;
    }
    return made;
  });
};

/** Copies an embedded database as of one moment, whether the service is running or not, with what its archive has. */
export const backUp = (
  source: string,
  target: string,
  progress: Progress,
  keys: CopyKeys = {},
  archive: string | null = null,
): Promise<Made> => {
  assertFile(source);
  return makeCopy(
    target,
    progress,
    async (path, to) => {
      await copyLive(source, path, progress, keys.key, to ?? null);
      if (archive !== null) await addArchived(path, to, archive, keys.key);
    },
    keys,
  );
};
