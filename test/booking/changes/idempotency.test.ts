import { describe, expect, it } from 'vitest';
import { contracts } from '../../../src/interface/contracts.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { findViolations } from '../../support/invariants.ts';
import { createWorld } from '../../support/world.ts';

const dayMs = 86_400_000;
const headers = { 'Idempotency-Key': 'kunci-yang-sama' };
const afterStart = Date.parse('2026-11-23T02:00:00Z');

interface Case {
  verb: string;
  before: readonly string[];
  body?: Record<string, unknown>;
  now?: number;
  /** Whether the booking, as it is then, may be changed so once more. */
  again?: boolean;
  /** Whether there is nothing left to do, which is fine. */
  unchanged?: boolean;
}

const cases: readonly Case[] = [
  { verb: 'approve', before: [] },
  { verb: 'reject', before: [], body: { reason: 'Dokter berhalangan.' } },
  { verb: 'check-in', before: ['approve'] },
  { verb: 'call', before: ['approve', 'check-in'], again: true },
  { verb: 'skip', before: ['approve', 'check-in', 'call'] },
  { verb: 'complete', before: ['approve', 'check-in'] },
  { verb: 'no-show', before: ['approve'], now: afterStart },
  { verb: 'undo', before: ['approve', 'check-in'], body: { version: 3 } },
  {
    verb: 'reschedule',
    before: ['approve'],
    body: { schedule_date: '2026-11-26', schedule_time: '09:00:00' },
    unchanged: true,
  },
  { verb: 'cancel', before: ['approve'], body: { reason: 'Pindah rumah sakit.' } },
];

describe.each(cases)(
  '$verb under an idempotency key',
  ({ verb, before, body = {}, now, again, unchanged }) => {
    it('is done once, answers the same for 24 hours, refuses another request, and then is done again', async () => {
      const world = await createWorld();
      const clinic = await createClinic(world, { capacity: 2 });
      const id = await book(world, clinic);
      const other = await book(world, clinic, {}, clinic.stranger.token);
      for (const step of before) expect((await act(world, clinic.staff, id, step)).status).toBe(200);
      world.clock.now = now ?? world.clock.now;
      const ask = (fields: Record<string, unknown> = body, of = id) =>
        act(world, clinic.staff, of, verb, fields, headers);

      const first = await ask();
      expect(first.status).toBe(200);
      expect(first.headers.get('Idempotency-Replayed')).toBeNull();
      const after = await detail(world, clinic.staff, id);
      expect(after.version).toBe(before.length + 2);

      for (const mismatch of [() => ask({ ...body, version: 99 }), () => ask(body, other)])
        expect(await mismatch()).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
      const began = world.clock.now;
      for (const later of [0, dayMs - 1]) {
        world.clock.now = began + later;
        const replay = await ask();
        expect([replay.status, replay.headers.get('Idempotency-Replayed')]).toEqual([200, 'true']);
        expect(replay.body).toEqual(first.body);
      }
      expect((await detail(world, clinic.staff, id)).version).toBe(after.version);

      world.clock.now = began + dayMs;
      const anew = await ask();
      expect(anew.headers.get('Idempotency-Replayed')).toBeNull();
      if (again) expect(anew).toMatchObject({ status: 200, body: { data: { version: after.version + 1 } } });
      else if (unchanged)
        expect(anew).toMatchObject({ status: 200, body: { data: { version: after.version } } });
      else
        expect(anew).toMatchObject({
          status: 409,
          body: { code: body.version === undefined ? 'invalid_transition' : 'version_mismatch' },
        });
      expect(await findViolations(world.db)).toEqual([]);
    });
  },
);

const ofBooking = '/v1/bookings/{id}/';
/** Leaves the booking as it is: test/booking/series. */
const makesAnother = new Set(['/v1/bookings/{id}/follow-up']);

it('is tested above for every verb of a booking', () => {
  const verbs = Object.values(contracts).flatMap(({ method, path }) =>
    method === 'post' && path.startsWith(ofBooking) && !makesAnother.has(path)
      ? [path.slice(ofBooking.length)]
      : [],
  );
  // A follow-up makes another booking: its repeat is tested with the series. What a patient says of themselves is tested
  // beside it.
  const others = new Set(['follow-up', 'confirm', 'arrive']);
  const tested = cases.map(({ verb }) => verb).sort();
  const hint = "add `{ verb: '…', before: [] },` to `cases` of test/booking/changes/idempotency.test.ts";
  expect(verbs.filter((verb) => !others.has(verb)).sort(), hint).toEqual(tested);
});
