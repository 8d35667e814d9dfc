import { and, asc, eq, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { type Db, run, runAll, type Statement } from '../../core/db/db.ts';
import { claimMs, decisionTtlMs, mostWaiting } from './rules.ts';
import { signups } from './tables.ts';

export type Signup = typeof signups.$inferSelect;

/** Keeps a request unless too many wait, in one step with the end of those whose time is over. */
export const insertSignup = async (
  db: Db,
  signup: Omit<Signup, 'provedAt' | 'claimedAt'>,
  now: number,
): Promise<boolean> => {
  const row = {
    id: sql<string>`${signup.id}`.as('id'),
    name: sql<string>`${signup.name}`.as('name'),
    host: sql<string>`${signup.host}`.as('host'),
    email: sql<string>`${signup.email}`.as('email'),
    timeZone: sql<string | null>`${signup.timeZone}`.as('time_zone'),
    language: sql<'id' | 'en'>`${signup.language}`.as('language'),
    tokenHash: sql<string | null>`${signup.tokenHash}`.as('token_hash'),
    askedAt: sql<number>`${signup.askedAt}`.as('asked_at'),
    provedAt: sql<number | null>`null`.as('proved_at'),
    claimedAt: sql<number | null>`null`.as('claimed_at'),
    expiresAt: sql<number>`${signup.expiresAt}`.as('expires_at'),
  };
  const waiting = db
    .select({ count: sql<number>`count(*)`.as('waiting') })
    .from(signups)
    .as('w');
  const { kept } = await runAll(db, {
    over: db.delete(signups).where(lte(signups.expiresAt, now)),
    kept: db
      .insert(signups)
      .select(db.select(row).from(waiting).where(lt(waiting.count, mostWaiting)))
      .returning({ id: signups.id }),
  });
  return kept.length > 0;
};

/** Uses the token of a link, once; false if it is none, was used, or is too old. */
export const proveSignup = async (db: Db, tokenHash: string, now: number): Promise<boolean> => {
  const proved = await run(
    db,
    db
      .update(signups)
      .set({ provedAt: now, tokenHash: null, expiresAt: now + decisionTtlMs })
      .where(and(eq(signups.tokenHash, tokenHash), sql`${signups.expiresAt} > ${now}`))
      .returning({ id: signups.id }),
  );
  return proved.length > 0;
};

const isWaiting = (now: number) => and(isNotNull(signups.provedAt), sql`${signups.expiresAt} > ${now}`);

/** The clinics that wait for a decision, the one that waits longest first. */
export const listSignups = (db: Db, now: number, limit: number): Promise<Signup[]> =>
  db.select().from(signups).where(isWaiting(now)).orderBy(asc(signups.provedAt)).limit(limit);

/** Takes a request for a decision, so that nobody else decides meanwhile; null if there is none to take. */
export const claimSignup = async (db: Db, id: string, now: number): Promise<Signup | null> => {
  const isFree = or(isNull(signups.claimedAt), lt(signups.claimedAt, now - claimMs));
  const [claimed] = await run(
    db,
    db
      .update(signups)
      .set({ claimedAt: now })
      .where(and(eq(signups.id, id), isWaiting(now), isFree))
      .returning(),
  );
  return claimed ?? null;
};

/** Gives a request back that could not be decided. */
export const releaseSignup = async (db: Db, id: string): Promise<void> => {
  await run(db, db.update(signups).set({ claimedAt: null }).where(eq(signups.id, id)));
};

export const deleteSignup = async (
  db: Db,
  id: string,
  recorded: readonly Statement[] = [],
): Promise<void> => {
  await runAll(db, { deleted: db.delete(signups).where(eq(signups.id, id)), recorded });
};
