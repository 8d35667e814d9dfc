import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createClinicTime } from '../../../src/core/clinic/time.ts';
import { run } from '../../../src/core/db/db.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { clinic, sessions } from '../../../src/core/tables/catalog.ts';
import { waitlistEntries } from '../../../src/core/tables/queues.ts';
import { findDue } from '../../../src/jobs/due-queries.ts';
import { jobs } from '../../../src/jobs/jobs.ts';
import { releaseFrom, releaseUnconfirmed } from '../../../src/modules/booking/confirming/release.ts';
import { bookingInput, createClosure } from '../../support/clinic.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { act, book, createTelling, hour, mailing, proveEmail, tellAt } from '../../support/notices.ts';
import { createPerson } from '../../support/people.ts';

const wednesday = '2026-11-25';
const start = Date.parse('2026-11-25T12:00:00+07:00');
const asked = start - 24 * hour;
/** Tuesday, six in the evening. */
const release = Date.parse('2026-11-24T18:00:00+07:00');

/** A visit of tomorrow whose patient was asked and has not answered, and somebody who waits for the seat. */
const createUnanswered = async ({
  waits = true,
  time = '18:00:00' as string | null,
  releaseAsked = asked,
  settings = {},
} = {}) => {
  const telling = await createTelling({ ...mailing, ...settings });
  const { world, practice } = telling;
  await world.db.update(clinic).set({ askConfirmation: true, releaseUnconfirmedAt: time });
  const id = await book(telling, { schedule_date: wednesday });
  const waiter = await createPerson(world);
  await proveEmail(world, waiter.id);
  // All other seats of that time are taken, so that only this one can come free.
  const others = await Promise.all([1, 2, 3, 4].map(() => createPerson(world)));
  for (const { token } of others)
    await book({ ...telling, patient: { ...telling.patient, token } }, { schedule_date: wednesday });
  await tellAt(world, releaseAsked);
  if (waits) {
    const times = { earliest_time: '12:00:00', latest_time: '12:00:00' };
    const body = { session_id: practice.sessionId, from: wednesday, to: wednesday, ...times };
    const joined = await world.request('/v1/waitlist', { token: waiter.token, body });
    expect(joined.status).toBe(201);
  }
  const row = async () => (await world.db.select().from(bookings).where(eq(bookings.id, id)))[0];
  const offered = async () =>
    (await world.db.select().from(bookings).where(eq(bookings.patientId, waiter.id))).map(
      ({ status, startsAt }) => [status, startsAt],
    );
  const runAt = async (now: number) => {
    world.clock.now = now;
    await releaseUnconfirmed(world.deps, now);
  };
  return { ...telling, id, row, offered, runAt };
};

it.each([
  ['America/New_York', '2027-03-15', '02:30:00', '2027-03-14T07:30:00Z'],
  ['Africa/Cairo', '2027-05-01', '00:30:00', '2027-04-29T22:30:00Z'],
  ['Australia/Lord_Howe', '2026-10-05', '02:15:00', '2026-10-03T16:15:00Z'],
])('in %s an hour that the clock skips is over within the next', (zone, date, time, from) => {
  const clinicTime = createClinicTime(zone);
  expect(new Date(releaseFrom({ clinicTime }, date, time))).toEqual(new Date(from));
});

describe('a seat whose patient has not answered', () => {
  it('goes to the waitlist at the set hour, in one step, and the patient is told why', async () => {
    const { world, row, offered, runAt } = await createUnanswered();
    await runAt(release - 1);
    expect(await row()).toMatchObject({ status: 'waiting' });
    await runAt(release);
    expect(await row()).toMatchObject({
      status: 'canceled',
      canceledBy: 'system',
      cancelReasonCode: 'unconfirmed',
    });
    expect(await offered()).toEqual([['waiting', start]]);
    await tellAt(world, release);
    const mail = world.mails.find(({ text }) => text.includes('belum menerima kepastian kehadiran'));
    expect(mail?.text).toContain('diberikan kepada pasien lain');
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('stays with the patient where nobody waits for it, and in a clinic that does not want it', async () => {
    for (const given of [{ waits: false }, { time: null }]) {
      const { row, runAt } = await createUnanswered(given);
      await runAt(release + hour);
      expect(await row()).toMatchObject({ status: 'waiting' });
    }
  });

  it('stays with one who answered, who comes, or who was asked less than three hours ago', async () => {
    const answered = await createUnanswered();
    const { world, patient, id } = answered;
    await world.request(`/v1/bookings/${id}/confirm`, { token: patient.token, body: {} });
    await answered.runAt(release);
    expect(await answered.row()).toMatchObject({ status: 'waiting', confirmedAt: asked });
    const late = await createUnanswered({ time: '14:00:00' });
    await late.runAt(asked + 3 * hour - 1);
    expect(await late.row()).toMatchObject({ status: 'waiting' });
    await late.runAt(asked + 3 * hour);
    expect(await late.row()).toMatchObject({ status: 'canceled' });
  });

  it('takes one seat for one who waits, and not those of all who did not answer', async () => {
    const { world, runAt } = await createUnanswered();
    await world.db.update(bookings).set({ askedAt: asked });
    await runAt(release);
    await runAt(release + hour / 60);
    const rows = await world.db.select().from(bookings).where(eq(bookings.status, 'canceled'));
    expect(rows).toHaveLength(1);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is not overlooked behind more unanswered visits than one round takes, for whose seats nobody waits', async () => {
    const { world, row, runAt } = await createUnanswered();
    const wanted = await row();
    if (wanted === undefined) throw new Error('There is no visit.');
    const earlier = Array.from({ length: 100 }, (_, nth) => {
      const startsAt = start - (101 - nth) * 5 * 60_000;
      const scheduleTime = new Date(startsAt + 7 * hour).toISOString().slice(11, 19);
      return {
        ...wanted,
        ...{ id: crypto.randomUUID(), writeId: crypto.randomUUID(), bookingCode: `UJI${nth}` },
        ...{ startsAt, scheduleTime, endsAt: startsAt + 5 * 60_000, askedAt: asked },
      };
    });
    for (const one of earlier) await world.db.insert(bookings).values(one);
    await runAt(release);
    expect(await row()).toMatchObject({ status: 'canceled', cancelReasonCode: 'unconfirmed' });
  });

  it.each([
    [
      'the session is not for whoever waits',
      async ({ world }) => {
        await world.db.update(sessions).set({ openTo: 'known' });
      },
    ],
    [
      'more are booked than there are seats',
      async ({ world, practice, staff }) => {
        const { id: patient_id } = await createPerson(world);
        const place = { schedule_date: wednesday, schedule_time: '12:00:00', patient_id, overbook: true };
        const body = bookingInput(practice, place);
        const { status } = await world.request('/v1/bookings', { token: staff.token, body });
        expect(status).toBe(201);
      },
    ],
    [
      'the doctor is away',
      async ({ world, practice: { doctorId } }) => {
        await createClosure(world, { doctorId, startDate: wednesday });
      },
    ],
    ['it begins before a notice can be sent', async () => undefined, '18-13'],
  ] satisfies [
    string,
    (telling: Awaited<ReturnType<typeof createUnanswered>>) => Promise<unknown>,
    string?,
  ][])('stays with the patient where nobody can be offered it: %s', async (_why, change, quiet = '21-6') => {
    const telling = await createUnanswered({ settings: { QUIET_HOURS: quiet } });
    const { world, runAt } = telling;
    await change(telling);
    await world.db.update(bookings).set({ askedAt: asked });
    await runAt(release);
    await runAt(release + hour / 60);
    expect((await world.db.select().from(bookings)).filter(({ status }) => status === 'canceled')).toEqual(
      [],
    );
  });

  it.each([
    [
      'confirms',
      async ({ world, patient, id }) => {
        await world.request(`/v1/bookings/${id}/confirm`, { token: patient.token, body: {} });
      },
      { status: 'waiting', cancelReasonCode: null },
    ],
    [
      'cancels',
      async ({ world, patient, id }) => {
        await world.request(`/v1/bookings/${id}/cancel`, { token: patient.token, body: {} });
      },
      { status: 'canceled', cancelReasonCode: 'canceled' },
    ],
    [
      'is moved',
      async (telling) => {
        await act(telling, telling.id, 'reschedule', { schedule_date: wednesday, schedule_time: '15:00:00' });
      },
      { status: 'waiting', scheduleTime: '15:00:00' },
    ],
    [
      'is the only one left who wants it',
      async ({ world }) => {
        await world.db.update(waitlistEntries).set({ endedAt: release });
      },
      { status: 'waiting', cancelReasonCode: null },
    ],
  ] satisfies [
    string,
    (telling: Awaited<ReturnType<typeof createUnanswered>>) => Promise<unknown>,
    object,
  ][])('is left as it is where its patient %s while it is released', async (_what, meanwhile, expected) => {
    const telling = await createUnanswered();
    const { world, row, runAt } = telling;
    world.clock.now = release;
    beforeRoundTrip(world, 2, () => meanwhile(telling));
    await runAt(release);
    expect(await row()).toMatchObject(expected);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is due at the set hour, and never in a clinic without the setting', async () => {
    const job = jobs.find(({ name }) => name === 'unconfirmed');
    const dueOf = async (world: Awaited<ReturnType<typeof createUnanswered>>['world']) => {
      const [due] = await run(
        world.db,
        findDue(world.db, {
          ...{ now: world.clock.now, oldKeyIds: '[]', retentionYears: null, channels: '[]', targets: '[]' },
          ...{ earlyReminderMs: 0, lateReminderMs: 0, demoStaffId: '', demoKey: '' },
        }),
      );
      return due && job?.dueAt?.(due, world.deps, world.clock.now);
    };
    expect(await dueOf((await createUnanswered()).world)).toBe(release);
    expect(await dueOf((await createUnanswered({ waits: false })).world)).toBeNull();
    expect(await dueOf((await createUnanswered({ time: null })).world)).toBeNull();
  });
});
