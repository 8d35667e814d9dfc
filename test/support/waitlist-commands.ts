import fc from 'fast-check';
import { expect } from 'vitest';
import { bookings } from '../../src/core/tables/bookings.ts';
import { closures, schedules } from '../../src/core/tables/catalog.ts';
import { runWaitlist } from '../../src/modules/booking/waitlist/job.ts';
import { bookingInput, createClosure } from './clinic.ts';
import { date, minuteMs } from './waitlist.ts';
import {
  accept,
  doctorCount,
  give,
  patientCount,
  runModelJob,
  take,
  times,
  type WaitModel,
} from './waitlist-model.ts';
import { changeCalendar, compare, isLaidOut, placeOf, type Real } from './waitlist-real.ts';

type Command = fc.AsyncCommand<WaitModel, Real>;
const command = (
  label: string,
  run: Command['run'],
  check: (model: WaitModel) => boolean = () => true,
): Command => ({
  check,
  run: async (model, real) => {
    await run(model, real);
    await compare(real, model);
  },
  toString: () => label,
});

const nat = (max: number) => fc.integer({ min: 0, max });
const place = fc.record({ doctor: nat(doctorCount - 1), slot: nat(times.length - 1) });
const inputOf = (real: Real, { doctor, slot }: { doctor: number; slot: number }) =>
  bookingInput(
    { doctorId: real.doctorIds[doctor] as string, sessionId: real.sessionId },
    { schedule_date: date, schedule_time: times[slot] },
  );
const tokenOf = (real: Real, patient: number) => real.people[patient]?.token;

export const join = fc
  .record({ patient: nat(patientCount - 1), doctor: fc.option(nat(doctorCount - 1)), latest: nat(1) })
  .map((wish) =>
    command(`join(${JSON.stringify(wish)})`, async (model, real) => {
      const { patient, doctor, latest } = wish;
      const isTwice = model.entries.some((entry) => entry.patient === patient && entry.doctor === doctor);
      const { status, body } = await real.world.request('/v1/waitlist', {
        token: tokenOf(real, patient),
        body: {
          session_id: real.sessionId,
          doctor_id: doctor === null ? null : real.doctorIds[doctor],
          from: date,
          to: date,
          latest_time: times[latest],
        },
      });
      expect([status, body.code]).toEqual(isTwice ? [409, 'already_waiting'] : [201, undefined]);
      if (isTwice) return;
      model.keys += 1;
      model.entries.push({ key: model.keys, ...wish, unanswered: 0 });
      real.entryIds.set(model.keys, body.data.id);
    }),
  );

export const book = fc.record({ patient: nat(patientCount - 1), place }).map(({ patient, place: to }) =>
  command(`book(${patient}, ${JSON.stringify(to)})`, async (model, real) => {
    const refused = take(model, patient, to);
    const { body } = await real.world.request('/v1/bookings', {
      token: tokenOf(real, patient),
      body: inputOf(real, to),
    });
    expect(body.code ?? null).toBe(refused);
  }),
);

/** A booking, or with `held` an offer, and its row. */
const chosen = async (model: WaitModel, real: Real, pick: number, held: boolean) => {
  const some = model.seats.filter(({ until }) => (until !== null) === held);
  const seat = some[pick % some.length] as (typeof some)[number];
  const rows = await real.world.db.select().from(bookings);
  const row = rows.find((b) => {
    const { doctor, slot } = placeOf(real, b);
    const isIts = b.patientId === real.people[seat.patient]?.id && b.status !== 'canceled';
    return isIts && doctor === seat.doctor && slot === seat.slot;
  });
  return { seat, id: row?.id as string, token: tokenOf(real, seat.patient) };
};
const some = (held: boolean) => (model: WaitModel) =>
  model.seats.some(({ until }) => (until !== null) === held);

export const cancel = fc.record({ pick: nat(9), held: fc.boolean() }).map(({ pick, held }) =>
  command(
    `cancel(${pick}, ${held ? 'offer' : 'booking'})`,
    async (model, real) => {
      const { seat, id, token } = await chosen(model, real, pick, held);
      give(model, seat);
      const { status } = await real.world.request(`/v1/bookings/${id}/cancel`, { method: 'POST', token });
      expect(status).toBe(200);
    },
    some(held),
  ),
);

export const move = fc.record({ pick: nat(9), place }).map(({ pick, place: to }) =>
  command(
    `move(${pick}, ${JSON.stringify(to)})`,
    async (model, real) => {
      const { seat, id, token } = await chosen(model, real, pick, false);
      const isThere = seat.doctor === to.doctor && seat.slot === to.slot;
      const refused = isThere ? null : take(model, seat.patient, to, seat);
      const { body } = await real.world.request(`/v1/bookings/${id}/reschedule`, {
        token,
        body: inputOf(real, to),
      });
      expect(body.code ?? null).toBe(refused);
    },
    some(false),
  ),
);

const waits = ({ entries }: WaitModel) => entries.length > 0;
export const answer = fc
  .record({ pick: nat(9), how: fc.constantFrom('accept', 'accept', 'decline', 'leave') })
  .map(({ pick, how }) =>
    command(
      `${how}(${pick})`,
      async (model, real) => {
        // Mostly somebody who has an offer.
        const offered = model.entries.filter(({ key }) =>
          model.seats.some((s) => s.entry === key && s.until !== null),
        );
        const from = offered.length > 0 && pick > 1 ? offered : model.entries;
        const { key, patient } = from[pick % from.length] as (typeof from)[number];
        const held = model.seats.find((seat) => seat.entry === key && seat.until !== null);
        const isFine = how === 'leave' || (how === 'accept' ? accept(model, key) : held !== undefined);
        if (how === 'leave') model.entries = model.entries.filter((entry) => entry.key !== key);
        if (how !== 'accept' && held !== undefined) give(model, held);
        const path = `/v1/waitlist/${real.entryIds.get(key)}${how === 'leave' ? '' : `/${how}`}`;
        const method = how === 'leave' ? 'DELETE' : 'POST';
        const { status, body } = await real.world.request(path, { method, token: tokenOf(real, patient) });
        expect([status, body.code]).toEqual(isFine ? [200, undefined] : [409, 'no_offer']);
      },
      waits,
    ),
  );

export const order = fc.record({ pick: nat(9), before: fc.option(nat(9)) }).map(({ pick, before }) =>
  command(
    `put(${pick}, before ${before})`,
    async (model, real) => {
      const entry = model.entries[pick % model.entries.length] as WaitModel['entries'][number];
      const other = before === null ? null : (model.entries[before % model.entries.length] as typeof entry);
      if (entry !== other) {
        model.entries = model.entries.filter((e) => e !== entry);
        const at = other === null ? model.entries.length : model.entries.indexOf(other);
        model.entries.splice(at, 0, entry);
      }
      const { status } = await real.world.request(`/v1/admin/waitlist/${real.entryIds.get(entry.key)}/move`, {
        token: real.staff.token,
        body: { before_id: other === null ? null : real.entryIds.get(other.key), reason: 'other' },
      });
      expect(status).toBe(200);
    },
    waits,
  ),
);

export const capacity = nat(2).map((more) =>
  command(`capacity(${more + 1})`, async (model, real) => {
    model.capacity = more + 1;
    await real.world.db
      .update(schedules)
      .set({ capacity: more + 1 })
      .where(isLaidOut);
    await changeCalendar(real);
  }),
);

export const close = fc.constant(
  command('close or open', async (model, real) => {
    model.isClosed = !model.isClosed;
    if (model.isClosed) await createClosure(real.world, { startDate: date });
    else await real.world.db.delete(closures);
    await changeCalendar(real);
  }),
);

export const pass = fc.constantFrom(1, 10, 29, 30, 31).map((minutes) =>
  command(`pass(${minutes} minutes)`, async (model, real) => {
    model.now += minutes * minuteMs;
    real.world.clock.now = model.now;
  }),
);

export const job = fc.constant(
  command('job', async (model, real) => {
    runModelJob(model);
    await runWaitlist(real.world.deps, model.now);
  }),
);
