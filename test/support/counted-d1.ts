import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import { createApp } from '../../src/app.ts';
import type { Db } from '../../src/core/db/db.ts';
import { type Sent, toInit, type World } from './world.ts';

/** What D1 bills: each row that a statement reads, and each row of a table and entry of an index that it writes. */
export interface Cost {
  trips: number;
  statements: number;
  read: number;
  written: number;
}

/** A D1, and what it was asked for since the count was taken last; `test/http/round-trips.test.ts` counts what is awaited outside of a batch. */
export const countD1 = (database = env.DB) => {
  let cost: Cost = { trips: 0, statements: 0, read: 0, written: 0 };
  const counting = {
    prepare: (sql: string) => database.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await database.batch(statements);
      cost.trips += 1;
      cost.statements += statements.length;
      for (const { meta } of results) {
        cost.read += meta.rows_read;
        cost.written += meta.rows_written;
      }
      return results;
    },
  };
  const take = (): Cost => {
    const taken = cost;
    cost = { trips: 0, statements: 0, read: 0, written: 0 };
    return taken;
  };
  return { db: drizzle(counting as D1Database) as Db, take };
};

/** The same world, and what each of its requests costs. */
export const costing = (world: World) => {
  const { db, take } = countD1();
  const app = createApp({ ...world.deps, db });
  return async (path: string, sent: Sent = {}) => {
    take();
    const response = await app.request(`http://localhost${path}`, toInit(sent));
    const { data } = (await response.json()) as { data: Record<string, string> };
    if (!response.ok) throw new Error(`${path} answers ${response.status}.`);
    return { cost: take(), data };
  };
};
