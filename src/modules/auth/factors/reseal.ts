import { run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { findSealedBy, resealSecret } from './reseal-queries.ts';

const atOnce = 50;

/** After the key was rotated: seals the secrets of authenticator apps again, before the old key is removed. */
export const resealFactors = async ({ db, secretBox }: Pick<Deps, 'db' | 'secretBox'>): Promise<void> => {
  for (const keyId of secretBox.oldKeyIds)
    for (const { id, secret: before } of await run(
      db,
      findSealedBy(db, { from: `${keyId}.`, to: `${keyId}/`, max: atOnce }),
    )) {
      const text = await secretBox.open(before);
      if (text === null) continue;
      await run(db, resealSecret(db, { id, before, after: await secretBox.seal(text) }));
    }
};
