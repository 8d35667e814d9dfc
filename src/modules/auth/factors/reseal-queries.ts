import { eq, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { secondFactors } from '../../../core/tables/factors.ts';

/** Secrets that a key sealed, in a range of texts that begin with its id. */
export const findSealedBy = statement((db, named: Named<'from' | 'to' | 'max'>) =>
  db
    .select({ id: secondFactors.id, secret: secondFactors.secret })
    .from(secondFactors)
    .where(sql`${secondFactors.secret} > ${named('from')} and ${secondFactors.secret} < ${named('to')}`)
    .limit(named('max')),
);

/** The secrets of all authenticator apps: few people of a clinic have one. */
export const findSealedSecrets = statement((db, _named: Named<never>) =>
  db.select({ secret: secondFactors.secret }).from(secondFactors).where(eq(secondFactors.kind, 'totp')),
);

export const resealSecret = statement((db, named: Named<'id' | 'before' | 'after'>) =>
  db
    .update(secondFactors)
    .set({ secret: sql`${named('after')}` })
    .where(sql`${eq(secondFactors.id, named('id'))} and ${secondFactors.secret} = ${named('before')}`),
);
