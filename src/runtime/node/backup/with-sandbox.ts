import type { FileKey } from '../database/file-key.ts';
import { FileInUse } from './restore.ts';
import { explainUnsoundness } from './soundness.ts';

/**
 * Takes a sandbox along when its clinic's database is replaced. False for one that cannot be read, such as one that a kill left half
 * made: it can always be begun again, and holds up nothing.
 */
export const takeSandboxAlong = async (
  path: string,
  key: FileKey,
  take: () => Promise<unknown>,
): Promise<boolean> => {
  try {
    await take();
    return true;
  } catch (error) {
    const isSound = async () => (await explainUnsoundness(path, () => {}, key)).length === 0;
    if (error instanceof FileInUse || (await isSound())) throw error;
    return false;
  }
};

/** How a sandbox goes on without its file. */
export const beginsAnew = 'it begins anew when it is next used, and needs new test keys';
