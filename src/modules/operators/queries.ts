import { and, desc, eq, lt, lte, or, sql } from 'drizzle-orm';
import { type Db, run, runAll, type Statement } from '../../core/db/db.ts';
import { newId } from '../../core/db/ids.ts';
import { actsTtlMs, idleMs, longestMs, windowMs } from './rules.ts';
import { type OperatorAct, operatorActs, operatorAttempts, operatorLogins, operators } from './tables.ts';

type Operator = typeof operators.$inferSelect;

export const findOperator = async (db: Db, email: string): Promise<Operator | null> => {
  const [row] = await db.select().from(operators).where(eq(operators.email, email));
  return row ?? null;
};

export const listOperators = (db: Db): Promise<Pick<Operator, 'email' | 'createdAt'>[]> =>
  db
    .select({ email: operators.email, createdAt: operators.createdAt })
    .from(operators)
    .orderBy(operators.email);

const endLogins = (db: Db, operatorId: string): Statement =>
  db.delete(operatorLogins).where(eq(operatorLogins.operatorId, operatorId));

export const insertOperator = async (db: Db, operator: Operator): Promise<void> => {
  await run(db, db.insert(operators).values(operator));
};

/** Gives an operator another password and another secret; their logins end. */
export const replaceProofs = async (
  db: Db,
  id: string,
  proofs: Pick<Operator, 'passwordHash' | 'totpSecret' | 'totpStep'>,
): Promise<void> => {
  await runAll(db, {
    logins: endLogins(db, id),
    operator: db.update(operators).set(proofs).where(eq(operators.id, id)),
  });
};

export const deleteOperator = async (db: Db, id: string): Promise<void> => {
  await runAll(db, {
    logins: endLogins(db, id),
    operator: db.delete(operators).where(eq(operators.id, id)),
  });
};

/** Counts an attempt under each key, in one step, and returns how often each was tried lately. */
export const countAttempts = async (
  db: Db,
  keys: readonly string[],
  now: number,
  forMs = windowMs,
): Promise<{ key: string; count: number; until: number }[]> => {
  const isOver = sql`${operatorAttempts.until} <= ${now}`;
  const counted = (key: string) =>
    db
      .insert(operatorAttempts)
      .values({ key, count: 1, until: now + forMs })
      .onConflictDoUpdate({
        target: operatorAttempts.key,
        set: {
          count: sql`iif(${isOver}, 1, ${operatorAttempts.count} + 1)`,
          until: sql`iif(${isOver}, ${now + forMs}, ${operatorAttempts.until})`,
        },
      })
      .returning();
  const { counts } = await runAll(db, {
    forgotten: db.delete(operatorAttempts).where(lte(operatorAttempts.until, now)),
    counts: keys.map(counted),
  });
  return counts.flat();
};

interface NewLogin {
  tokenHash: string;
  /** The time step of the code that was used for it. */
  step: number;
  /** The counter of attempts that this login makes good. */
  attempts: string;
  now: number;
}

export const recordAct = (
  db: Db,
  act: { at: number; operator: string; act: OperatorAct; clinicId?: string; clinicName?: string },
): Statement => db.insert(operatorActs).values({ id: newId(), ...act });

/** Logs an operator in, unless the code was used meanwhile; ends logins that are over. One step. */
export const insertLogin = async (
  db: Db,
  { id }: Pick<Operator, 'id'>,
  { tokenHash, step, attempts, now }: NewLogin,
): Promise<boolean> => {
  const isNew = and(eq(operators.id, id), lt(operators.totpStep, step));
  const row = {
    tokenHash: sql<string>`${tokenHash}`.as('token_hash'),
    operatorId: operators.id,
    createdAt: sql<number>`${now}`.as('created_at'),
    usedAt: sql<number>`${now}`.as('used_at'),
  };
  const act = {
    id: sql<string>`${newId()}`.as('id'),
    at: sql<number>`${now}`.as('at'),
    operator: operators.email,
    act: sql<OperatorAct>`${'logged_in'}`.as('act'),
    clinicId: sql<string | null>`null`.as('clinic_id'),
    clinicName: sql<string | null>`null`.as('clinic_name'),
  };
  const { made } = await runAll(db, {
    over: db
      .delete(operatorLogins)
      .where(or(lt(operatorLogins.usedAt, now - idleMs), lt(operatorLogins.createdAt, now - longestMs))),
    made: db
      .insert(operatorLogins)
      .select(db.select(row).from(operators).where(isNew))
      .returning({ operatorId: operatorLogins.operatorId }),
    act: db.insert(operatorActs).select(db.select(act).from(operators).where(isNew)),
    used: db.update(operators).set({ totpStep: step }).where(isNew),
    attempts: db.delete(operatorAttempts).where(eq(operatorAttempts.key, attempts)),
    old: db.delete(operatorActs).where(lt(operatorActs.at, now - actsTtlMs)),
  });
  return made.length > 0;
};

export interface OperatorLogin {
  email: string;
  createdAt: number;
  usedAt: number;
}

export const findLogin = async (db: Db, tokenHash: string): Promise<OperatorLogin | null> => {
  const [row] = await db
    .select({
      email: operators.email,
      createdAt: operatorLogins.createdAt,
      usedAt: operatorLogins.usedAt,
    })
    .from(operatorLogins)
    .innerJoin(operators, eq(operators.id, operatorLogins.operatorId))
    .where(eq(operatorLogins.tokenHash, tokenHash));
  return row ?? null;
};

export const noteUse = async (db: Db, tokenHash: string, now: number): Promise<void> => {
  await run(
    db,
    db.update(operatorLogins).set({ usedAt: now }).where(eq(operatorLogins.tokenHash, tokenHash)),
  );
};

export const endLogin = async (db: Db, tokenHash: string): Promise<void> => {
  await run(db, db.delete(operatorLogins).where(eq(operatorLogins.tokenHash, tokenHash)));
};

/** The last acts, the newest first. */
export const listActs = (db: Db, limit: number): Promise<(typeof operatorActs.$inferSelect)[]> =>
  db.select().from(operatorActs).orderBy(desc(operatorActs.at), desc(operatorActs.id)).limit(limit);
