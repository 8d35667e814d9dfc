import { describe, expect, it } from 'vitest';
import { act, book } from '../support/clinic-people.ts';
import { createExchanging } from '../support/exchanging.ts';

/** A clinic with a step that BPJS does not take. */
const createParked = async () => {
  const here = await createExchanging({ SATUSEHAT: 'off' });
  const { world, clinic, bpjs, send } = here;
  bpjs.fault = () => 'referral';
  const id = await book(world, clinic);
  for (const verb of ['approve', 'check-in']) await act(world, clinic.staff, id, verb);
  await send();
  bpjs.fault = () => null;
  const { token } = clinic.staff;
  const list = async (query = '') => (await world.request(`/v1/admin/exchanges${query}`, { token })).body;
  const [step] = (await list('?state=parked')).data;
  const does = (verb: string) =>
    world.request(`/v1/admin/exchanges/${step.id}/${verb}`, { method: 'POST', token });
  return { ...here, id, list, step, does };
};

describe('a step that was not taken', () => {
  it('is listed with the reason in words, and leaves with all that waits behind it once it is tried again', async () => {
    const { list, step, does, send, rows } = await createParked();
    expect(step).toMatchObject({
      system: 'bpjs',
      step: 'add',
      state: 'parked',
      reason: 'referral',
      message: 'Rujukan tidak berlaku. Perbaiki nomor rujukan pada janji temu.',
      answer: 'Rujukan tidak valid',
      next_attempt_at: null,
    });
    expect((await list()).meta.systems).toEqual([
      { system: 'bpjs', waiting: 1, parked: 1, resting_until: null, reason: null, message: null },
    ]);
    expect((await does('retry')).status).toBe(202);
    await send();
    expect([(await list()).data, await rows()]).toEqual([[], []]);
  });

  it('takes the later steps of its visit along once it is left, since BPJS has not heard of it', async () => {
    const { list, does, send, bpjs } = await createParked();
    expect((await does('leave')).status).toBe(200);
    await send();
    expect((await list()).data.map(({ state }: { state: string }) => state)).toEqual(['left']);
    expect(bpjs.queues.size).toBe(0);
  });

  it('of a visit that moves after it was left is forgotten: BPJS hears of the new one', async () => {
    const { world, clinic, id, list, does, send, bpjs } = await createParked();
    await does('leave');
    await send();
    await act(world, clinic.staff, id, 'reschedule', {
      schedule_date: '2026-11-23',
      schedule_time: '10:00:00',
    });
    await send();
    expect([(await list()).data, [...bpjs.queues.values()].map(({ tasks }) => tasks.length)]).toEqual([
      [],
      [1],
    ]);
  });

  it('is for the reception and admins: a doctor may not see the list, a patient neither', async () => {
    const { world, clinic } = await createParked();
    for (const { token } of [clinic.doctor, clinic.patient])
      expect((await world.request('/v1/admin/exchanges', { token })).status).toBe(403);
  });

  it('ends the rest of its system when it is tried again', async () => {
    const { world, bpjs, list, does, send } = await createParked();
    bpjs.fault = () => 'signature';
    await does('retry');
    await send();
    const { meta } = await list();
    expect(meta.systems[0]).toMatchObject({ reason: 'signature', resting_until: expect.any(String) });
    bpjs.fault = () => null;
    await does('retry');
    await send();
    expect((await list()).data).toEqual([]);
    expect(world.clock.now).toBeLessThan(Date.parse(meta.systems[0].resting_until));
  });
});
