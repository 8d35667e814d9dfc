import { calendarsIn, spanOf } from '../../catalog/slots/many.ts';
import { chosenCalendars } from '../../catalog/slots/many-queries.ts';
import { closedBecause, type Slot, slotsOfDay } from '../../catalog/slots/rules.ts';
import { datesBetween } from '../../catalog/slots/slots.ts';
import { timeOf } from '../../clinic/local-time.ts';
import { furthestDays } from '../../clinic/rules.ts';
import { run, runAll } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import { Failure } from '../../endpoint/errors.ts';
import { changeBooking } from '../changes/change.ts';
import { findWanted } from '../seats/offer-queries.ts';
import { type FreeSlot, offerOf } from '../seats/offers.ts';
import { wasWritten } from '../seats/queries.ts';
import { endOver, findLapsed, findWishes } from './job-queries.ts';

/** How much a round does: on Workers it has a thousand queries, with all other jobs. */
const maxLapsed = 50;
const maxOffered = 50;
/** How many free slots are looked at, the earliest first. */
const maxSlots = 5_000;

const actor = { userId: null, deviceLoginId: null, role: 'system' as const, doctorId: null };

/** Ends the offers whose time is over; each seat goes to the next in the same step. */
const endLapsed = async (deps: Deps, now: number, requestId: string, signal?: AbortSignal): Promise<void> => {
  const context = { deps, actor, now, requestId, storedResponseOf: () => null };
  for (const offer of await run(deps.db, findLapsed(deps.db, { now, limit: maxLapsed }))) {
    if (signal?.aborted) return;
    try {
      await changeBooking(
        context,
        'lapse',
        {},
        { ...offer, isFamily: 0 },
        { message: 'booking_canceled', view: () => undefined },
      );
    } catch (error) {
      // Answered meanwhile.
      if (!(error instanceof Failure)) throw error;
    }
  }
};

type Wishes = Awaited<ReturnType<typeof findWishes>['_']['result']>;

/** Whether somebody waits for such a slot, as far as groups of wishes tell. */
const isWished = (wishes: Wishes, doctorId: string, { sessionId, date, minuteOfDay }: Slot): boolean =>
  wishes.some(
    (wish) =>
      wish.sessionId === sessionId &&
      (wish.doctorId ?? doctorId) === doctorId &&
      wish.fromDate <= date &&
      date <= wish.toDate &&
      (wish.earliestTime ?? '') <= timeOf(minuteOfDay) &&
      timeOf(minuteOfDay) <= (wish.latestTime ?? '24'),
  );

/** The free slots for which somebody waits, the earliest first. */
const freeSlots = async (deps: Deps, now: number, wishes: Wishes): Promise<FreeSlot[]> => {
  const { db, clinicTime } = deps;
  const doctorIds = [...new Set(wishes.flatMap((wish) => JSON.parse(wish.doctorIds) as string[]))];
  const today = clinicTime.dateOf(now);
  const from = [today, wishes.map((wish) => wish.fromDate).sort()[0] ?? today].sort()[1] ?? today;
  const until =
    wishes
      .map((wish) => wish.toDate)
      .sort()
      .at(-1) ?? today;
  if (doctorIds.length === 0 || until < from) return [];
  const span = spanOf(deps, from, until);
  const rows = await runAll(
    db,
    chosenCalendars(db, { doctorIds: JSON.stringify(doctorIds) }, { ...span, now }),
  );
  const { rules, calendarOf } = calendarsIn(deps, rows);
  const lastOpen = clinicTime.addDays(today, rules.maxAdvanceDays);
  const dates = datesBetween(deps, from, until < lastOpen ? until : lastOpen);
  const slots = doctorIds.flatMap((doctorId) => {
    const calendar = calendarOf(doctorId);
    return dates
      .flatMap((date) => slotsOfDay(calendar.schedules, date, clinicTime))
      .filter((slot) => isWished(wishes, doctorId, slot))
      .filter((slot) => closedBecause(slot, calendar, now, rules, clinicTime) === null)
      .map(({ sessionId, date, minuteOfDay, startsAt, endsAt }) => {
        const when = { scheduleDate: date, scheduleTime: timeOf(minuteOfDay), startsAt, endsAt };
        return { doctorId, sessionId, ...when };
      });
  });
  return slots
    .sort((a, b) => a.startsAt - b.startsAt || (a.doctorId < b.doctorId ? -1 : 1))
    .slice(0, maxSlots);
};

/** Offers seats that are free for another reason: more capacity, a removed closure, a day that has opened. */
const offerFree = async (deps: Deps, now: number, requestId: string, signal?: AbortSignal): Promise<void> => {
  const { db } = deps;
  const furthest = deps.clinicTime.addDays(deps.clinicTime.dateOf(now), furthestDays);
  const wishes = await run(db, findWishes(db, { until: furthest }));
  if (wishes.length === 0) return;
  const slots = await freeSlots(deps, now, wishes);
  if (slots.length === 0) return;
  const wanted = await run(db, findWanted(db, { slots: JSON.stringify(slots), limit: maxOffered }));
  let left = maxOffered;
  for (const { at } of wanted) {
    const slot = slots[at];
    // Of a slot with several seats each goes to somebody else.
    for (let isOffered = slot !== undefined; isOffered && slot && left > 0 && !signal?.aborted; left--) {
      const { id, writeId, statements } = offerOf({ deps, now, requestId }, slot);
      const { done } = await runAll(db, { statements, done: wasWritten(db, { id, writeId }) });
      isOffered = done[0]?.written === 1;
      if (isOffered) deps.eventsWritten();
    }
  }
};

/** Keeps the waitlist going: offers that are over go to the next, and seats that are free are offered. */
export const runWaitlist = async (deps: Deps, now: number, signal?: AbortSignal): Promise<void> => {
  const requestId = deps.newId();
  let isWritten = false;
  const eventsWritten = () => {
    isWritten = true;
  };
  const quiet = { ...deps, eventsWritten };
  try {
    await endLapsed(quiet, now, requestId, signal);
    await run(deps.db, endOver(deps.db, { now, today: deps.clinicTime.dateOf(now) }));
    if (!signal?.aborted) await offerFree(quiet, now, requestId, signal);
  } finally {
    if (isWritten) deps.eventsWritten();
  }
};
