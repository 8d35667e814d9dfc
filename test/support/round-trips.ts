import { createApp } from '../../src/app.ts';
import type { Db } from '../../src/core/db/db.ts';
import { type Sent, toInit, type World } from './world.ts';

/** The same world with a database that counts: a batch is one round trip, and so is a query awaited by itself. */
export const counted = (world: World) => {
  let trips = 0;
  const db = new Proxy(world.db as Db & Record<string, unknown>, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        if (name === 'batch') trips += 1;
        const result = Reflect.apply(value, target, given);
        return name === 'batch' ? result : counting(result);
      };
    },
  }) as unknown as Db;
  const counting = (built: unknown): unknown =>
    typeof built !== 'object' || built === null
      ? built
      : new Proxy(built, {
          get: (target, name) => {
            const value = Reflect.get(target, name, target);
            if (typeof value !== 'function') return value;
            if (name === 'then') trips += 1;
            return (...given: unknown[]) => {
              const result = Reflect.apply(value, target, given);
              return name === 'then' || name === '_prepare' ? result : counting(result);
            };
          },
        });
  const app = createApp({ ...world.deps, db });
  return async (path: string, sent: Sent) => {
    const before = trips;
    const response = await app.request(`http://localhost${path}`, toInit(sent));
    const answer = await response.text();
    return {
      status: response.status,
      trips: trips - before,
      data: answer.startsWith('{') ? JSON.parse(answer).data : null,
    };
  };
};
