import { describe, expect, it } from 'vitest';
import { act, type Clinic, detail } from '../../support/clinic-people.ts';
import { findViolations } from '../../support/invariants.ts';
import { bring, type State, states, toTen } from '../../support/transitions.ts';
import type { World } from '../../support/world.ts';

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
