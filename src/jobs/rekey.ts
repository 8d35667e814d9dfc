import { run } from '../db/db.ts';
import type { Sealing } from '../patients/numbers/numbers.ts';
import { resealNumbers } from '../patients/numbers/reseal.ts';
import { countNumbers } from '../patients/numbers/reseal-queries.ts';
import { findSealed } from '../webhooks/delivery/health-queries.ts';
import { resealSecrets } from '../webhooks/delivery/reseal.ts';

/** What stands sealed in a database, by whose key. */
export interface Sealed {
  current: number;
  /** By an older key in force: it opens, and is to be sealed anew. */
  older: number;
  /** By a key that is not in force: nothing opens it. */
  lost: number;
}

/** Counts all sealed values, each by the id of the key that it begins with. */
export const countSealed = async ({ db, secretBox }: Sealing): Promise<Sealed> => {
  const [byCurrent] = await run(db, countNumbers(db, { keyIds: JSON.stringify([secretBox.keyId]) }));
  const [byOlder] = await run(db, countNumbers(db, { keyIds: JSON.stringify(secretBox.oldKeyIds) }));
  const numbers = {
    all: byCurrent?.all ?? 0,
    current: byCurrent?.byThese ?? 0,
    older: byOlder?.byThese ?? 0,
  };
  const secrets = (await run(db, findSealed(db, {})))
    .flatMap(({ secret, previousSecret }) => [secret, previousSecret])
    .filter((sealed) => sealed !== null)
    .map((sealed) => sealed.split('.')[0] ?? '');
  const current = secrets.filter((keyId) => keyId === secretBox.keyId).length;
  const older = secrets.filter((keyId) => secretBox.oldKeyIds.includes(keyId)).length;
  return {
    current: numbers.current + current,
    older: numbers.older + older,
    lost: numbers.all - numbers.current - numbers.older + secrets.length - current - older,
  };
};

/**
 * Seals everything by the current key, in bounded steps and while the service runs on. Cut short, it goes on where it
 * was. It ends when nothing is left, or when a step has made no headway: values that no step can open stay as they are.
 */
export const rekey = async (sealing: Sealing, progress: (sealed: Sealed) => void): Promise<Sealed> => {
  for (let before = await countSealed(sealing); ; ) {
    progress(before);
    if (before.older === 0) return before;
    await resealSecrets(sealing);
    await resealNumbers(sealing);
    const after = await countSealed(sealing);
    if (after.older >= before.older) return after;
    before = after;
  }
};
