import fc from 'fast-check';
import { expect } from 'vitest';
import { expireBookings } from '../../../src/booking/changes/expire.ts';
import type { Got } from '../world.ts';
import {
  addClosure,
  patientCount,
  personOf,
  type Real,
  removeClosure,
  setApproval,
  setGrid,
  timeOf,
} from './clinic.ts';
import {
  type Actor,
  type Booked,
  type Closed,
  dates,
  type Expected,
  type Grid,
  type Model,
  mergedWith,
  minuteMs,
  modelAct,
  modelActions,
  modelBook,
  modelEdit,
  modelExpire,
  modelMerge,
  type Place,
  slotsOf,
  type Verb,
  verbs,
  walkIn,
} from './state.ts';

type Command = fc.AsyncCommand<Model, Real>;

const command = (
  label: string,
  run: Command['run'],
  check: (model: Model) => boolean = () => true,
): Command => ({
  check,
  run,
  toString: () => label,
});

const nat = (max: number) => fc.integer({ min: 0, max });
const aDoctor = nat(1);
const actor: fc.Arbitrary<Actor> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ role: fc.constant('patient' as const), at: nat(patientCount - 1) }) },
  { weight: 2, arbitrary: fc.record({ role: fc.constant('staff' as const), at: fc.constant(0) }) },
  { weight: 2, arbitrary: fc.record({ role: fc.constant('doctor' as const), at: aDoctor }) },
  { weight: 1, arbitrary: fc.record({ role: fc.constant('admin' as const), at: fc.constant(0) }) },
);

/** A place on the doctor's present grid, or now and then between its slots. */
const aim = fc.record({
  doctor: aDoctor,
  day: fc.nat({ max: 5 }).map((n) => (n < 4 ? 0 : n - 3)),
  slot: nat(7),
  off: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(5, 240) }),
});
type Aim = typeof aim extends fc.Arbitrary<infer T> ? T : never;

const placeOf = (model: Model, { doctor, day, slot, off }: Aim): Place => {
  const slots = slotsOf(model.grids[doctor] as Grid);
  return { doctor, day, minute: (slots[slot % slots.length] as number) + off };
};

const slotInputOf = (real: Real, { doctor, day, minute }: Place) => ({
  doctor_id: real.doctorIds[doctor],
  session_id: real.sessionId,
  schedule_date: dates[day],
  schedule_time: timeOf(minute),
});

/** Sends a request, or twice under one idempotency key: the second time changes nothing and answers the same. */
const send = async (real: Real, who: Actor, path: string, body: object, repeats: boolean): Promise<Got> => {
  const headers = repeats ? { 'Idempotency-Key': `kunci-${real.keys++}` } : {};
  const ask = () => real.world.request(path, { token: personOf(real, who).token, body, headers });
  const first = await ask();
  if (repeats && first.status < 300) {
    const second = await ask();
    expect([second.status, second.headers.get('Idempotency-Replayed')]).toEqual([first.status, 'true']);
    expect(second.body).toEqual(first.body);
  }
  return first;
};

const expectAnswer = (
  { status, body }: Pick<Got, 'status' | 'body'>,
  { reason, ...expected }: Expected,
): void => {
  expect({ status, code: body.code, reason: body.reason }).toEqual({ code: undefined, ...expected, reason });
};

const nameOf = ({ role, at }: Actor): string =>
  role === 'patient' || role === 'doctor' ? `${role} ${at}` : role;

const book = fc
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
    // Patients seldom ask for what is the clinic's.
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

const chosen = ({ bookings }: Model, pick: number): Booked => bookings[pick % bookings.length] as Booked;
const someBooked = ({ bookings }: Model): boolean => bookings.length > 0;

const versionInput = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 1) },
);

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
const act = fc
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
const step = fc
  .record({ role: fc.constantFrom(...those, 'staff' as const), which: nat(7), ...changing })
  .map(({ role, which, pick, ...asked }) =>
    command(
      `step(${role}, ${pick}, ${which}, ${JSON.stringify(asked)})`,
      async (model, real) => {
        const b = chosen(model, pick);
        // Whoever has no account does nothing.
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
const edit = fc
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

const approve = fc.constantFrom('manual' as const, 'automatic' as const).map((approval) =>
  command(`approval(${approval})`, async (model, real) => {
    model.automatic = approval === 'automatic';
    await setApproval(real, approval);
  }),
);

const look = fc.record({ who: actor, pick: nat(30) }).map(({ who, pick }) =>
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

const lay = fc
  .record({
    doctor: aDoctor,
    start: fc.constantFrom(480, 495, 510),
    slotMinutes: fc.constantFrom(30, 30, 45, 60),
    capacity: fc.constantFrom(1, 2, 3),
  })
  .map(({ doctor, ...fields }) =>
    command(`lay out(${doctor}, ${JSON.stringify(fields)})`, async (model, real) => {
      const grid = { ...fields, end: 600 };
      model.grids[doctor] = grid;
      await setGrid(real, doctor, grid);
    }),
  );

const close: fc.Arbitrary<Command> = fc
  .record({
    doctor: fc.option(aDoctor, { freq: 3 }),
    day: nat(2),
    hours: fc.option(fc.constantFrom({ from: 500, until: 545 }, { from: 0, until: 540 }), { freq: 3 }),
  })
  .map((closed: Closed) =>
    command(`close(${JSON.stringify(closed)})`, async (model, real) => {
      model.closures.push(closed);
      await addClosure(real, closed);
    }),
  );

const open = nat(9).map((pick) =>
  command(
    `open(${pick})`,
    async (model, real) => {
      const at = pick % model.closures.length;
      model.closures.splice(at, 1);
      await removeClosure(real, at);
    },
    ({ closures }) => closures.length > 0,
  ),
);

const wait = fc.constantFrom(5, 5, 5, 25, 25, 30, 30, 60, 90, 240).map((minutes) =>
  command(`wait(${minutes} minutes)`, async (model, real) => {
    model.now += minutes * minuteMs;
    real.world.clock.now = model.now;
  }),
);

const expire = fc.constant(
  command('expire', async (model, real) => {
    modelExpire(model);
    await expireBookings(real.world.deps, model.now);
  }),
);

/** The clinic merges the record without an account into that of an account. */
const merge = fc
  .record({ role: fc.constantFrom('staff' as const, 'admin' as const), repeats: fc.boolean() })
  .map(({ role, repeats }) =>
    command(
      `merge(${role})`,
      async (model, real) => {
        const expected = modelMerge(model, role);
        const [source, target] = [real.patients[walkIn]?.id, real.patients[mergedWith]?.id];
        const who = { role, at: 0 };
        expectAnswer(
          await send(real, who, `/v1/patients/${source}/merge`, { into: target }, repeats),
          expected,
        );
      },
      ({ merged }) => !merged,
    ),
  );

/** Random commands of random actors, at most `size`. */
export const commandsOf = (size: number) =>
  fc.commands(
    [
      book,
      book,
      book,
      step,
      step,
      step,
      step,
      step,
      act,
      act,
      look,
      edit,
      approve,
      lay,
      close,
      open,
      wait,
      wait,
      expire,
      merge,
    ],
    {
      maxCommands: size,
      size: 'max',
    },
  );
