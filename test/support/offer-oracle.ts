// The entries to which a seat must be offered, by the pure rules and the order of the list: the SQL of an offer is
// compared with it.

import { parseLocalTime } from '../../src/core/clinic/local-time.ts';
import type { ClinicTime } from '../../src/core/clinic/time.ts';
import type { Db } from '../../src/core/db/db.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { clinic, closures, doctors, schedules, sessions } from '../../src/core/tables/catalog.ts';
import { familyRelations, patients } from '../../src/core/tables/patients.ts';
import { holds, waitlistEntries } from '../../src/core/tables/queues.ts';
import type { FreeSlot } from '../../src/modules/booking/seats/offers.ts';
import { limitedBecause, unlimited } from '../../src/modules/catalog/slots/limit-rules.ts';
import {
  type BookingWindow,
  closedBecause,
  isOfZone,
  type Occupied,
  slotsOfDay,
} from '../../src/modules/catalog/slots/rules.ts';

/** Everything that an offer depends on. */
export const readWaiting = async (db: Db) => {
  const [rows, entries, plans, closed, people, relations, practitioners, kinds, held, [own]] = await db.batch(
    [
      db.select().from(bookings),
      db.select().from(waitlistEntries),
      db.select().from(schedules),
      db.select().from(closures),
      db.select().from(patients),
      db.select().from(familyRelations),
      db.select().from(doctors),
      db.select().from(sessions),
      db.select().from(holds),
      db.select().from(clinic),
    ],
  );
  const live = rows.filter(({ status }) => status !== 'canceled');
  return { rows, live, entries, plans, closed, people, relations, practitioners, kinds, held, own };
};

export type WaitingState = Awaited<ReturnType<typeof readWaiting>>;
type EntryRow = WaitingState['entries'][number];

export interface Asked {
  now: number;
  window: BookingWindow;
  clock: ClinicTime;
}

/** The live bookings: an expired offer holds no seat and blocks nobody from another, whether or not it was ended. */
const standing = ({ live }: Pick<WaitingState, 'live'>, now: number) =>
  live.filter(({ heldUntil }) => heldUntil === null || heldUntil > now);

/** The live bookings of a doctor, and the seats that are held for somebody who is about to book, by start. */
const occupiedIn = (state: Pick<WaitingState, 'live' | 'held'>, doctorId: string, now: number): Occupied[] =>
  [...standing(state, now), ...state.held.filter(({ expiresAt }) => expiresAt > now)]
    .filter((row) => row.doctorId === doctorId)
    .map(({ startsAt, endsAt }) => ({ startsAt, endsAt, taken: 1 }))
    .sort((a, b) => a.startsAt - b.startsAt);

/** Why patients may not book the slot, by `closedBecause` on what the calendar has there; null if they may. */
const whyClosed = (state: WaitingState, slot: FreeSlot, { now, window, clock }: Asked) => {
  const { plans, closed, practitioners, kinds, own } = state;
  if (own === undefined || !isOfZone(own, clock.zone)) return 'zone';
  const isRetired = (row: { retiredAt: number | null } | undefined) =>
    row === undefined || row.retiredAt !== null;
  if (isRetired(practitioners.find(({ id }) => id === slot.doctorId))) return 'doctor retired';
  if (isRetired(kinds.find(({ id }) => id === slot.sessionId))) return 'session retired';
  const laid = plans
    .filter((row) => row.doctorId === slot.doctorId && row.retiredAt === null)
    .map((row) => ({ ...row, sessionName: '', approval: 'manual' as const, ...unlimited }));
  const calendar = {
    schedules: laid,
    closures: closed.filter(({ doctorId }) => doctorId === null || doctorId === slot.doctorId),
    occupied: occupiedIn(state, slot.doctorId, now),
  };
  const offered = slotsOfDay(laid, slot.scheduleDate, clock).filter(
    ({ sessionId, startsAt, endsAt }) =>
      sessionId === slot.sessionId && startsAt === slot.startsAt && endsAt === slot.endsAt,
  );
  const reasons = offered.map((one) => closedBecause(one, calendar, now, window, clock));
  return reasons.length === 0 ? 'not in the schedule' : reasons.includes(null) ? null : (reasons[0] ?? null);
};

export const isOpenSlot = (state: WaitingState, slot: FreeSlot, asked: Asked): boolean =>
  whyClosed(state, slot, asked) === null;

type Rule = (state: WaitingState, entry: EntryRow, slot: FreeSlot, now: number) => boolean;

const wishes: Record<string, Rule> = {
  session: (_state, entry, slot) => entry.sessionId === slot.sessionId,
  doctor: (_state, entry, slot) => entry.doctorId === null || entry.doctorId === slot.doctorId,
  dates: (_state, entry, slot) => entry.fromDate <= slot.scheduleDate && slot.scheduleDate <= entry.toDate,
  'earliest time': (_state, { earliestTime }, slot) =>
    earliestTime === null || (parseLocalTime(earliestTime) ?? 0) <= (parseLocalTime(slot.scheduleTime) ?? 0),
  'latest time': (_state, { latestTime }, slot) =>
    latestTime === null || (parseLocalTime(slot.scheduleTime) ?? 0) <= (parseLocalTime(latestTime) ?? 0),
};

const atSlot = ({ rows }: WaitingState, { patientId }: EntryRow, slot: FreeSlot) =>
  rows.filter(
    (row) => row.patientId === patientId && row.doctorId === slot.doctorId && row.startsAt === slot.startsAt,
  );

const standingOf = (state: WaitingState, { patientId }: EntryRow, now: number) =>
  standing(state, now).filter((row) => row.patientId === patientId);

const people: Record<string, Rule> = {
  'not merged': ({ people }, { patientId }) =>
    people.some(
      ({ id, mergedInto, erasureId }) => id === patientId && mergedInto === null && erasureId === null,
    ),
  'acts for them': ({ relations }, { patientId, familyAccount }) =>
    familyAccount === null ||
    relations.some(
      (row) => row.accountId === familyAccount && row.patientId === patientId && row.endedAt === null,
    ),
  'not busy': (state, entry, slot, now) =>
    !standingOf(state, entry, now).some(
      ({ startsAt, endsAt }) => startsAt < slot.endsAt && slot.startsAt < endsAt,
    ),
  'no other offer': (state, entry, _slot, now) =>
    !standingOf(state, entry, now).some(
      ({ status, heldUntil }) => status === 'waiting' && heldUntil !== null,
    ),
  'not declined': (state, entry, slot) =>
    !atSlot(state, entry, slot).some(
      ({ heldUntil, cancelReasonCode }) => heldUntil !== null && cancelReasonCode !== 'closure',
    ),
  'not given back': (state, entry, slot) =>
    !atSlot(state, entry, slot).some(({ canceledBy }) => canceledBy === 'patient'),
};

/** What the session limits for each patient, by the pure rule; what is only offered and what was missed does not count. */
const isAllowed: Rule = ({ kinds, rows, live }, { patientId }, slot) => {
  const limits = kinds.find(({ id }) => id === slot.sessionId);
  if (limits === undefined) return false;
  const isTheirs = (row: { patientId: string }) => row.patientId === patientId;
  const isKnown = rows.some((row) => isTheirs(row) && (row.checkedInAt ?? row.completedAt) !== null);
  const counted = live.filter((row) => isTheirs(row) && row.noShowAt === null && row.heldUntil === null);
  return (
    limitedBecause({ ...limits, ...slot, date: slot.scheduleDate }, { bookings: counted, isKnown }) === null
  );
};

/** Whether the entry waits for such a slot. */
export const isWantedBy = (entry: EntryRow, slot: FreeSlot): boolean =>
  Object.values(wishes).every((holds) => holds({} as WaitingState, entry, slot, 0));

/** The entries in the order of the list, with the rules that exclude an offer to them. */
function* inTurn(state: WaitingState, slot: FreeSlot, { now }: Asked, left: string | null) {
  const waiting = state.entries
    .filter(({ endedAt }) => endedAt === null)
    .sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
  for (const entry of waiting) {
    const rules = Object.entries({ ...wishes, ...people, 'within the limits': isAllowed });
    const against = rules.filter(([, holds]) => !holds(state, entry, slot, now)).map(([name]) => name);
    if (entry.patientId === left) against.push('has just left it');
    yield { entry, against };
  }
}

/** The entry to which a free seat goes; undefined where there is none. `left` is the patient who has just left it. */
export const whomItSuits = (
  state: WaitingState,
  slot: FreeSlot,
  asked: Asked,
  left: string | null = null,
): EntryRow | undefined => {
  if (!isOpenSlot(state, slot, asked)) return undefined;
  for (const { entry, against } of inTurn(state, slot, asked, left)) if (against.length === 0) return entry;
  return undefined;
};

/** The rules without any one of which the seat would go to somebody else, or to somebody at all. */
export const decisiveRules = (
  state: WaitingState,
  slot: FreeSlot,
  asked: Asked,
  left: string | null,
): string[] => {
  const closed = whyClosed(state, slot, asked);
  const alone: string[] = [];
  for (const { against } of inTurn(state, slot, asked, left)) {
    if (against.length === 0) return closed === null ? alone : [closed];
    if (against.length === 1) alone.push(...against);
  }
  return closed === null ? alone : [];
};
