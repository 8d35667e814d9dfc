import { eq, sql } from 'drizzle-orm';
import { run } from '../../db/db.ts';
import { type Named, statement } from '../../db/statement.ts';
import type { Deps } from '../../deps.ts';
import { secondFactors } from '../../tables/factors.ts';

const atOnce = 50;

/** Secrets that a key sealed, in a range of texts that begin with its id. */
const findSealedBy = statement((db, named: Named<'from' | 'to' | 'max'>) =>
  db
    .select({ id: secondFactors.id, secret: secondFactors.secret })
    .from(secondFactors)
    .where(sql`${secondFactors.secret} > ${named('from')} and ${secondFactors.secret} < ${named('to')}`)
    .limit(named('max')),
);

const resealSecret = statement((db, named: Named<'id' | 'before' | 'after'>) =>
  db
    .update(secondFactors)
    .set({ secret: sql`${named('after')}` })
    .where(sql`${eq(secondFactors.id, named('id'))} and ${secondFactors.secret} = ${named('before')}`),
);

/** After the key was rotated: seals the secrets of authenticator apps anew, before the old key is removed. */
export const resealFactors = async ({ db, secretBox }: Deps): Promise<void> => {
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
