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
