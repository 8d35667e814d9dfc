import { eq, inArray, sql } from 'drizzle-orm';
import type { FreeSlot } from '../../../../src/booking/seats/offers.ts';
import { runWaitlist } from '../../../../src/booking/waitlist/job.ts';
import { clinic as clinicRow, doctors, schedules, sessions } from '../../../../src/tables/catalog.ts';
import { familyRelations, patients } from '../../../../src/tables/patients.ts';
import { waitlistEntries } from '../../../../src/tables/queues.ts';
import { createClosure } from '../../../support/clinic.ts';
import { decisiveRules, isOpenSlot, type WaitingState, whomItSuits } from '../../../support/offer-oracle.ts';
import type { Member } from '../clinic.ts';
import type { Stress } from '../stress.ts';
import { dates, type WaitingClinic, wished } from './clinic.ts';

const minuteMs = 60_000;
const window = { minNoticeMinutes: 60, maxAdvanceDays: 1 };

/** One at a time, on whatever the rush has left: what the rules name must happen, and nothing else. */
export const calmly = async (stress: Stress, clinic: WaitingClinic): Promise<string[]> => {
  const { random, app, db, deps, clock, world } = stress;
  const { clinicTime } = deps;
  const violations: string[] = [];
  const [desk] = clinic.staff;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const asked = () => ({ now: clock.now, window, clock: clinicTime });

  const ask = async ({ token }: Member, path: string, body: object = {}, method = 'POST') => {
    const response = await app.request(`http://localhost${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    });
    const answer = {
      status: response.status,
      body: (await response.json()) as { code?: string; data?: unknown },
    };
    if (answer.status >= 500 && answer.status !== 503)
      violations.push(`calm: ${path} was answered ${answer.status} ${answer.body.code}`);
    return answer;
  };
  const entryOf = (state: WaitingState, id: string | null | undefined) =>
    state.entries.find((row) => row.id === id);
  const inputOf = ({ doctorId, sessionId, scheduleDate, scheduleTime }: FreeSlot) => ({
    doctor_id: doctorId,
    session_id: sessionId,
    schedule_date: scheduleDate,
    schedule_time: scheduleTime,
  });

  /** Whether what was offered by an act is what had to be: by the rows after it without the offer itself. */
  const holdOffer = async (
    what: string,
    before: WaitingState,
    left: FreeSlot & { patientId: string },
    freed: boolean,
  ) => {
    const after = await clinic.read();
    const known = new Set(before.rows.map(({ id }) => id));
    const offers = after.rows.filter((row) => !known.has(row.id) && row.waitlistId !== null);
    const made = new Set(offers.map(({ id }) => id));
    const without = (rows: WaitingState['rows']) => rows.filter(({ id }) => !made.has(id));
    const state = { ...after, rows: without(after.rows), live: without(after.live) };
    const due = freed ? whomItSuits(state, left, asked(), left.patientId) : undefined;
    const [offer] = offers;
    if (offers.length > 1 || offer?.waitlistId !== due?.id)
      violations.push(
        `${what}: ${offers.length} offered, to ${entryOf(after, offer?.waitlistId)?.position} instead of ${due?.position}`,
      );
    if (offer !== undefined && offer.heldUntil !== Math.min(offer.startsAt, clock.now + 30 * minuteMs))
      violations.push(`${what}: an offer is held until ${offer.heldUntil}`);
  };

  const changeCalendar = () =>
    db.batch([
      db.update(doctors).set({ calendarVersion: sql`${doctors.calendarVersion} + 1` }),
      db.update(clinicRow).set({ calendarVersion: sql`${clinicRow.calendarVersion} + 1` }),
    ]);

  /** Something about the clinic is otherwise for one act. */
  const changes: (() => Promise<unknown>)[] = [
    () =>
      createClosure(world, {
        startDate: pick(dates.slice(0, 2)),
        startTime: '09:10:00',
        endTime: '09:20:00',
      }),
    () => createClosure(world, { startDate: pick(dates.slice(0, 2)), doctorId: pick(clinic.doctorIds) }),
    () => db.update(schedules).set({ capacity: 1 }),
    () => db.update(schedules).set({ capacity: 3 }),
    () =>
      db
        .update(doctors)
        .set({ retiredAt: 1 })
        .where(eq(doctors.id, pick(clinic.doctorIds))),
    () => db.update(sessions).set({ retiredAt: 1 }).where(eq(sessions.id, clinic.sessionIds[0])),
    () => db.update(familyRelations).set({ endedAt: 1 }),
    () => db.update(clinicRow).set({ rezoningTo: 'Asia/Makassar' }),
    () =>
      db
        .update(patients)
        .set({ mergedInto: clinic.patients[9]?.id ?? null })
        .where(
          inArray(
            patients.id,
            clinic.patients.slice(0, 3).map(({ id }) => id),
          ),
        ),
  ];

  const bookOutside = async (): Promise<void> => {
    const slot = pick(clinic.outside);
    await ask(desk, '/v1/bookings', { ...slot, patient_id: pick(clinic.patients).id, notes: '' });
  };

  /** A booking and who gives it back: mostly one whose seat is decided by a rule that has decided least of all. */
  const seldomDecided = (state: WaitingState) => {
    const choices = state.live.flatMap((row) => {
      const member = clinic.patients.find(({ id }) => id === row.patientId);
      return [desk, ...(member ? [member] : [])].map((by) => {
        const canceledBy = by === desk ? ('staff' as const) : ('patient' as const);
        const rows = state.rows.map((one) => (one.id === row.id ? { ...one, canceledBy } : one));
        const after = { ...state, rows, live: state.live.filter(({ id }) => id !== row.id) };
        return { row, by, member, rules: decisiveRules(after, row, asked(), row.patientId) };
      });
    });
    const times = (rules: string[]) => Math.min(...rules.map((rule) => clinic.decided.get(rule) ?? 0));
    const least = Math.min(...choices.map(({ rules }) => times(rules)));
    const seldom = choices.filter(({ rules }) => times(rules) === least);
    const choice = pick(random() < 0.8 ? seldom : choices);
    for (const rule of choice?.rules ?? []) clinic.decided.set(rule, (clinic.decided.get(rule) ?? 0) + 1);
    return choice;
  };

  const giveBackOne = async (): Promise<void> => {
    const before = await clinic.read();
    const choice = seldomDecided(before);
    if (choice === undefined) return;
    const { row, member, by } = choice;
    const ways = [`bookings/${row.id}/cancel`, `bookings/${row.id}/reschedule`, `bookings/${row.id}/reject`];
    const isOpen = row.heldUntil !== null && row.heldUntil > clock.now;
    if (isOpen && member !== undefined) ways.push(`waitlist/${row.waitlistId}/decline`);
    const way = pick(ways);
    const body = way.endsWith('reschedule') ? pick(clinic.slots) : {};
    const { status } = await ask(way.endsWith('decline') ? (member ?? desk) : by, `/v1/${way}`, body);
    const isSame = Object.entries(body).every(([name, value]) => Object(inputOf(row))[name] === value);
    await holdOffer(
      way.split('/').at(-1) ?? '',
      before,
      row,
      status < 300 && !(way.endsWith('reschedule') && isSame),
    );
  };

  /** A yes that meant another booking than the one that is offered now. */
  const acceptAnother = async (): Promise<void> => {
    const { rows, live } = await clinic.read();
    const offer = pick(live.filter(({ heldUntil }) => heldUntil !== null && heldUntil > clock.now));
    const other = pick(rows.filter(({ id }) => id !== offer?.id));
    if (offer === undefined || other === undefined) return;
    const { status } = await ask(desk, `/v1/waitlist/${offer.waitlistId}/accept`, { booking_id: other.id });
    if (status < 300) violations.push('another seat was accepted');
  };

  /** The first of the list leaves just while a seat comes free that is theirs. */
  const leaveMeanwhile = async (): Promise<void> => {
    const state = await clinic.read();
    const leaving = state.live.flatMap((row) => {
      const rows = state.rows.map((one) =>
        one.id === row.id ? { ...one, canceledBy: 'staff' as const } : one,
      );
      const after = { ...state, rows, live: state.live.filter(({ id }) => id !== row.id) };
      const due = whomItSuits(after, row, asked(), row.patientId);
      const member = clinic.patients.find(({ id }) => id === due?.createdBy);
      return due !== undefined && member !== undefined ? [{ row, due, member }] : [];
    });
    const one = pick(leaving);
    if (one === undefined) return;
    await Promise.all([
      ask(one.member, `/v1/waitlist/${one.due.id}`, {}, 'DELETE'),
      ask(desk, `/v1/bookings/${one.row.id}/cancel`),
    ]);
    const { live, entries } = await clinic.read();
    if (
      live.some(
        ({ waitlistId, heldUntil }) =>
          heldUntil !== null && entries.some(({ id, endedAt }) => id === waitlistId && endedAt !== null),
      )
    )
      violations.push('whoever left is offered a seat');
  };

  /** The time of offers is over: whoever comes next gets the seat though no job ran. */
  const bookLapsed = async (): Promise<void> => {
    clock.now += 31 * minuteMs;
    const state = await clinic.read();
    const late = state.live.find(({ heldUntil }) => heldUntil !== null && heldUntil <= clock.now);
    if (late !== undefined && (await ask(desk, `/v1/waitlist/${late.waitlistId}/accept`)).status < 300)
      violations.push('an offer was accepted after its time');
    const isOver = (row: { heldUntil: number | null }) =>
      row.heldUntil !== null && row.heldUntil <= clock.now;
    const holding = { ...state, live: state.live.filter((row) => !isOver(row)) };
    const over = state.live.filter((row) => isOver(row) && isOpenSlot(holding, row, asked()));
    // Beside their own offer that is over, with another doctor.
    const besideOf = (row: (typeof over)[number]) =>
      clinic
        .freeSlots(clinicTime)
        .find(
          (slot) =>
            slot.doctorId !== row.doctorId &&
            slot.startsAt < row.endsAt &&
            row.startsAt < slot.endsAt &&
            isOpenSlot(holding, slot, asked()) &&
            !holding.live.some(
              (one) =>
                one.patientId === row.patientId && one.startsAt < slot.endsAt && slot.startsAt < one.endsAt,
            ),
        );
    const besides = over.flatMap((row) => {
      const beside = besideOf(row);
      return beside === undefined ? [] : [{ row, beside }];
    });
    const { row, beside } = (random() < 0.5 ? pick(besides) : undefined) ?? { row: pick(over) };
    if (row === undefined) return;
    const isFree = (id: string) =>
      !holding.live.some(
        (one) => one.patientId === id && one.startsAt < row.endsAt && row.startsAt < one.endsAt,
      );
    const way = beside !== undefined ? 'elsewhere' : pick(['own', 'other', 'series', 'move'] as const);
    const other = clinic.patients.find(({ id }) => id !== row.patientId && isFree(id));
    const patient_id = way === 'own' || way === 'elsewhere' ? row.patientId : other?.id;
    if (patient_id === undefined || (way !== 'elsewhere' && !isFree(patient_id))) return;
    const body = { ...inputOf(beside ?? row), patient_id, notes: '' };
    const moving = holding.live.find(
      (one) =>
        one.heldUntil === null &&
        one.startsAt > clock.now &&
        one.startsAt >= row.endsAt &&
        isFree(one.patientId),
    );
    if (way === 'move' && moving === undefined) return;
    const { status, body: answer } =
      way === 'series'
        ? await ask(desk, '/v1/bookings/series', { ...body, count: 1 })
        : way === 'move'
          ? await ask(desk, `/v1/bookings/${moving?.id}/reschedule`, inputOf(row))
          : await ask(desk, '/v1/bookings', body);
    if (status >= 300 && answer.code !== 'invalid_transition')
      violations.push(`a seat stayed held after its time (${way}): ${status} ${answer.code}`);
  };

  /** No seat that suits somebody is left, and no offer whose time is over. */
  const keepGoing = async (): Promise<void> => {
    await runWaitlist(deps, clock.now);
    const state = await clinic.read();
    for (const { heldUntil } of state.live)
      if (heldUntil !== null && heldUntil <= clock.now) violations.push('an offer outlives the job');
    for (const slot of clinic.freeSlots(clinicTime)) {
      const due = whomItSuits(state, slot, asked());
      if (due !== undefined)
        violations.push(`a seat of ${slot.scheduleTime} is left, and ${due.position} waits`);
    }
  };

  const order = async (): Promise<void> => {
    const inOrder = async () =>
      (await clinic.read()).entries
        .filter(({ endedAt, sessionId }) => endedAt === null && sessionId === clinic.sessionIds[0])
        .sort((a, b) => a.position - b.position)
        .map(({ id }) => id);
    const ids = await inOrder();
    const elsewhere = (await clinic.read()).entries.find(
      ({ endedAt, sessionId }) => endedAt === null && sessionId !== clinic.sessionIds[0],
    );
    const [id, before] = [pick(ids), random() < 0.2 ? elsewhere?.id : pick(ids)];
    if (id === undefined || before === undefined) return;
    const before_id = random() < 0.2 ? null : before;
    const isRefused = before_id !== null && !ids.includes(before_id);
    const { status } = await ask(desk, `/v1/admin/waitlist/${id}/move`, { before_id, reason: 'other' });
    const rest = ids.filter((one) => one !== id);
    const at = before_id === null ? rest.length : rest.indexOf(before_id);
    const expected = isRefused || before_id === id ? ids : rest.toSpliced(at, 0, id);
    if (status < 300 === isRefused || String(await inOrder()) !== String(expected))
      violations.push(`the list is not in the order that was asked for (${status})`);
  };

  const joinRefused = async (): Promise<void> => {
    await db.update(sessions).set({ retiredAt: 1 }).where(eq(sessions.id, clinic.sessionIds[1]));
    const member = pick(clinic.patients);
    const wish = { ...wished(clinic, random, member), session_id: clinic.sessionIds[1] };
    if ((await ask(member, '/v1/waitlist', wish)).status < 300)
      violations.push('a retired session is waited for');
  };

  /** A process that stops ends no entry whose offer is still open. */
  const endOver = async (): Promise<void> => {
    clock.now += 3 * 24 * 60 * minuteMs;
    await runWaitlist(deps, clock.now, AbortSignal.abort());
    const { live, entries } = await clinic.read();
    const open = live.filter(({ heldUntil }) => heldUntil !== null);
    const ended = entries.filter(({ endedAt }) => endedAt !== null);
    if (open.some(({ waitlistId }) => ended.some(({ id }) => id === waitlistId)))
      violations.push('an entry ended while its offer was open');
    await runWaitlist(deps, clock.now);
    const left = await db.select().from(waitlistEntries);
    if (left.some(({ endedAt }) => endedAt === null)) violations.push('somebody waits for what is over');
  };

  /** The limits of bookings hold for what is accepted too. */
  const acceptBeyond = async (setting: 'MAX_LIVE_BOOKINGS' | 'MAX_UNPROVED_BOOKINGS'): Promise<void> => {
    const { config } = deps;
    const find = async () => {
      const { live } = await clinic.read();
      const ofOwn = live.filter(({ patientId, createdBy }) => patientId === createdBy);
      return ofOwn.flatMap((offer) => {
        const member = clinic.patients.find(({ id }) => id === offer.patientId);
        const isOpen = offer.heldUntil !== null && offer.heldUntil > clock.now;
        const isLimited = setting === 'MAX_LIVE_BOOKINGS' || clinic.unproved.has(offer.patientId);
        const has = ofOwn.some((one) => one.patientId === offer.patientId && one.heldUntil === null);
        return isOpen && isLimited && member !== undefined ? [{ offer, member, has }] : [];
      });
    };
    const [first] = await find();
    for (let tries = 0; tries < 4 && first !== undefined && !first.has; tries++)
      await ask(first.member, '/v1/bookings', { ...pick(clinic.slots), notes: '' });
    const found = (await find()).find(({ has }) => has);
    if (found === undefined) return;
    deps.config = { ...config, [setting]: 1 };
    const { status } = await ask(found.member, `/v1/waitlist/${found.offer.waitlistId}/accept`);
    deps.config = config;
    if (status < 300) violations.push(`an offer was accepted beyond ${setting}`);
  };

  /** Two at once are beyond a limit that has room for one more. */
  const seriesBeyond = async (): Promise<void> => {
    const { config } = deps;
    for (const member of clinic.patients.slice(5)) {
      const state = await clinic.read();
      const own = state.live.filter(({ patientId }) => patientId === member.id);
      const isFree = (slot: FreeSlot) =>
        isOpenSlot(state, slot, asked()) &&
        !own.some(({ startsAt, endsAt }) => startsAt < slot.endsAt && slot.startsAt < endsAt);
      const free = clinic.freeSlots(clinicTime).filter(isFree);
      const isFreeOn = (date: string, { doctorId, sessionId, scheduleTime }: FreeSlot) =>
        free.some(
          (one) =>
            one.scheduleDate === date &&
            one.doctorId === doctorId &&
            one.sessionId === sessionId &&
            one.scheduleTime === scheduleTime,
        );
      const slot = free.find((one) => one.scheduleDate === dates[0] && isFreeOn(dates[1], one));
      if (slot === undefined) continue;
      const held = own.filter(({ createdBy, heldUntil }) => createdBy === member.id && heldUntil === null);
      deps.config = { ...config, MAX_LIVE_BOOKINGS: held.length + 1 };
      const asks = { ...inputOf(slot), every_days: 1, count: 2, on_conflict: 'fail', notes: '' };
      if ((await ask(member, '/v1/bookings/series', asks)).status < 300)
        violations.push('a series was booked beyond the limit');
    }
    deps.config = config;
  };

  await seriesBeyond();
  for (let steps = 0; steps < 6; steps++) {
    await bookOutside();
    if (random() < 0.7) {
      await changes[clinic.changed++ % changes.length]?.();
      await changeCalendar();
    }
    await giveBackOne();
    await giveBackOne();
    await order();
    await clinic.restore();
  }
  for (let tries = 0; tries < 3; tries++) await leaveMeanwhile();
  await keepGoing();
  await acceptAnother();
  await acceptBeyond('MAX_LIVE_BOOKINGS');
  await acceptBeyond('MAX_UNPROVED_BOOKINGS');
  await giveBackOne();
  await bookLapsed();
  await keepGoing();
  await bookLapsed();
  await joinRefused();
  await clinic.restore();
  await giveBackOne();
  await endOver();
  return violations.slice(0, 3);
};
