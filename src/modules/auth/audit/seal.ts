import { recognisesRepeat, run, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { findLastBlock, findSealedBy, findUnsealed, insertBlock, resealBlocks } from './block-queries.ts';
import { deriveSeals, nextBlock, type SealingKeys } from './chain.ts';
import { linesABlock } from './rules.ts';

/** How many blocks a run makes at most: ten thousand lines a minute, and forty queries. */
const blocksARun = 20;
const resealedAStep = 100;

type Sealer = Pick<Deps, 'db' | 'log'> & SealingKeys;

/**
 * Seals the lines that are not in a block. Two processes that run at once still make one chain, since each number is
 * given once; after a crash the next run continues. The log names each block, so that a copy of the log elsewhere can
 * prove it.
 */
export const sealTrail = async (deps: Sealer, now: number, signal?: AbortSignal): Promise<void> => {
  await resealTrail(deps);
  const { db, log } = deps;
  for (let blocks = 0; blocks < blocksARun && !signal?.aborted; blocks++) {
    const {
      last: [last],
      lines,
    } = await runAll(db, {
      last: findLastBlock(db, {}),
      lines: findUnsealed(db, { limit: linesABlock }),
    });
    if (lines.length === 0) return;
    const block = await nextBlock(deps, last, lines, now);
    const made = await run(db, recognisesRepeat(insertBlock(db, block)));
    if (made.length > 0)
      log.info('audit sealed', { block: block.number, lines: block.lines, hash: block.hash });
  }
};

/** After the key was rotated: seals blocks again with the present key, as far as the old key's seals are valid. */
export const resealTrail = async (
  deps: Pick<Deps, 'db'> & SealingKeys,
  keyIds = deps.secretBox.oldKeyIds,
): Promise<void> => {
  const { db, secretBox } = deps;
  for (const oldKeyId of keyIds) {
    let after = 0;
    for (let steps = 0; steps < 10; steps++) {
      const found = await run(db, findSealedBy(db, { keyId: oldKeyId, after, limit: resealedAStep }));
      const made = await Promise.all(
        found.map(async ({ number, hash, seal }) => {
          const seals = await deriveSeals(deps, hash);
          return seals.get(oldKeyId) === seal ? [number, seal, seals.get(secretBox.keyId)] : null;
        }),
      );
      const blocks = JSON.stringify(made.filter((block) => block !== null));
      if (blocks !== '[]') await run(db, resealBlocks(db, { blocks, keyId: secretBox.keyId }));
      after = found.at(-1)?.number ?? after;
      if (found.length < resealedAStep) break;
    }
  }
};
