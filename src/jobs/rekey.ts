import { resealTrail } from '../auth/audit/seal.ts';
import { resealFactors } from '../auth/factors/reseal.ts';
import { findSealedSecrets } from '../auth/factors/reseal-queries.ts';
import { runAll } from '../db/db.ts';
import type { Sealing } from '../patients/numbers/numbers.ts';
import { resealNumbers } from '../patients/numbers/reseal.ts';
import { countNumbers } from '../patients/numbers/reseal-queries.ts';
import { findSealed } from '../webhooks/delivery/health-queries.ts';
import { resealSecrets } from '../webhooks/delivery/reseal.ts';
import { countSealedBy } from './rekey-queries.ts';

/** What stands sealed in a database, by whose key. */
export interface Sealed {
  current: number;
  /** By an older key in force: it opens, and is to be sealed anew. */
  older: number;
  /** By a key that is not in force: nothing opens it. */
  lost: number;
}

/** Reads all counts at once: through wrangler each round trip takes a second. */
const countByKey = async ({ db, secretBox }: Sealing) => {
  const keyIds = [secretBox.keyId, ...secretBox.oldKeyIds];
  const { numbers, secrets, factors, seals } = await runAll(db, {
    numbers: keyIds.map((keyId) => countNumbers(db, { keyIds: JSON.stringify([keyId]) })),
    secrets: findSealed(db, {}),
    factors: findSealedSecrets(db, {}),
    // Of the audit trail only what waits: it holds together whatever key sealed it, and none of it is ever lost.
    seals: countSealedBy(db, { keyIds: JSON.stringify(secretBox.oldKeyIds) }),
  });
  const ofSecrets = [
    ...secrets.flatMap(({ secret, previousSecret }) => [secret, previousSecret]),
    ...factors.map(({ secret }) => secret),
  ]
    .filter((sealed) => sealed !== null)
    .map((sealed) => sealed.split('.')[0]);
  const counts = keyIds.map((keyId, at) => ({
    keyId,
    count:
      (numbers[at]?.[0]?.byThese ?? 0) +
      ofSecrets.filter((id) => id === keyId).length +
      (seals.find((row) => row.keyId === keyId)?.blocks ?? 0),
  }));
  const waiting = seals.reduce((sum, { blocks }) => sum + blocks, 0);
  return { counts, all: (numbers[0]?.[0]?.all ?? 0) + ofSecrets.length + waiting };
};

const count = async (sealing: Sealing): Promise<{ sealed: Sealed; olderKeyIds: string[] }> => {
  const { counts, all } = await countByKey(sealing);
  const [{ count: current } = { count: 0 }, ...others] = counts;
  const older = others.reduce((sum, each) => sum + each.count, 0);
  const olderKeyIds = others.filter((each) => each.count > 0).map(({ keyId }) => keyId);
  return { sealed: { current, older, lost: all - current - older }, olderKeyIds };
};

/** Counts all sealed values, each by the id of the key that it begins with. */
export const countSealed = async (sealing: Sealing): Promise<Sealed> => (await count(sealing)).sealed;

/**
 * Seals everything by the current key, in bounded steps and while the service runs on. Cut short, it goes on where it
 * was. It ends when nothing is left, or when a step has made no headway: values that no step can open stay as they are.
 */
export const rekey = async (sealing: Sealing, progress: (sealed: Sealed) => void): Promise<Sealed> => {
  for (let { sealed, olderKeyIds } = await count(sealing); ; ) {
    progress(sealed);
    if (sealed.older === 0) return sealed;
    const { secretBox } = sealing;
    await resealSecrets(sealing);
    await resealFactors(sealing);
    await resealTrail(sealing, olderKeyIds);
    await resealNumbers({ ...sealing, secretBox: { ...secretBox, oldKeyIds: olderKeyIds } });
    const after = await count(sealing);
    if (after.sealed.older >= sealed.older) return after.sealed;
    ({ sealed, olderKeyIds } = after);
  }
};
