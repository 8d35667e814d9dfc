import { rmSync } from 'node:fs';
import { assertFile, assertNew, publish, withPartial } from '../database/database-file.ts';
import { checksumPathOf, writeChecksum } from './checksum.ts';
import { copyLive, type Progress } from './live-copy.ts';
import { summaryOf, unsoundnessOf } from './soundness.ts';

export interface Made {
  summary: string;
  /** The problems of the copied data; the copy is kept, because it may be the only one. */
  problems: string[];
}

/** Creates a file under a temporary name and, once it is complete, renames it and writes its checksum. */
export const makeCopy = (
  target: string,
  progress: Progress,
  fill: (partial: string) => Promise<void>,
): Promise<Made> => {
  assertNew(target);
  return withPartial(target, 'partial', async (partial) => {
    await fill(partial);
    const problems = await unsoundnessOf(partial, progress);
    const damage = problems.filter((line) => line.startsWith('damaged'));
    if (damage.length > 0) throw new Error(`The copy is not whole:\n${damage.join('\n')}`);
    const summary = summaryOf(partial);
    assertNew(target);
    await writeChecksum(partial, target);
    try {
      publish(partial, target);
    } catch (error) {
      rmSync(checksumPathOf(target), { force: true });
      throw error;
    }
    return { summary, problems };
  });
};

/** Copies an embedded database as of one moment, whether the service is running or not. */
export const backUp = (source: string, target: string, progress: Progress): Promise<Made> => {
  assertFile(source);
  return makeCopy(target, progress, (partial) => copyLive(source, partial, progress));
};
