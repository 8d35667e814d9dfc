import { TransientDatabaseError } from '../../src/core/db/transient.ts';
import type { World } from './world.ts';

/**
 * Lets `meanwhile` happen right before the `nth` round trip that follows, once: between a request's reading and its
 * writing. Counts the round trips of everybody but `meanwhile` itself.
 */
export const beforeRoundTrip = (world: World, nth: number, meanwhile: () => Promise<unknown>) => {
  const { db } = world;
  const seen = { roundTrips: 0 };
  const batch = async (statements: Parameters<typeof db.batch>[0]) => {
    seen.roundTrips += 1;
    if (seen.roundTrips === nth) {
      world.deps.db = db;
      await meanwhile();
      world.deps.db = watched;
    }
    return db.batch(statements);
  };
  const watched = new Proxy(db, {
    get: (target, name) => (name === 'batch' ? batch : Reflect.get(target, name)),
  });
  world.deps.db = watched;
  return seen;
};

/**
 * Loses the answer of the `nth` round trip that follows, which did its work; `meanwhile` happens before the service sends
 * the same again.
 */
export const loseAnswer = (world: World, nth: number, meanwhile: () => Promise<unknown>) => {
  const { db } = world;
  let roundTrips = 0;
  const batch = async (statements: Parameters<typeof db.batch>[0]) => {
    roundTrips += 1;
    const answer = await db.batch(statements);
    if (roundTrips !== nth) return answer;
    world.deps.db = db;
    await meanwhile();
    throw new TransientDatabaseError('the answer was lost');
  };
  world.deps.db = new Proxy(db, {
    get: (target, name) => (name === 'batch' ? batch : Reflect.get(target, name)),
  });
};

/**
 * Loses the database at the `nth` round trip that follows, before or after its work, and refuses all later ones until
 * it is repaired: as for a process whose database fails in the middle of its work.
 */
export const crashAtRoundTrip = (world: World, nth: number, when: 'before' | 'after') => {
  const { db } = world;
  let roundTrips = 0;
  const batch = async (statements: Parameters<typeof db.batch>[0]) => {
    roundTrips += 1;
    if (roundTrips < nth) return db.batch(statements);
    if (roundTrips === nth && when === 'after') await db.batch(statements);
    throw new TransientDatabaseError('the database is away');
  };
  world.deps.db = new Proxy(db, {
    get: (target, name) => (name === 'batch' ? batch : Reflect.get(target, name)),
  });
  return () => {
    world.deps.db = db;
  };
};
