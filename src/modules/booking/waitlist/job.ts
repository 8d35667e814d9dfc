import { dayMs } from '../../../core/clinic/durations.ts';
import { formatLocalTime } from '../../../core/clinic/local-time.ts';
import { resolveRules } from '../../../core/clinic/rules.ts';
import { run, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { OpenTo } from '../../../core/tables/words.ts';
import { calendarsIn, computeSpan } from '../../catalog/slots/many.ts';
import { chosenCalendars } from '../../catalog/slots/many-queries.ts';
import { findClinic } from '../../catalog/slots/queries.ts';
import { closedBecause, longestSlotMs, remainingSeats, slotsOfDay } from '../../catalog/slots/rules.ts';
import { datesBetween } from '../../catalog/slots/slots.ts';
import { latestUnreachable } from '../record/offer-rules.ts';
import { withoutLapsed } from '../seats/guards.ts';
import { buildOffer, type FreeSlot } from '../seats/offers.ts';
import {
  endOver,
  findKnown,
  findLapsed,
  findOffering,
  findOver,
  findVisits,
  findWaiters,
} from './job-queries.ts';
import { matchSeats, type OpenSlot, openWithout, type Waiter } from './match.ts';

// How much a round does. On Workers all jobs share a thousand queries: an offer takes two, and a check of some days
// five. The next round continues.
const maxLapsed = 20;
const maxOffered = 100;
/** How many entries and how many days are read at a time: no statement keeps others waiting for long. */
const entriesAtOnce = 500;
const daysAtOnce = 14;

interface Round {
  deps: Deps;
  now: number;
  requestId: string;
  today: string;
}

/** Ends expired offers; their seats go to the next entries in the same step. */
const passOnLapsed = async (round: Round, lapsed: readonly FreeSlot[]): Promise<void> => {
  const { deps } = round;
  await runAll(deps.db, [
    ...withoutLapsed(round, { writeId: deps.newId(), doctorId: null, patientId: '' }),
    ...lapsed.flatMap((offer) => buildOffer(round, offer)),
  ]);
};

/**
 * All entries that may get an offer, in the order of the list. An entry that moves between two pages is found by the
 * next round.
 */
const readWaiters = async ({ db }: Deps): Promise<Waiter[]> => {
  const waiting: Waiter[] = [];
  for (;;) {
    const page = await run(db, findWaiters(db, { skip: waiting.length, limit: entriesAtOnce }));
    waiting.push(...page);
    if (page.length < entriesAtOnce) return waiting;
  }
};

type Pairs = readonly {
  sessionId: string;
  doctorId: string;
  minDaysBetween: number | null;
  openTo: OpenTo;
}[];

/**
 * The free slots, in some days, of the doctors whose sessions are waited for, and the patients' bookings that conflict.
 */
const readDays = async (
  { deps, now }: Round,
  [from, until]: readonly [string, string],
  pairs: Pairs,
  waiting: readonly Waiter[],
) => {
  const { db, clinicTime } = deps;
  const doctorIds = [...new Set(pairs.map(({ doctorId }) => doctorId))];
  const patients = JSON.stringify([...new Set(waiting.map(({ patientId }) => patientId))]);
  const span = computeSpan(deps, from, until);
  const { fromInstant, toInstant } = span;
  const reach = Math.max(0, ...pairs.map(({ minDaysBetween }) => minDaysBetween ?? 0)) * dayMs;
  const asksWho = pairs.some(({ openTo }) => openTo !== 'all');
  const { calendars, visits, known } = await runAll(db, {
    calendars: chosenCalendars(db, { doctorIds: JSON.stringify(doctorIds) }, { ...span, now }),
    visits: findVisits(db, {
      patients,
      after: fromInstant - longestSlotMs - reach,
      before: toInstant + reach,
    }),
    known: asksWho ? [findKnown(db, { patients })] : [],
  });
  const { rules, findCalendar } = calendarsIn(deps, calendars);
  const unreachable = latestUnreachable(now, deps.config.QUIET_HOURS, clinicTime);
  const openOn = (date: string): readonly OpenSlot[] =>
    doctorIds
      .flatMap((doctorId) => {
        const calendar = findCalendar(doctorId);
        return slotsOfDay(calendar.schedules, date, clinicTime)
          .filter(
            (slot) =>
              slot.startsAt > unreachable &&
              pairs.some((pair) => pair.doctorId === doctorId && pair.sessionId === slot.sessionId) &&
              closedBecause(slot, calendar, now, rules, clinicTime) === null,
          )
          .map((slot) => ({
            ...slot,
            doctorId,
            scheduleDate: date,
            scheduleTime: formatLocalTime(slot.minuteOfDay),
            remaining: remainingSeats(slot, calendar.occupied),
          }));
      })
      .sort((a, b) => a.startsAt - b.startsAt || (a.doctorId < b.doctorId ? -1 : 1));
  const knownIds = asksWho ? new Set(known.flat().map(({ patientId }) => patientId)) : null;
  return { openOn, visitsOf: Map.groupBy(visits, ({ patientId }) => patientId), knownIds };
};

/**
 * Offers seats that are free for another reason: more capacity, a removed closure, a day that has opened. Day by day, so
 * that no more is looked at than somebody still waits for. Each is a step of its own, noted in `taken`.
 */
const offerFree = async (round: Round, taken: FreeSlot[], signal?: AbortSignal): Promise<void> => {
  const { deps, today } = round;
  const { db, clinicTime, config } = deps;
  let waiting = await readWaiters(deps);
  if (waiting.length === 0) return;
  const {
    clinic: [clinic],
    offering,
  } = await runAll(db, {
    clinic: findClinic(db, {}),
    offering: findOffering(db, {}),
  });
  const lastOpen = clinicTime.addDays(today, resolveRules(config, clinic ?? {}).maxAdvanceDays);
  const waitingIn = (from: string, until: string) =>
    waiting.filter(({ fromDate, toDate }) => fromDate <= until && from <= toDate);
  for (let from = today; from <= lastOpen; from = clinicTime.addDays(from, daysAtOnce)) {
    const last = clinicTime.addDays(from, daysAtOnce - 1);
    const until = last < lastOpen ? last : lastOpen;
    const asking = waitingIn(from, until);
    const pairs = offering.filter(({ sessionId, doctorId }) =>
      asking.some((one) => one.sessionId === sessionId && (one.doctorId ?? doctorId) === doctorId),
    );
    if (pairs.length === 0) continue;
    const { openOn, visitsOf, knownIds } = await readDays(round, [from, until], pairs, asking);
    for (const date of datesBetween(deps, from, until)) {
      const ofDate = waitingIn(date, date);
      const open = ofDate.length > 0 ? openOn(date) : [];
      // A slot of the day before may run past midnight.
      const matches = matchSeats(ofDate, taken.reduce(openWithout, open), visitsOf, knownIds);
      for (const slot of matches.values()) {
        if (taken.length === maxOffered || signal?.aborted) return;
        taken.push(slot);
        await runAll(db, buildOffer(round, slot));
      }
      waiting = waiting.filter(({ patientId }) => !matches.has(patientId));
    }
  }
};

/**
 * Runs the waitlist: ends offers that are over, and offers free seats to the next. Writes nothing if there is nothing
 * to do, so that a round can see that nothing has changed.
 */
export const runWaitlist = async (deps: Deps, now: number, signal?: AbortSignal): Promise<void> => {
  const { db } = deps;
  const today = deps.clinicTime.dateOf(now);
  const round = { deps, now, requestId: deps.newId(), today };
  const { lapsed, over } = await runAll(db, {
    lapsed: findLapsed(db, { now, limit: maxLapsed }),
    over: findOver(db, { today }),
  });
  const taken: FreeSlot[] = [];
  try {
    if (lapsed.length > 0 && !signal?.aborted) await passOnLapsed(round, lapsed);
    if (lapsed.length + over.length > 0) await run(db, endOver(db, { now, today }));
    if (!signal?.aborted) await offerFree(round, taken, signal);
  } finally {
    if (lapsed.length + taken.length > 0) deps.eventsWritten();
  }
};
