import { rmSync } from 'node:fs';
import { assertFile, assertNew, publish, withPartial } from '../database/database-file.ts';
import { checksumPathOf, writeChecksum } from './checksum.ts';
import { copyLive, type Progress } from './live-copy.ts';
import { summaryOf, unsoundnessOf } from './soundness.ts';

export interface Made {
  summary: string;
  /** What is wrong with the data that was copied; the copy is kept, since it may be the only one. */
  problems: string[];
}

/** Has a file made beside its final name, and gives it that name, with a checksum, once it is whole. */
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

/** Copies an embedded database as of one moment, serving or not. */
export const backUp = (source: string, target: string, progress: Progress): Promise<Made> => {
  assertFile(source);
  return makeCopy(target, progress, (partial) => copyLive(source, partial, progress));
};
