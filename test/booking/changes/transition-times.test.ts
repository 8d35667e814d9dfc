import { describe, expect, it } from 'vitest';
import { act, detail } from '../../support/clinic-people.ts';
import { findViolations } from '../../support/invariants.ts';
import { bring, toTen } from '../../support/transitions.ts';

const nine = Date.parse('2026-11-23T02:00:00Z');

describe('when', () => {
  it.each(['approve', 'check-in'])(
    'lets the clinic %s a waiting booking until its slot ends',
    async (verb) => {
      const { world, clinic, id } = await bring('waiting');
      const end = nine + 30 * 60_000;
      world.clock.now = end;
      expect((await act(world, clinic.staff, id, verb)).body.code).toBe('invalid_transition');
      world.clock.now = end - 1;
      expect((await act(world, clinic.staff, id, verb)).body.data.status).toBe('approved');
    },
  );

  it('checks an approved booking in after its slot has ended too', async () => {
    const { world, clinic, id } = await bring('approved');
    world.clock.now = nine + 3 * 3_600_000;
    expect((await act(world, clinic.staff, id, 'check-in')).status).toBe(200);
  });

  it('keeps a check-in only when a booking moves within the same day', async () => {
    const { world, clinic, id } = await bring('called');
    const next = { schedule_date: '2026-11-24', schedule_time: '10:00:00' };
    const { body } = await act(world, clinic.staff, id, 'reschedule', next);
    expect(body.data).toMatchObject({ status: 'approved', visit: null });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it.each(['cancel', 'reschedule'])(
    'lets the patient %s until the lead time, and the clinic after it',
    async (verb) => {
      const { world, clinic, id } = await bring('waiting', { CANCEL_LEAD_MINUTES: '60' });
      const deadline = nine - 60 * 60_000;
      expect((await detail(world, clinic.patient, id)).cancelable_until).toBe(
        new Date(deadline).toISOString(),
      );
      world.clock.now = deadline;
      expect((await act(world, clinic.patient, id, verb, toTen)).body.code).toBe('invalid_transition');
      expect(await detail(world, clinic.patient, id)).toMatchObject({
        cancelable_until: null,
        allowed_actions: [],
      });
      world.clock.now = deadline - 1;
      expect((await act(world, clinic.patient, id, verb, toTen)).status).toBe(200);
      world.clock.now = deadline;
      const other = await bring('waiting', { CANCEL_LEAD_MINUTES: '60' });
      expect((await act(other.world, other.clinic.staff, other.id, verb, toTen)).status).toBe(200);
    },
  );

  it("checks in only on the clinic's own day", async () => {
    const sunday = Date.parse('2026-11-22T16:00:00Z');
    const { world, clinic, id } = await bring('approved', {}, sunday);
    for (const [now, status] of [
      [Date.parse('2026-11-22T16:59:59Z'), 409],
      [Date.parse('2026-11-22T17:00:00Z'), 200],
    ] as const) {
      world.clock.now = now;
      expect((await act(world, clinic.staff, id, 'check-in')).status).toBe(status);
    }
    const late = await bring('approved');
    late.world.clock.now = Date.parse('2026-11-23T15:00:00Z') + 2 * 3_600_000;
    expect((await act(late.world, late.clinic.staff, late.id, 'check-in')).status).toBe(409);
  });

  it('records a no-show after the start of an approved booking', async () => {
    const { world, clinic, id } = await bring('approved');
    expect((await act(world, clinic.staff, id, 'no-show')).body.code).toBe('invalid_transition');
    world.clock.now = nine;
    expect((await act(world, clinic.patient, id, 'no-show')).status).toBe(403);
    expect((await act(world, clinic.staff, id, 'no-show')).body.data.visit.status).toBe('no_show');
    for (const verb of ['no-show', 'check-in', 'cancel', 'reschedule', 'complete'])
      expect((await act(world, clinic.staff, id, verb, toTen)).body).toMatchObject({
        code: 'invalid_transition',
        visit: 'no_show',
      });
    const other = await bring('waiting');
    other.world.clock.now = nine;
    expect((await act(other.world, other.clinic.staff, other.id, 'no-show')).status).toBe(409);
  });

  it.each([
    ['approved', null],
    ['checked-in', 'left'],
    ['called', 'left'],
  ] as const)('says of a no-show from %s why: %s', async (state, reason_code) => {
    const { world, clinic, id } = await bring(state);
    world.clock.now = nine;
    const { body } = await act(world, clinic.staff, id, 'no-show');
    expect(body.data.visit).toMatchObject({ status: 'no_show', reason_code });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('refuses another version than the present one, and nothing else changes', async () => {
    const { world, clinic, id } = await bring('approved');
    for (const verb of ['cancel', 'check-in', 'reschedule'])
      for (const version of [1, 3])
        expect(await act(world, clinic.staff, id, verb, { ...toTen, version })).toMatchObject({
          status: 409,
          body: { code: 'version_mismatch', version: 2 },
        });
    expect((await act(world, clinic.staff, id, 'check-in', { version: 2 })).status).toBe(200);
  });
});
