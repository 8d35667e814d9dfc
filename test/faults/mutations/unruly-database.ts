import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../src/core/db/db.ts';
import { TransientDatabaseError } from '../../../src/core/db/transient.ts';

/** The database use of one attempt of a request: when its last write was sent for the first and the last time. */
export interface Trace {
  firstSent: number;
  lastSent: number;
}

export const traces = new AsyncLocalStorage<Trace>();

let ticks = 0;
/** Counts on at each call, so that the order of two moments is known. */
export const tick = (): number => ++ticks;

type Batch = Parameters<Db['batch']>[0];

/** Whether the request is carried out by it: that a login was seen is noted after the answer. */
const writes = (statements: Batch): boolean =>
  statements.some((statement) => {
    const built = statement as unknown as { getQuery?: () => { sql: string }; toSQL?: () => { sql: string } };
    const { sql } = (built.getQuery ?? built.toSQL)?.call(built) ?? { sql: '' };
    return /^\s*(insert|update|delete)/i.test(sql) && !/^\s*update "device_logins"/i.test(sql);
  });

/** Mostly at once, sometimes after others, now and then long after them. */
const hesitate = async (random: () => number): Promise<void> => {
  const luck = random();
  if (luck > 0.4) return;
  await sleep(luck > 0.1 ? random() * 4 : 5 + random() * 40);
};

/**
 * A database behind a bad network: round trips take different times, and a traced request's writes are now and
 * then lost before they arrive, or their answer after they took effect.
 */
export const unruly = (db: Db, random: () => number, tally: { lost: number }): Db => {
  const firstSends = new WeakMap<object, number>();
  const batch = async (statements: Batch) => {
    await hesitate(random);
    const trace = traces.getStore();
    if (trace === undefined || !writes(statements)) return db.batch(statements);
    if (random() < 0.01) throw new TransientDatabaseError('lost before it arrived');
    const [first] = statements;
    trace.lastSent = tick();
    trace.firstSent = firstSends.get(first) ?? trace.lastSent;
    firstSends.set(first, trace.firstSent);
    const results = await db.batch(statements);
    if (random() < 0.04) {
      tally.lost += 1;
      throw new TransientDatabaseError('the answer was lost');
    }
    await hesitate(random);
    return results;
  };
  return new Proxy(db, {
    get: (target, name) => (name === 'batch' ? batch : Reflect.get(target, name)),
  });
};
