import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Deps } from '../../../src/core/deps.ts';
import { bookings, queues } from '../../../src/core/tables/bookings.ts';
import { clinic as clinicRow } from '../../../src/core/tables/catalog.ts';
import { notices } from '../../../src/core/tables/mail.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { noticeKinds } from '../../../src/core/tables/words.ts';
import { planNotices } from '../../../src/modules/notices/plan.ts';
import { leaseMs } from '../../../src/modules/notices/rules.ts';
import { sendDueNotices } from '../../../src/modules/notices/sending/send.ts';
import { noteReports } from '../../../src/modules/notices/status.ts';
import { openClinic } from './clinic.ts';
import { openStress, report } from './stress.ts';
import { countUntold, fillEvents } from './telling/untold.ts';
import { openWishes } from './telling/wishes.ts';
import { traces } from './unruly-database.ts';

// Several processes plan and send at once, to a gateway that fails, is slow and reports the result of a message, while
// the desk books, approves, moves and cancels, and some patients change their choices; sometimes a planning process
// dies. In the calm phase after that each notice was sent once, and none for a past visit or to a patient who opted
// out.

const stress = await openStress({
  MAX_LIVE_BOOKINGS: '0',
  MIN_NOTICE_MINUTES: '0',
  NOTICE_API_URL: 'https://gateway.klinik.example',
  NOTICE_API_KEY: 'kunci',
});
const { random, app, db, clock, deps } = stress;
const begin = clock.now;
const hourMs = 3_600_000;
const clinic = await openClinic(stress);
const [desk] = clinic.staff;
const wishes = openWishes(stress, clinic.patients.slice(0, 4));
const violations: string[] = [];
const tally = { acknowledged: 0, dropped: 0, failed: 0 };

const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const ask = async (path: string, body: object = {}) => {
  const headers = { Authorization: `Bearer ${desk.token}`, 'Content-Type': 'application/json' };
  const sent = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await app.request(`http://localhost/v1/bookings${path}`, sent);
  return { status: response.status, body: (await response.json()) as { data?: { id: string } } };
};

/** When each message was last sent, as long as it is under way; and what the gateway has said of it for good. */
const underWay = new Map<string, number>();
const taken = new Set<string>();
const reported = new Set<string>();
let isSteady = false;
const dawdling = new Set<() => void>();

const reportOf = (id: string, status: string) => ({
  entry: [{ changes: [{ value: { statuses: [{ status, biz_opaque_callback_data: id }] } }] }],
});

deps.sendMessage = async ({ headers }) => {
  const id = headers['Idempotency-Key'] ?? '';
  const [row] = await db
    .select({
      urgentUntil: notices.urgentUntil,
      state: notices.state,
      status: bookings.status,
      planned: notices.startsAt,
      startsAt: bookings.startsAt,
      kind: notices.kind,
      personId: notices.personId,
      bookingId: notices.bookingId,
      version: notices.version,
    })
    .from(notices)
    .innerJoin(bookings, eq(bookings.id, notices.bookingId))
    .where(eq(notices.id, id));
  if (underWay.has(id) && clock.now - (underWay.get(id) ?? 0) < leaseMs)
    violations.push(`${id} was sent by two at once`);
  if (taken.has(id)) violations.push(`${id} was sent again after it was noted`);
  if (isSteady && row !== undefined && row.kind !== 'canceled' && row.kind !== 'rejected') {
    if (row.status === 'canceled') violations.push(`a ${row.kind} went for what was canceled`);
    if (row.startsAt !== row.planned) violations.push(`a ${row.kind} went for what was moved`);
  }
  if (isSteady && row !== undefined) {
    if (wishes.isStopped(row.personId, row.kind))
      violations.push(`a ${row.kind} went to who does not want it`);
    const { bookingId, kind, version } = row;
    const isLater = and(
      eq(notices.bookingId, bookingId),
      eq(notices.kind, kind),
      gt(notices.version, version),
    );
    if ((await db.select().from(notices).where(isLater)).length > 0)
      violations.push(`a ${row.kind} went though a later one was there`);
  }
  const hour = Math.floor(deps.clinicTime.minuteOf(clock.now) / 60);
  if (row !== undefined && row.urgentUntil <= clock.now && (hour >= 21 || hour < 6))
    violations.push('somebody was disturbed at night');
  underWay.set(id, clock.now);
  try {
    if (!isSteady && random() < 0.1) {
      await new Promise<void>((resolve) => dawdling.add(resolve));
      return { failure: 'timeout' };
    }
    await sleep(random() * 3);
    if (!isSteady && random() < 0.2) return { status: 500 };
    if (random() < 0.3) {
      await noteReports(deps, reportOf(id, 'delivered'));
      reported.add(id);
      if (random() < 0.5) await noteReports(deps, reportOf(id, 'sent'));
    }
    return { status: 200 };
  } finally {
    underWay.delete(id);
  }
};

/** The same, for a process that dies after so many round trips, of which the last may still have taken effect. */
const mortal = (roundTrips: number): Deps => {
  let left = roundTrips;
  const batch: Deps['db']['batch'] = async (statements) => {
    left -= 1;
    if (left > 0) return db.batch(statements);
    if (left === 0 && random() < 0.5) await db.batch(statements);
    throw new Error('its process is lost');
  };
  return {
    ...deps,
    db: new Proxy(db, { get: (of, name) => (name === 'batch' ? batch : Reflect.get(of, name)) }),
  };
};

const tell = (by = deps): Promise<void> =>
  traces
    .run({ firstSent: 0, lastSent: 0 }, () => sendDueNotices(by, clock.now, new AbortController().signal))
    .catch((error: Error) => {
      if (!/lost/.test(String(error.cause ?? error))) violations.push(`the job: ${error.cause ?? error}`);
    });

const noteTaken = async () => {
  for (const { id, state } of await db.select().from(notices)) if (state !== 'pending') taken.add(id);
};

const input = () => {
  const { doctor_id, session_id, schedule_date, schedule_time } = pick(clinic.slots);
  return { doctor_id, session_id, schedule_date, schedule_time };
};

/** Approved visits of tomorrow: their reminders become due while the round runs. */
const book = async (patient_id = pick(clinic.patients).id): Promise<boolean> => {
  const made = await ask('', { ...input(), patient_id, notes: '' });
  if (made.status === 201) ids.push(made.body.data?.id ?? '');
  return made.status === 201;
};
const ids: string[] = [];
const note = () => ask(`/${pick(ids)}/reschedule`, input());
const cancel = () => ask(`/${pick(ids)}/cancel`);

/**
 * Moves a visit away, back and away again, so that two notices have the same content and one of them is out of date.
 */
const moveToAndFro = async (): Promise<void> => {
  for (let times = 0; times < 8; times++) {
    const id = pick(ids);
    const [found] = await db.select().from(bookings).where(eq(bookings.id, id));
    if (found === undefined || found.status === 'canceled') continue;
    const { doctorId, sessionId, scheduleDate, scheduleTime } = found;
    const day = { schedule_date: scheduleDate, schedule_time: scheduleTime };
    const away = input();
    const places = [away, { doctor_id: doctorId, session_id: sessionId, ...day }, away];
    for (const [at, place] of places.entries()) {
      if ((await ask(`/${id}/reschedule`, place)).status !== 200) break;
      if (at === 2) return;
    }
  }
};

const reset = async (): Promise<void> => {
  clock.now = begin;
  ids.length = 0;
  for (const table of [notices, bookings, bookingEvents, queues]) await db.delete(table);
  await wishes.forget();
  await fillEvents(db, begin);
  await db.update(clinicRow).set({ noticedSequence: 0, remindedAt: begin });
};

const round = async (): Promise<string[]> => {
  await reset();
  isSteady = false;
  for (let made = 0; made < 14; made++) await book();
  // Events that were read by one who planned before belong to nobody any more.
  await db.update(bookingEvents).set({ occurredAt: begin - 30 * hourMs });
  const waking = setInterval(() => {
    for (const wake of dawdling) wake();
    dawdling.clear();
  }, 25);
  // The reminders of the day before come due, and those who plan them meet each other and the desk.
  clock.now = begin + 3.2 * hourMs;
  await Promise.all([cancel(), note()]);
  // One dies while it plans.
  if (random() < 0.5) await tell(mortal(1 + Math.floor(random() * 6)));
  const edits = ids.map((id) => sleep(random() * 20).then(() => ask(`/${id}/notes`, { notes: 'x' })));
  await Promise.all([tell(), tell(), tell(), ...edits, note(), cancel(), book(), wishes.change()]);
  for (let times = 0; times < 3; times++) {
    clock.now += leaseMs + 1000;
    await Promise.all([tell(), tell(), cancel(), note(), wishes.change()]);
  }
  await noteTaken();
  // The desk's changes before the next check are notified in their final state, and only that.
  isSteady = true;
  for (let times = 0; times < 3; times++) await Promise.all([cancel(), note()]);
  await moveToAndFro();
  // Planned, and then not wanted any more.
  const [chooser = desk] = wishes.people;
  await wishes.choose(chooser, { message: true, kinds: noticeKinds });
  for (let times = 0; times < 5 && !(await book(chooser.id)); times++);
  // Planned, and then moved.
  await book(clinic.patients.at(-1)?.id);
  const last = ids.at(-1);
  await planNotices(deps, clock.now);
  for (let times = 0; times < 5; times++)
    if ((await ask(`/${last}/reschedule`, input())).status === 200) break;
  await wishes.change();
  await wishes.choose(chooser, random() < 0.5 ? { message: false } : { message: true, kinds: [] });
  const chosenAt = clock.now;
  for (let times = 0; times < 6; times++) {
    clock.now += 16 * 60_000;
    await Promise.all([tell(), tell()]);
    await noteTaken();
    if (times < 3) await Promise.all([cancel(), note()]);
  }
  clearInterval(waking);
  for (const wake of dawdling) wake();
  clock.now = begin + 15 * hourMs;
  await book();
  for (const id of ids.slice(-2)) await ask(`/${id}/cancel`);
  await tell();
  clock.now = begin + 24 * hourMs;
  for (let times = 0; times < 6; times++) {
    await Promise.all([tell(), tell()]);
    clock.now += 16 * 60_000;
  }
  const rows = await db.select().from(notices);
  const unwanted = rows.filter(
    ({ createdAt, personId, kind }) => createdAt > chosenAt && wishes.isStopped(personId, kind),
  );
  if (unwanted.length > 0) violations.push(`a ${unwanted[0]?.kind} was planned for who does not want it`);
  const changed = await wishes.forgotten();
  if (changed.length > 0) violations.push(`${changed.length} choices are not as they were made`);
  const untold = await countUntold(
    db,
    begin,
    wishes.people.map(({ id }) => id),
  );
  if (untold.changes > 0) violations.push(`nobody is told of ${untold.changes} changes`);
  if (untold.reminders > 0) violations.push(`nobody is reminded of ${untold.reminders} visits`);
  const twice = await db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(notices)
    .groupBy(notices.bookingId, notices.kind, notices.channel, notices.startsAt)
    .having(sql`count(*) > 1 and max(${notices.kind}) in ('reminder_early', 'reminder_late')`);
  if (twice.length > 0) violations.push(`${twice.length} reminders were planned twice`);
  const pending = rows.filter(({ state, dueAt }) => state === 'pending' && dueAt <= clock.now - 2 * hourMs);
  if (pending.length > 0) violations.push(`${pending.length} notices never left`);
  const forgotten = rows.filter(({ id, state }) => reported.has(id) && state !== 'delivered');
  if (forgotten.length > 0)
    violations.push(`${forgotten.length} that were delivered are ${forgotten[0]?.state}`);
  tally.acknowledged += rows.filter(({ state }) => state === 'sent' || state === 'delivered').length;
  tally.dropped += rows.filter(({ state }) => state === 'dropped').length;
  tally.failed += rows.filter(({ state }) => state === 'failed').length;
  return violations;
};

await report(stress, round, () => ({ ...tally, lost: stress.tally.lost }));
