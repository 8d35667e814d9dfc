import fc from 'fast-check';
import { expect } from 'vitest';
import { modelAct, modelActions, modelEdit, type Verb, verbs } from './actions.ts';
import { modelBook } from './booking.ts';
import { patientCount, personOf, type Real } from './clinic.ts';
import {
  type Aim,
  actor,
  aim,
  chosen,
  command,
  expectAnswer,
  nameOf,
  nat,
  placeOf,
  send,
  slotInputOf,
  someBooked,
  versionInput,
} from './command.ts';
import { type Actor, type Booked, type Model, mergedWith, walkIn } from './state.ts';

export const book = fc
  .record({
    who: actor,
    patient: nat(patientCount),
    aim,
    repeats: fc.boolean(),
    checkIn: fc.boolean(),
    overbook: fc.boolean(),
    bare: fc.boolean(),
  })
  .map(({ who, patient: named, aim: aimed, repeats, bare, ...wished }) => {
    // Patients seldom request the clinic's own actions.
    const asked =
      bare || (who.role === 'patient' && aimed.off === 0) ? { checkIn: false, overbook: false } : wished;
    return command(
      `book(${nameOf(who)}, ${named}, ${JSON.stringify({ ...aimed, ...asked })})`,
      async (model, real) => {
        // Patients mostly name themselves.
        const patient = who.role === 'patient' && (named === 0 || named === 1) ? who.at : named;
        const place = placeOf(model, aimed);
        const body = {
          ...slotInputOf(real, place),
          notes: '',
          patient_id: real.patients[patient]?.id,
          ...(asked.checkIn && { check_in: true }),
          ...(asked.overbook && { overbook: true }),
        };
        const expected = modelBook(model, who, patient, place, asked);
        const answer = await send(real, who, '/v1/bookings', body, repeats);
        expectAnswer(answer, expected);
        if (expected.status === 201) (model.bookings.at(-1) as Booked).id = answer.body.data.id;
      },
    );
  });

interface Change {
  who: Actor;
  aim: Aim;
  /** How far the version that the request names is from the present one; undefined where it names none. */
  off: number | undefined;
  repeats: boolean;
}

const change = async (model: Model, real: Real, verb: Verb, b: Booked, asked: Change): Promise<void> => {
  const { who, off, repeats } = asked;
  const place = placeOf(model, asked.aim);
  // An undo has to name a version.
  const named = off ?? (verb === 'undo' ? 0 : undefined);
  const version = named === undefined ? undefined : b.events.length + named;
  const body = {
    ...(verb === 'reschedule' && slotInputOf(real, place)),
    ...(version !== undefined && { version }),
  };
  const before = [b.status, b.visit];
  const expected = modelAct(model, who, verb, b, { version, place });
  const { status, body: answer } = await send(real, who, `/v1/bookings/${b.id}/${verb}`, body, repeats);
  expectAnswer({ status, body: answer }, expected);
  if (expected.code === 'invalid_transition')
    expect([answer.booking_status, answer.visit ?? null]).toEqual(before);
  if (expected.status !== 200) return;
  const { data } = answer;
  expect(data.status).toBe(b.status);
  if (verb !== 'cancel')
    expect([data.version, data.visit?.status ?? null, data.queue_number]).toEqual([
      b.events.length,
      b.visit,
      b.queueNumber,
    ]);
};

const changing = { pick: nat(30), aim, off: versionInput, repeats: fc.boolean() };

/** Anybody asks for anything. */
export const act = fc
  .record({ who: actor, verb: fc.constantFrom(...verbs), ...changing })
  .map(({ verb, pick, ...asked }) =>
    command(
      `${verb}(${nameOf(asked.who)}, ${pick}, ${JSON.stringify(asked)})`,
      (model, real) => change(model, real, verb, chosen(model, pick), asked),
      someBooked,
    ),
  );

const those = ['staff', 'doctor', 'admin', 'patient'] as const;

/** Somebody who has to do with the booking asks for something that is open to them, so that visits come far. */
export const step = fc
  .record({ role: fc.constantFrom(...those, 'staff' as const), which: nat(7), ...changing })
  .map(({ role, which, pick, ...asked }) =>
    command(
      `step(${role}, ${pick}, ${which}, ${JSON.stringify(asked)})`,
      async (model, real) => {
        const b = chosen(model, pick);
        // A person without an account does nothing.
        const account = b.patient === walkIn ? mergedWith : b.patient;
        const who = { role, at: role === 'doctor' ? b.doctor : role === 'patient' ? account : 0 };
        const actions = modelActions(model, who, b) ?? [];
        const further = actions.filter((verb) => verb !== 'cancel' && verb !== 'reject');
        const requested = which > 0 && further.length > 0 ? further : actions;
        const verb = requested[which % requested.length];
        if (verb !== undefined) await change(model, real, verb, b, { who, ...asked });
      },
      someBooked,
    ),
  );

/** Somebody changes the notes. */
export const edit = fc
  .record({ who: actor, pick: nat(30), off: versionInput, which: fc.constantFrom('notes', 'staff', 'both') })
  .map(({ who, pick, off, which }) =>
    command(
      `edit(${nameOf(who)}, ${pick}, ${which})`,
      async (model, real) => {
        const b = chosen(model, pick);
        const text = `catatan ${b.events.length}`;
        const version = off === undefined ? undefined : b.events.length + off;
        const fields = {
          ...(which !== 'staff' && { notes: text }),
          ...(which !== 'notes' && { staffNotes: text }),
        };
        const { notes, staffNotes } = { notes: undefined, staffNotes: undefined, ...fields };
        const body = { notes, staff_notes: staffNotes, ...(version !== undefined && { version }) };
        const { token } = personOf(real, who);
        const expected = modelEdit(who, b, { ...fields, version });
        const path = `/v1/bookings/${b.id}`;
        expectAnswer(await real.world.request(path, { method: 'PATCH', token, body }), expected);
      },
      someBooked,
    ),
  );

export const look = fc.record({ who: actor, pick: nat(30) }).map(({ who, pick }) =>
  command(
    `look(${nameOf(who)}, ${pick})`,
    async (model, real) => {
      const b = chosen(model, pick);
      const { token } = personOf(real, who);
      const { status, body } = await real.world.request(`/v1/bookings/${b.id}`, { token });
      const actions = modelActions(model, who, b);
      expect(status).toBe(actions === null ? 404 : 200);
      if (actions !== null) expect(body.data.allowed_actions.toSorted()).toEqual(actions.toSorted());
    },
    someBooked,
  ),
);
