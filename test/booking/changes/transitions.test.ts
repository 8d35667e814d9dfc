import { describe, expect, it } from 'vitest';
import { act, book, type Clinic, createClinic, detail } from '../../support/clinic-people.ts';
import { findViolations } from '../../support/invariants.ts';
import { createWorld, mondayMorning, type World } from '../../support/world.ts';

const nine = Date.parse('2026-11-23T02:00:00Z');
const toTen = { schedule_date: '2026-11-23', schedule_time: '10:00:00' };

/** Puts a new booking (Monday 09:00) into a given state, at 07:00 that day. */
const states = {
  waiting: [],
  approved: ['approve'],
  'checked-in': ['approve', 'check-in'],
  called: ['approve', 'check-in', 'call'],
  completed: ['approve', 'check-in', 'complete'],
  canceled: ['cancel'],
} as const;
type State = keyof typeof states;

const bring = async (state: State, settings: Record<string, string> = {}, now = mondayMorning) => {
  const world = await createWorld(settings, now);
  const clinic = await createClinic(world);
  const id = await book(world, clinic);
  for (const verb of states[state]) expect((await act(world, clinic.staff, id, verb)).status).toBe(200);
  return { world, clinic, id };
};

interface Row {
  verb: string;
  body?: Record<string, unknown>;
  /** Where it is open to the clinic, and what becomes of the booking. */
  from: Partial<Record<State, object>>;
  patient?: readonly State[];
}

const canceledBy = (by: string, reason_code = 'canceled') => ({
  status: 'canceled',
  cancellation: { by, reason_code, reason: null },
});

const rows: readonly Row[] = [
  { verb: 'approve', from: { waiting: { status: 'approved' } } },
  { verb: 'reject', from: { waiting: canceledBy('staff', 'rejected') } },
  {
    verb: 'cancel',
    from: {
      waiting: canceledBy('staff'),
      approved: canceledBy('staff'),
      'checked-in': canceledBy('staff'),
      called: canceledBy('staff'),
    },
    patient: ['waiting', 'approved'],
  },
  {
    verb: 'reschedule',
    body: toTen,
    from: {
      waiting: { status: 'waiting', ...toTen },
      approved: { status: 'approved', ...toTen },
      'checked-in': { status: 'approved', visit: { status: 'checked_in' }, ...toTen },
      called: { status: 'approved', visit: { status: 'checked_in', call_count: 0 }, ...toTen },
    },
    patient: ['waiting', 'approved'],
  },
  {
    verb: 'check-in',
    from: {
      waiting: { status: 'approved', visit: { status: 'checked_in' } },
      approved: { visit: { status: 'checked_in' } },
    },
  },
  {
    verb: 'call',
    from: {
      'checked-in': { visit: { status: 'called', call_count: 1 } },
      called: { visit: { status: 'called', call_count: 2 } },
    },
  },
  { verb: 'skip', from: { called: { visit: { status: 'checked_in', call_count: 0 } } } },
  {
    verb: 'complete',
    from: {
      'checked-in': { visit: { status: 'completed' } },
      called: { visit: { status: 'completed' } },
    },
  },
];

const clinicOnly = new Set(['approve', 'reject', 'check-in', 'call', 'skip', 'complete']);
const allStates = Object.keys(states) as State[];

const mayEverybodyRunIt = async (world: World, clinic: Clinic, id: string, { verb, body = {} }: Row) => {
  expect((await act(world, clinic.otherDoctor, id, verb, body)).status).toBe(404);
  const stranger = await act(world, clinic.stranger, id, verb, body);
  expect(stranger.status).toBe(clinicOnly.has(verb) ? 403 : 404);
  if (clinicOnly.has(verb)) expect((await act(world, clinic.patient, id, verb, body)).status).toBe(403);
  expect((await world.request(`/v1/bookings/${id}/${verb}`, { body })).status).toBe(401);
};

describe.each(rows)('$verb', (row) => {
  const { verb, from, body = {}, patient = [] } = row;
  it.each(allStates)(
    'from %s does what the table says for the clinic, and refuses everybody else',
    async (state) => {
      const { world, clinic, id } = await bring(state);
      await mayEverybodyRunIt(world, clinic, id, row);
      const before = await detail(world, clinic.staff, id);
      expect(before.allowed_actions.includes(verb)).toBe(from[state] !== undefined);
      const answer = await act(world, clinic.staff, id, verb, body);
      const after = await detail(world, clinic.staff, id);
      if (from[state] === undefined) {
        expect(answer).toMatchObject({
          status: 409,
          body: { code: 'invalid_transition', booking_status: before.status },
        });
        expect(answer.body.visit).toBe(before.visit?.status);
        expect(after).toEqual(before);
      } else {
        expect(answer.status).toBe(200);
        expect(after).toMatchObject({ ...from[state], version: before.version + 1 });
        if (verb !== 'cancel') expect(after).toMatchObject(answer.body.data);
      }
      expect(await findViolations(world.db)).toEqual([]);
    },
  );

  it.each(patient.length > 0 ? allStates : [])('by the patient from %s', async (state) => {
    const { world, clinic, id } = await bring(state);
    const may = patient.includes(state);
    expect((await detail(world, clinic.patient, id)).allowed_actions.includes(verb)).toBe(may);
    const answer = await act(world, clinic.patient, id, verb, body);
    expect(answer.status).toBe(may ? 200 : 409);
    if (may)
      expect(await detail(world, clinic.patient, id)).toMatchObject(
        verb === 'cancel'
          ? { status: 'canceled', cancellation: { by: 'patient' } }
          : { status: 'waiting', visit: null, ...toTen },
      );
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is open to the doctor of the booking and to an admin too', async () => {
    const [state] = Object.keys(from) as [State];
    for (const role of ['doctor', 'admin'] as const) {
      const { world, clinic, id } = await bring(state);
      expect((await act(world, clinic[role], id, verb, body)).status).toBe(200);
    }
  });
});

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

  it('keeps a check-in on a move of the same day alone', async () => {
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

  it("checks in on the clinic's own day alone", async () => {
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
