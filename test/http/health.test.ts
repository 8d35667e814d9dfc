import { expect, it } from 'vitest';
import { clinic } from '../../src/core/tables/catalog.ts';
import { createWorld } from '../support/world.ts';

it('says that the process answers, and that the database can be used', async () => {
  const world = await createWorld();
  expect(await world.request('/health')).toMatchObject({ status: 200, body: { status: 'success' } });
  expect((await world.request('/ready')).body).toEqual({ status: 'success', data: { database: 'ready' } });
  await world.db.delete(clinic);
  expect(await world.request('/ready')).toMatchObject({ status: 503, body: { code: 'unavailable' } });
});
