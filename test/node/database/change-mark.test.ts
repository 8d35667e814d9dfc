import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { run } from '../../../src/core/db/db.ts';
import { replays } from '../../../src/core/tables/idempotency.ts';
import { createRounds } from '../../../src/jobs/rounds.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { createWorld } from '../../support/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'janji-mark-'));
const opened: { close: () => Promise<void> }[] = [];
afterAll(async () => {
  for (const database of opened) await database.close();
  rmSync(folder, { recursive: true });
});

const open = async () => {
  const database = await openDatabase(`file:${join(folder, 'janji.db')}`);
  opened.push(database);
  return database;
};
const replay = (key: string, expiresAt: number) => ({
  ...{ userId: 'u', key, fingerprint: '', status: 201, body: '{}', createdAt: 0 },
  expiresAt,
});

it('an hour without work sends nothing to a file, and what another process writes is seen the next minute', async () => {
  const [own, others] = [await open(), await open()];
  const world = await createWorld({}, Date.parse('2026-11-23T00:00:00Z'), own.db);
  const round = createRounds(world.deps, own.changeMark);
  // The first round may do a new database's work, the second sees that it was changed.
  await round();
  await round();
  const batch = vi.spyOn(world.deps.db, 'batch');
  for (let minutes = 0; minutes < 60; minutes++) {
    world.clock.now += 60_000;
    await round();
  }
  expect(batch).not.toHaveBeenCalled();
  await run(others.db, others.db.insert(replays).values(replay('theirs', world.clock.now)));
  await round();
  expect(await own.db.$count(replays)).toBe(0);
  await round();
  batch.mockClear();
  await round();
  expect(batch).not.toHaveBeenCalled();
  await run(own.db, own.db.insert(replays).values(replay('ours', world.clock.now)));
  await round();
  expect(await own.db.$count(replays)).toBe(0);
});
