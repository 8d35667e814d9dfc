import { sql } from 'drizzle-orm';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { expect, it, onTestFinished } from 'vitest';
import { connectDatabase } from '../../../src/runtime/node/database/database.ts';
import { newPath, otherProcess, until } from '../../support/node/embedded-files.ts';

it('never has the driver wait for a lock longer than 50 ms, neither at first nor on the connection after a BUSY', async () => {
  const path = newPath();
  const { db, stats, close, migrate } = await connectDatabase(`file:${path}`);
  onTestFinished(close);
  await migrate();
  const driverWaitsMs = async () => {
    const [[ms] = []] = await (db as LibSQLDatabase).values<[number]>(sql`select * from pragma_busy_timeout`);
    return ms;
  };
  const first = await driverWaitsMs();
  expect(first).toBeLessThanOrEqual(50);
  const order = otherProcess(path);
  await order('lock');
  const writing = Promise.all([(db as LibSQLDatabase).run(sql`delete from throttles`)]);
  for (let reconnects = 1; reconnects <= 3; reconnects++) {
    await until(() => (stats?.().reconnectCount ?? 0) >= reconnects);
    expect(await driverWaitsMs()).toBe(first);
  }
  await order('unlock');
  await writing;
  expect(await driverWaitsMs()).toBe(first);
});
