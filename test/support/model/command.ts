import fc from 'fast-check';
import { expect } from 'vitest';
import type { Got } from '../world.ts';
import { patientCount, personOf, type Real, timeOf } from './clinic.ts';
import {
  type Actor,
  type Booked,
  dates,
  type Expected,
  type Grid,
  type Model,
  type Place,
  slotsOf,
} from './state.ts';

export type Command = fc.AsyncCommand<Model, Real>;

export const command = (
  label: string,
  run: Command['run'],
  check: (model: Model) => boolean = () => true,
): Command => ({
  check,
  run,
  toString: () => label,
});

export const nat = (max: number) => fc.integer({ min: 0, max });
export const aDoctor = nat(1);
export const actor: fc.Arbitrary<Actor> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ role: fc.constant('patient' as const), at: nat(patientCount - 1) }) },
  { weight: 2, arbitrary: fc.record({ role: fc.constant('staff' as const), at: fc.constant(0) }) },
  { weight: 2, arbitrary: fc.record({ role: fc.constant('doctor' as const), at: aDoctor }) },
  { weight: 1, arbitrary: fc.record({ role: fc.constant('admin' as const), at: fc.constant(0) }) },
);

/** A place on the doctor's present grid, or now and then between its slots. */
export const aim = fc.record({
  doctor: aDoctor,
  day: fc.nat({ max: 5 }).map((n) => (n < 4 ? 0 : n - 3)),
  slot: nat(7),
  off: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(5, 240) }),
});
export type Aim = typeof aim extends fc.Arbitrary<infer T> ? T : never;

export const placeOf = (model: Model, { doctor, day, slot, off }: Aim): Place => {
  const slots = slotsOf(model.grids[doctor] as Grid);
  return { doctor, day, minute: (slots[slot % slots.length] as number) + off };
};

export const slotInputOf = (real: Real, { doctor, day, minute }: Place) => ({
  doctor_id: real.doctorIds[doctor],
  session_id: real.sessionId,
  schedule_date: dates[day],
  schedule_time: timeOf(minute),
});

/** Sends a request, or twice under one idempotency key: the second time changes nothing and answers the same. */
export const send = async (
  real: Real,
  who: Actor,
  path: string,
  body: object,
  repeats: boolean,
): Promise<Got> => {
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

export const expectAnswer = (
  { status, body }: Pick<Got, 'status' | 'body'>,
  { reason, ...expected }: Expected,
): void => {
  expect({ status, code: body.code, reason: body.reason }).toEqual({ code: undefined, ...expected, reason });
};

export const nameOf = ({ role, at }: Actor): string =>
  role === 'patient' || role === 'doctor' ? `${role} ${at}` : role;

export const chosen = ({ bookings }: Model, pick: number): Booked =>
  bookings[pick % bookings.length] as Booked;
export const someBooked = ({ bookings }: Model): boolean => bookings.length > 0;

export const versionInput = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 1) },
);
