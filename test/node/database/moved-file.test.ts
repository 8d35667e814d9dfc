import { renameSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { ensureClinic } from '../../../src/core/clinic/row.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { newPath } from '../../support/node/embedded-files.ts';
import { createPerson } from '../../support/people.ts';
import { createWorld } from '../../support/world.ts';

it('answers /ready with 503 at once, and reads within a second, when the file was moved away', async () => {
  const path = newPath();
  const world = await createWorld();
  const { db, assertUsable, close } = await openDatabase(`file:${path}`, undefined, {
    clock: () => world.clock.now,
  });
  onTestFinished(close);
  await ensureClinic(db, 'Asia/Jakarta');
  world.db = world.deps.db = db;
  world.deps.assertDatabaseUsable = assertUsable;
  const { token } = await createPerson(world);
  const statuses = async () => [
    (await world.request('/ready')).status,
    (await world.request('/v1/auth/profile', { token })).status,
    (await world.request('/v1/doctors')).status,
  ];
  expect(await statuses()).toEqual([200, 200, 200]);
  renameSync(path, `${path}.away`);
  expect((await world.request('/v1/doctors')).status).toBe(200);
  world.clock.now += 1000;
  expect((await world.request('/v1/doctors')).status).toBe(503);
  expect(await statuses()).toEqual([503, 503, 503]);
  renameSync(`${path}.away`, path);
  expect(await statuses()).toEqual([200, 200, 200]);
});
