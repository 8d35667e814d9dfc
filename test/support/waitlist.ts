import { runWaitlist } from '../../src/modules/booking/waitlist/job.ts';
import { bookingInput, createPractice } from './clinic.ts';
import { createPerson } from './people.ts';
import { createWorld, type World } from './world.ts';

export const minuteMs = 60_000;
export type Person = Awaited<ReturnType<typeof createPerson>>;
export type Practice = Awaited<ReturnType<typeof createPractice>>;

/** Monday 08:00 in Jakarta: outside of the quiet hours. */
export const morning = Date.parse('2026-11-23T01:00:00Z');
/** Wednesday, when the offers of these tests are for. */
export const date = '2026-11-25';

export const wishOf = ({ sessionId }: Practice, fields: Record<string, unknown> = {}) => ({
  session_id: sessionId,
  from: date,
  to: date,
  ...fields,
});

/** A clinic with one seat a slot, whose people wait, book and cancel. */
export const createWaiting = async (settings: Record<string, string> = {}, capacity = 1) => {
  const world = await createWorld(settings, morning);
  const practice = await createPractice(world, { capacity });
  const staff = await createPerson(world, 'staff');
  const book = async (person: Person, fields: Record<string, unknown> = {}) => {
    const body = bookingInput(practice, { schedule_date: date, ...fields });
    return world.request('/v1/bookings', { token: person.token, body });
  };
  const wait = async (person: Person, fields: Record<string, unknown> = {}): Promise<string> => {
    const { status, body } = await world.request('/v1/waitlist', {
      token: person.token,
      body: wishOf(practice, fields),
    });
    if (status !== 201) throw new Error(`Cannot wait: ${JSON.stringify(body)}`);
    return body.data.id;
  };
  const cancel = ({ token }: Person, id: string) =>
    world.request(`/v1/bookings/${id}/cancel`, { method: 'POST', token });
  const answer = ({ token }: Person, id: string, how: 'accept' | 'decline') =>
    world.request(`/v1/waitlist/${id}/${how}`, { method: 'POST', token });
  /** A person's open offer. */
  const offersOf = async ({ token }: Person) => {
    const { body } = await world.request('/v1/waitlist', { token });
    return body.data.flatMap(({ offer }: { offer: unknown }) => (offer === null ? [] : [offer]));
  };
  const runJob = () => runWaitlist(world.deps, world.clock.now);
  const pass = (minutes: number): void => {
    world.clock.now += minutes * minuteMs;
  };
  return { world, practice, staff, book, wait, cancel, answer, offersOf, runJob, pass };
};

export type Waiting = Awaited<ReturnType<typeof createWaiting>>;

/** A practice whose slot of nine is taken by somebody who will give it back. */
export const createTaken = async (settings: Record<string, string> = {}) => {
  const waiting = await createWaiting(settings);
  const holder = await createPerson(waiting.world);
  const { body } = await waiting.book(holder);
  return { ...waiting, holder, bookingId: body.data.id as string };
};

export const personOf = (world: World) => createPerson(world);
