import { runAll } from '../core/db/db.ts';
import { resealTrail } from '../modules/auth/audit/seal.ts';
import { resealFactors } from '../modules/auth/factors/reseal.ts';
import { findSealedSecrets } from '../modules/auth/factors/reseal-queries.ts';
import type { Sealing } from '../modules/patients/numbers/numbers.ts';
import { resealNumbers } from '../modules/patients/numbers/reseal.ts';
import { countNumbers } from '../modules/patients/numbers/reseal-queries.ts';
import { findSealed } from '../modules/webhooks/delivery/health-queries.ts';
import { resealSecrets } from '../modules/webhooks/delivery/reseal.ts';
import { countSealedBy } from './rekey-queries.ts';

/** The sealed values of a database, by their key. */
export interface Sealed {
  current: number;
  /** Sealed with an older valid key: it opens, and must be sealed again. */
  older: number;
  /** By a key that is not in force: nothing opens it. */
  lost: number;
}

const kinds = ['numbers', 'secrets', 'factors', 'seals'] as const;
type Counts = Record<(typeof kinds)[number], number>;

const sumCounts = (counts: Counts): number => kinds.reduce((sum, kind) => sum + counts[kind], 0);

/** Reads all counts at once: through wrangler each round trip takes a second. */
const countByKey = async ({ db, secretBox }: Sealing) => {
  const keyIds = [secretBox.keyId, ...secretBox.oldKeyIds];
  const { numbers, secrets, factors, seals } = await runAll(db, {
    numbers: keyIds.map((keyId) => countNumbers(db, { keyIds: JSON.stringify([keyId]) })),
    secrets: findSealed(db, {}),
    factors: findSealedSecrets(db, {}),
    // For the audit trail only the waiting blocks count: the chain is intact whatever key sealed it, and none of it is
    // ever lost.
    seals: countSealedBy(db, { keyIds: JSON.stringify(secretBox.oldKeyIds) }),
  });
  const ofWebhooks = secrets.flatMap(({ secret, previousSecret }) => [secret, previousSecret]);
  const sealed = {
    secrets: ofWebhooks.filter((secret) => secret !== null),
    factors: factors.map(({ secret }) => secret),
  };
  const byKey = (texts: readonly string[], keyId: string) =>
    texts.filter((text) => text.split('.')[0] === keyId).length;
  const counts = keyIds.map((keyId, at) => ({
    keyId,
    numbers: numbers[at]?.[0]?.byThese ?? 0,
    secrets: byKey(sealed.secrets, keyId),
    factors: byKey(sealed.factors, keyId),
    seals: seals.find((row) => row.keyId === keyId)?.blocks ?? 0,
  }));
  const waiting = seals.reduce((sum, { blocks }) => sum + blocks, 0);
  const all = (numbers[0]?.[0]?.all ?? 0) + sealed.secrets.length + sealed.factors.length + waiting;
  return { counts, all };
};

const count = async (sealing: Sealing) => {
  const { counts, all } = await countByKey(sealing);
  const [own, ...others] = counts;
  const current = own === undefined ? 0 : sumCounts(own);
  const older = others.reduce((sum, each) => sum + sumCounts(each), 0);
  const sealed: Sealed = { current, older, lost: all - current - older };
  return {
    sealed,
    olderKeyIds: others.filter((each) => sumCounts(each) > 0).map(({ keyId }) => keyId),
    olderKinds: kinds.filter((kind) => others.some((each) => each[kind] > 0)),
  };
};

/** Counts all sealed values, each by the id of the key that it begins with. */
export const countSealed = async (sealing: Sealing): Promise<Sealed> => (await count(sealing)).sealed;

const reseal: Record<(typeof kinds)[number], (sealing: Sealing) => Promise<unknown>> = {
  secrets: resealSecrets,
  factors: resealFactors,
  seals: (sealing) => resealTrail(sealing, sealing.secretBox.oldKeyIds),
  numbers: resealNumbers,
};

/**
 * Seals everything again with the current key, in bounded steps, while the service runs. After an interruption it
 * continues. It ends when nothing is left, or when a step changed nothing: values that cannot be opened stay as they
 * are.
 */
export const rekey = async (sealing: Sealing, progress: (sealed: Sealed) => void): Promise<Sealed> => {
  for (let { sealed, olderKeyIds, olderKinds } = await count(sealing); ; ) {
    progress(sealed);
    if (sealed.older === 0) return sealed;
    const secretBox = { ...sealing.secretBox, oldKeyIds: olderKeyIds };
    for (const kind of olderKinds) await reseal[kind]({ ...sealing, secretBox });
    const after = await count(sealing);
    if (after.sealed.older >= sealed.older) return after.sealed;
    ({ sealed, olderKeyIds, olderKinds } = after);
  }
};
