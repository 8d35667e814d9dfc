import { sql } from 'drizzle-orm';
import { fromRow } from '../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../core/db/statement.ts';
import { doctors } from '../../core/tables/catalog.ts';
import { exchangeLookups, exchangeTargets } from '../../core/tables/exchanges.ts';
import { patients } from '../../core/tables/patients.ts';
import { tokenPauseMs } from './rules.ts';

/**
 * Takes the right to ask for a token, as if the try failed: until the pause is over no other process asks. Returns a row
 * if it was taken.
 */
export const takeTokenTry = statement((db, named: Named<'now'>) => {
  const tokenFailedAt = sql`${named('now')}`;
  return db
    .insert(exchangeTargets)
    .values({ target: 'satusehat', tokenFailedAt })
    .onConflictDoUpdate({
      target: exchangeTargets.target,
      set: { tokenFailedAt },
      setWhere: sql`coalesce(${exchangeTargets.tokenFailedAt}, 0) + ${sql.raw(String(tokenPauseMs))} <= ${named('now')}`,
    })
    .returning({ target: exchangeTargets.target });
});

export const keepToken = rowStatement(['token', 'until'], (db, row) =>
  db
    .update(exchangeTargets)
    .set({ token: sql`r.token`, tokenUntil: sql`r.until`, tokenFailedAt: null })
    .from(fromRow(row))
    .where(sql`${exchangeTargets.target} = 'satusehat'`),
);

/** Forgets a token that was refused, unless another process has a new one already. */
export const forgetToken = statement((db, named: Named<'token'>) =>
  db
    .update(exchangeTargets)
    .set({ token: null, tokenUntil: null })
    .where(sql`${exchangeTargets.target} = 'satusehat' and ${exchangeTargets.token} = ${named('token')}`),
);

/** Keeps the IHS number of a patient or a doctor who has none yet. */
export const keepIhs = {
  patient: rowStatement(['id', 'ihsId'], (db, row) =>
    db
      .update(patients)
      .set({ ihsId: sql`r.ihs_id`, version: sql`${patients.version} + 1` })
      .from(fromRow(row))
      .where(sql`${patients.id} = r.id and ${patients.ihsId} is null and ${patients.erasureId} is null`),
  ),
  doctor: rowStatement(['id', 'ihsId'], (db, row) =>
    db
      .update(doctors)
      .set({ ihsId: sql`r.ihs_id`, version: sql`${doctors.version} + 1` })
      .from(fromRow(row))
      .where(sql`${doctors.id} = r.id and ${doctors.ihsId} is null`),
  ),
};

/** Records that no person was found by a number. */
export const noteLookup = statement((db, named: Named<'subjectId' | 'now'>) => {
  const askedAt = sql`${named('now')}`;
  return db
    .insert(exchangeLookups)
    .values({ subjectId: sql`${named('subjectId')}`, askedAt })
    .onConflictDoUpdate({ target: exchangeLookups.subjectId, set: { askedAt } });
});
