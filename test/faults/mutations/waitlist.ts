import { setTimeout as sleep } from 'node:timers/promises';
import { eq, isNotNull, sql } from 'drizzle-orm';
import { securityEvents } from '../../../src/core/tables/accounts.ts';
import { bookings, queues } from '../../../src/core/tables/bookings.ts';
import { closures, doctors, sessions } from '../../../src/core/tables/catalog.ts';
import { replays } from '../../../src/core/tables/idempotency.ts';
import { waitlistEntries } from '../../../src/core/tables/queues.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { issueAccessToken } from '../../../src/modules/auth/tokens.ts';
import { runWaitlist } from '../../../src/modules/booking/waitlist/job.ts';
import { findProblems } from '../../../src/runtime/node/database/invariants.ts';
import { differencesFrom, type Settled } from '../../support/faults/acknowledged.ts';
import type { Member } from './clinic.ts';
import { openOrders } from './orders.ts';
import { openStress, report } from './stress.ts';
import { tick, traces } from './unruly-database.ts';
import { calmly } from './waiting/calm.ts';
import { dates, openWaiting, wished } from './waiting/clinic.ts';
import { misjudged } from './waiting/silence.ts';

// Everybody waits, books, gives back and answers offers at once, over a database whose round trips take their time and
// whose answers get lost. Then it is calm, and each seat that comes free has to go to whom the rules and the list name.

const stress = await openStress({
  MAX_LIVE_BOOKINGS: '4',
  MAX_UNPROVED_BOOKINGS: '2',
  MIN_NOTICE_MINUTES: '60',
  MAX_ADVANCE_DAYS: '1',
  QUIET_HOURS: 'off',
});
const { random, app, db, deps, clock } = stress;
deps.mailer = { reachesPeople: true, send: async () => {} };
const begin = clock.now;
const clinic = await openWaiting(stress);
const orders = openOrders(stress);
const violations: string[] = [];
const tally = { acknowledged: 0, offered: 0, accepted: 0, lapsed: 0, calm: 0 };

const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const several = () => (random() < 0.4 ? 2 + Math.floor(random() * 2) : 1);

/** Requests that have an effect or none, and at most one: the answer does not say which. */
const unsaid: Settled[] = [];

/** Sends what knows no key until it is answered. */
const ask = async ({ token, id: userId }: Member, path: string, body?: object, method = 'POST') => {
  for (let tries = 1; tries <= 40; tries++) {
    const requestId = crypto.randomUUID();
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'X-Request-Id': requestId,
    };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const order = { path, userId, token, key: null, requestId, body: {} };
    unsaid.push({ order, answer: { status: 503, text: '', body: {}, replayed: false } });
    const response = await traces.run({ firstSent: 0, lastSent: 0 }, () =>
      app.request(`http://localhost${path}`, sent),
    );
    if (response.status === 503) continue;
    if (response.status >= 500) violations.push(`${path} was answered ${response.status}`);
    return response.status;
  }
  violations.push(`${path} was never answered`);
  return 503;
};

const reset = async (): Promise<void> => {
  clock.now = begin;
  for (const table of [bookings, bookingEvents, queues, waitlistEntries, closures, replays])
    await db.delete(table);
  await clinic.restore();
  // A token of a later hour is none yet.
  for (const member of clinic.patients) {
    const claims = { userId: member.id, deviceLoginId: member.deviceLoginId, role: 'patient' as const };
    member.token = await issueAccessToken(deps.tokenKeys, claims, begin, 20 * 86_400);
  }
  tally.acknowledged += orders.settled.filter(({ answer }) => answer.status < 300).length;
  orders.settled.length = 0;
  unsaid.length = 0;
  series.length = 0;
};

const job = (): Promise<void> =>
  traces
    .run({ firstSent: 0, lastSent: 0 }, () => runWaitlist(deps, clock.now))
    .catch((error: Error) => {
      if (!/lost/.test(String(error.cause ?? error))) violations.push(`the job: ${error}`);
    });

const wait = async (member: Member, wish = wished(clinic, random, member)): Promise<void> => {
  const answer = await orders.place(member, '/v1/waitlist', wish, several()).done;
  if (answer.status !== 201) return;
  const entries = await db.select().from(waitlistEntries).where(eq(waitlistEntries.id, answer.body.data.id));
  if (entries.length !== 1) violations.push('who was told to wait does not');
};

const waitTwice = async (member: Member): Promise<void> => {
  const wish = wished(clinic, random, member);
  await Promise.all([wait(member, wish), wait(member, wish), wait(member, wish)]);
};

/** More wishes at once than an account may have. */
const waitForAll = async (member: Member): Promise<void> => {
  const { from, to } = wished(clinic, random, member);
  await Promise.all(clinic.wishes.map((place) => wait(member, { ...place, from, to })));
};

const book = async (member: Member, slot = pick(clinic.slots)): Promise<void> => {
  await orders.place(member, '/v1/bookings', { ...slot, notes: '' }, several()).done;
};

const own = async ({ id }: Member) =>
  (await db.select().from(bookings).where(eq(bookings.patientId, id))).filter(
    ({ status }) => status !== 'canceled',
  );

/** The desk and the patient give the same booking back, or one of them moves it. */
const giveBack = async (member: Member): Promise<void> => {
  const row = pick(await own(member));
  if (row === undefined) return book(member);
  const desk = pick(clinic.staff);
  const path = `/v1/bookings/${row.id}`;
  await Promise.all([
    orders.place(desk, `${path}/cancel`, {}, several()).done,
    random() < 0.5
      ? orders.place(member, `${path}/cancel`, {}, several()).done
      : orders.place(pick([member, desk]), `${path}/reschedule`, pick(clinic.slots), several()).done,
    wait(pick(clinic.patients)),
  ]);
};

const offersTo = (member: Member) =>
  own(member).then((rows) => rows.filter(({ heldUntil }) => heldUntil !== null));

/** Says yes and no at once. */
const answer = async (member: Member): Promise<void> => {
  const offer = pick(await offersTo(member));
  if (offer === undefined) return wait(member);
  const path = `/v1/waitlist/${offer.waitlistId}`;
  const body = { booking_id: offer.id };
  const ways = pick([
    ['accept', 'decline', 'accept'],
    ['decline', 'accept', 'accept'],
    ['accept', 'accept', 'decline'],
  ] as const);
  const answers = await Promise.all(
    ways
      .slice(0, 1 + Math.floor(random() * 3))
      .map((way) => orders.place(member, `${path}/${way}`, body, several()).done),
  );
  await Promise.all([
    job(),
    orders.place(member, `${path}/accept`, body, 1).done.then((one) => answers.push(one)),
  ]);
  const accepted = answers.filter(({ status, body }) => status === 200 && body.data !== undefined);
  const declined = answers.filter(({ status, body }) => status === 200 && body.data === undefined);
  if (accepted.some(({ body }) => body.data.id !== offer.id)) violations.push('another seat was accepted');
  if (accepted.length > 1) violations.push('a seat was accepted twice');
  if (accepted.length > 0 && declined.length > 0) violations.push('a seat was accepted and declined');
};

const leave = async (member: Member): Promise<void> => {
  const rows = await db.select().from(waitlistEntries).where(eq(waitlistEntries.createdBy, member.id));
  const waiting = rows.filter(({ endedAt }) => endedAt === null);
  // The first entry may get an offer just while its patient leaves.
  const entry = random() < 0.5 ? pick(waiting) : waiting.sort((a, b) => a.position - b.position)[0];
  if (entry === undefined) return wait(member);
  const [status] = await Promise.all([
    ask(member, `/v1/waitlist/${entry.id}`, undefined, 'DELETE'),
    random() < 0.5 ? job() : giveBack(pick(clinic.patients)),
  ]);
  const [left] = await db.select().from(waitlistEntries).where(eq(waitlistEntries.id, entry.id));
  if (status < 300 && left?.endedAt === null) violations.push('who has left still waits');
};

const acceptAll = async () => {
  const offered = await Promise.all(clinic.patients.map(offersTo));
  return clinic.patients.flatMap((member, at) =>
    (offered[at] ?? []).map(
      ({ waitlistId }) => orders.place(member, `/v1/waitlist/${waitlistId}/accept`, {}, several()).done,
    ),
  );
};

/** The session approves by itself from now on, and who accepts is approved. */
const approveMeanwhile = async (): Promise<void> => {
  const accepting = await acceptAll();
  await sleep(random() * 3);
  const sessionId = clinic.sessionIds[0];
  await db.batch([
    db.update(sessions).set({ approval: 'automatic' }).where(eq(sessions.id, sessionId)),
    db.update(doctors).set({ calendarVersion: sql`${doctors.calendarVersion} + 1` }),
  ]);
  const barrier = orders.raise({ sessionId });
  await Promise.all([...accepting, ...(await acceptAll())]);
  barrier.until = tick();
};

const logOutMeanwhile = async (member: Member): Promise<void> => {
  const accepting = (await offersTo(member)).map(
    ({ waitlistId }) => orders.place(member, `/v1/waitlist/${waitlistId}/accept`, {}, several()).done,
  );
  await sleep(random() * 3);
  await Promise.all([...accepting, orders.logOutAndIn(member)]);
};

const order = async (): Promise<void> => {
  const rows = (await db.select().from(waitlistEntries)).filter(({ endedAt }) => endedAt === null);
  const [entry, other] = [pick(rows), pick(rows)];
  if (entry === undefined || other === undefined) return;
  const before_id = random() < 0.3 ? null : other.id;
  const body = { before_id, reason: 'other' };
  await Promise.all([
    orders.place(pick(clinic.staff), `/v1/admin/waitlist/${entry.id}/move`, body, several()).done,
    ask(pick(clinic.staff), `/v1/admin/waitlist/${other.id}/move`, { before_id: entry.id, reason: 'urgent' }),
  ]);
};

/** The same time on both days, by the patient within the limits or by the desk without. */
const bookSeries = async (member: Member): Promise<void> => {
  const by = random() < 0.6 ? member : pick(clinic.staff);
  const on_conflict = pick(['fail', 'fail', 'skip', 'nearest']);
  const slot = pick(clinic.slots.filter(({ schedule_date }) => schedule_date === dates[0]));
  const whose = by === member ? {} : { patient_id: member.id };
  const body = { ...slot, ...whose, every_days: 1, count: 2, on_conflict, notes: '' };
  const made = await orders.place(by, '/v1/bookings/series', body, several()).done;
  if (made.status === 200) series.push({ id: made.body.data.id, member });
  if (made.status === 200 && on_conflict === 'fail' && made.body.data.results.some(isUnbooked))
    violations.push('a series of all or none was booked in part');
};

const series: { id: string; member: Member }[] = [];
const isUnbooked = ({ booking }: { booking: object | null }) => booking === null;

/** The rest of a series is given back while the desk moves one of its bookings. */
const cancelSeries = async (member: Member): Promise<void> => {
  const one = pick(series);
  if (one === undefined) return bookSeries(member);
  const rows = (await own(one.member)).filter(({ seriesId }) => seriesId === one.id);
  await Promise.all([
    orders.place(
      pick([one.member, pick(clinic.staff)]),
      `/v1/bookings/series/${one.id}/cancel`,
      {},
      several(),
    ).done,
    ...rows
      .slice(0, 1)
      .map(({ id }) => orders.place(clinic.staff[0], `/v1/bookings/${id}/approve`, {}, 1).done),
  ]);
};

/** The desk books the next that suits behind a booking, while others take it. */
const followUp = async (member: Member): Promise<void> => {
  const row = pick(await own(member));
  if (row === undefined) return book(member);
  const body = { from: dates[1], to: dates[1], notes: '' };
  await Promise.all([
    orders.place(pick(clinic.staff), `/v1/bookings/${row.id}/follow-up`, body, several()).done,
    book(member),
  ]);
};

const verbs = [wait, book, giveBack, giveBack, giveBack, answer, answer, answer, leave, waitTwice, order];
verbs.push(logOutMeanwhile, job, job, bookSeries, bookSeries, cancelSeries, cancelSeries, followUp);

/** Invalid states of the rows, however the requests interleaved. */
const contradictions = async (): Promise<string[]> => {
  const { rows, live, entries } = await clinic.read();
  const starts = Map.groupBy(live, ({ doctorId, startsAt }) => `${doctorId} ${startsAt}`);
  const open = live.filter(({ heldUntil }) => heldUntil !== null);
  const waiting = entries.filter(({ endedAt }) => endedAt === null);
  const counted = <T>(list: readonly T[], keyOf: (one: T) => string, most = 1) =>
    [...Map.groupBy(list, keyOf).values()].filter((group) => group.length > most).length;
  const coming = live.filter(
    ({ heldUntil, patientId, createdBy }) => heldUntil === null && patientId === createdBy,
  );
  const unproved = live.filter(
    ({ heldUntil, createdBy }) => heldUntil === null && clinic.unproved.has(createdBy),
  );
  const ordered = await db.select().from(securityEvents).where(eq(securityEvents.type, 'waitlist_ordered'));
  const found: [number, string][] = [
    [
      [...starts.values()].filter((group) => group.length > clinic.capacityOf(group[0]?.doctorId)).length,
      'slots hold more than their capacity',
    ],
    [counted(open, ({ patientId }) => patientId), 'people hold two offers'],
    [counted(coming, ({ patientId }) => patientId, 4), 'people have more than four coming bookings'],
    [counted(unproved, ({ createdBy }) => createdBy, 2), 'unproved accounts have more than two'],
    [
      counted(waiting, ({ patientId, sessionId, doctorId }) => `${patientId} ${sessionId} ${doctorId}`),
      'wait twice',
    ],
    [counted(waiting, ({ createdBy }) => createdBy, 10), 'accounts wait for more than ten'],
    [counted(waiting, ({ sessionId, position }) => `${sessionId} ${position}`), 'places are shared'],
    [counted(ordered, ({ requestId }) => `${requestId}`), 'orders were carried out twice'],
    [
      rows.filter(
        (row) => row.cancelReasonCode === 'offer_lapsed' && (row.canceledAt ?? 0) < (row.heldUntil ?? 0),
      ).length,
      'offers ended before their time',
    ],
    [
      live.filter((row) => row.heldUntil === null && waiting.some(({ id }) => id === row.waitlistId)).length,
      'who accepted still waits',
    ],
    [misjudged({ rows, entries }).length, 'wait though they never answer, or wait no more though they do'],
  ];
  return found.filter(([count]) => count > 0).map(([count, what]) => `${what}: ${count}`);
};

const round = async (): Promise<string[]> => {
  await reset();
  const [desk] = clinic.staff;
  const begun = clinic.patients.map(
    (member, at) =>
      orders.place(desk, '/v1/bookings', { ...clinic.slots[at], patient_id: member.id, notes: '' }).done,
  );
  await Promise.all([
    ...begun,
    ...clinic.patients.map((member) => wait(member)),
    waitForAll(pick(clinic.patients)),
  ]);
  const lives = clinic.patients.map(async (member) => {
    for (let acts = 0; acts < 3; acts++) await pick(verbs)(member);
  });
  const passing = sleep(random() * 60).then(() => {
    if (random() < 0.5) clock.now += 31 * 60_000;
  });
  await Promise.all([...lives, passing]);
  await (random() < 0.5 ? approveMeanwhile() : Promise.all(clinic.patients.map(logOutMeanwhile)));
  await orders.resolve();
  const bookingOrders = orders.settled.filter(({ order }) => !order.path.startsWith('/v1/admin/'));
  const found = [...violations, ...orders.violations, ...(await contradictions())];
  found.push(...findProblems(stress.path), ...differencesFrom(stress.path, [...bookingOrders, ...unsaid]));
  const rows = await db.select().from(bookings).where(isNotNull(bookings.waitlistId));
  tally.offered += rows.length;
  tally.accepted += rows.filter(({ heldUntil }) => heldUntil === null).length;
  tally.lapsed += rows.filter(({ cancelReasonCode }) => cancelReasonCode === 'offer_lapsed').length;
  if (found.length > 0) return found;
  tally.calm += 1;
  return calmly(stress, clinic).catch((error: Error) => [`calm: ${error.cause ?? error}`]);
};

await report(stress, round, () => ({ ...tally, lost: stress.tally.lost }));
