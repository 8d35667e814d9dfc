import { beforeEach, describe, expect, it } from 'vitest';
import { judgeBackups } from '../../src/modules/health/rules.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, mondayMorning, type World } from '../support/world.ts';

const hour = 60 * 60_000;
const everyMs = 24 * hour;

describe('the state of backups', () => {
  it.each([
    ['none_yet', null, null],
    ['good', 0, null],
    ['good', 48, null],
    ['late', 48.01, null],
    ['good', 1, 2],
    ['failed', 2, 1],
    ['failed', null, 1],
  ])('is %s with a good one %d hours ago and a failure %d hours ago', (verdict, good, failed) => {
    const ago = (hours: number | null) => (hours === null ? null : mondayMorning - hours * hour);
    const state = { everyMs, lastGoodAt: ago(good), lastFailedAt: ago(failed) };
    expect(judgeBackups(state, mondayMorning)).toBe(verdict);
  });
});

describe('GET /v1/admin/service', () => {
  let world: World;
  let token: string;

  beforeEach(async () => {
    world = await createWorld();
    ({ token } = await createPerson(world, 'admin'));
  });

  it('shows an admin the state of the service’s backups', async () => {
    const lastGoodAt = mondayMorning - 3 * hour;
    world.deps.backupState = () => ({ everyMs, lastGoodAt, lastFailedAt: mondayMorning - hour });
    expect((await world.request('/v1/admin/service', { token })).body.data).toEqual({
      backups: { state: 'failed', last_good_at: new Date(lastGoodAt).toISOString(), every_hours: 24 },
    });
    world.deps.backupState = () => ({ everyMs, lastGoodAt: null, lastFailedAt: null });
    expect((await world.request('/v1/admin/service', { token })).body.data.backups).toMatchObject({
      state: 'none_yet',
      last_good_at: null,
    });
  });

  it('shows none where the service makes none, and nothing to anybody else', async () => {
    expect((await world.request('/v1/admin/service', { token })).body.data).toEqual({ backups: null });
    world.deps.backupState = () => null;
    expect((await world.request('/v1/admin/service', { token })).body.data).toEqual({ backups: null });
    const staff = await createPerson(world, 'staff');
    expect((await world.request('/v1/admin/service', { token: staff.token })).status).toBe(403);
  });
});
