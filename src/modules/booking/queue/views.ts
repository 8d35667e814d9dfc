import { formatLocalTime } from '../../../core/clinic/local-time.ts';
import type { ClinicTime } from '../../../core/clinic/time.ts';
import type { findNotices, findQueues, findSurroundings, findTurns } from './queries.ts';
import type { Turn } from './rules.ts';
import { expectedVisitMs, hoursAt, inMinutes, inRoom, lastCalls, listWaiting, placeIn } from './rules.ts';

/** A shared cache may answer, so that any number of screens and phones costs one question in three seconds. */
export const queueCache = { 'Cache-Control': 'public, max-age=0, s-maxage=3, stale-while-revalidate=10' };

type Rows<F extends (...given: never[]) => { _: { result: unknown } }> = ReturnType<F>['_']['result'];
type QueueRow = Rows<typeof findQueues>[number];
type NoticeRow = Rows<typeof findNotices>[number];
type QueueTurn = Rows<typeof findTurns>[number];

/** The notice as patients see it; null without one. */
const noticeView = (
  date: string,
  notice: { delayMinutes: number | null; message: string | null } | undefined,
) => {
  const { delayMinutes, message } = notice ?? {};
  if (!delayMinutes && !message) return null;
  return { date, delay_minutes: delayMinutes ?? 0, message: message ?? '' };
};

const callView = ({ label, calledAt, callCount }: Turn & { calledAt: number }) => ({
  label,
  called_at: new Date(calledAt).toISOString(),
  call_count: callCount,
});

const toQueueView = (
  rows: readonly [QueueRow, ...QueueRow[]],
  turns: readonly QueueTurn[],
  at: { date: string; time: string },
  notices: readonly NoticeRow[],
) => {
  const [{ prefix, doctorId, doctorName, sessionId, sessionName }] = rows;
  const hours = hoursAt(rows, at.time) ?? rows[0];
  const present = inRoom(turns);
  return {
    prefix,
    // If the doctor has no hours that day, the bookings still show the room of their visit.
    room: hours.room ?? turns.find(({ room }) => room !== '')?.room ?? '',
    doctor_id: doctorId,
    doctor_name: doctorName,
    session_id: sessionId,
    session_name: sessionName,
    now: present && callView(present),
    calls: lastCalls(turns).map(callView),
    waiting: listWaiting(turns).map(({ label, checkedInAt }) => ({ label, is_there: checkedInAt !== null })),
    minutes_per_visit: inMinutes(expectedVisitMs(turns, hours)),
    notice: noticeView(
      at.date,
      notices.find((row) => row.doctorId === doctorId),
    ),
  };
};

/** The queues that have hours or patients on a date, by their prefixes. `time` is that of the clinic's clock. */
export const queuesView = (
  { queues, turns, notices }: { queues: QueueRow[]; turns: Rows<typeof findTurns>; notices: NoticeRow[] },
  at: { date: string; time: string },
) => {
  const turnsBy = Map.groupBy(turns, ({ doctorId, sessionId }) => `${doctorId} ${sessionId}`);
  return [...Map.groupBy(queues, ({ prefix }) => prefix).values()].flatMap((rows) => {
    const [first, ...rest] = rows;
    if (first === undefined) return [];
    const own = turnsBy.get(`${first.doctorId} ${first.sessionId}`) ?? [];
    if (own.length === 0 && first.room === null) return [];
    return [toQueueView([first, ...rest], own, at, notices)];
  });
};

interface Waiting {
  id: string;
  scheduleDate: string;
  status: string;
  /** Its own: of one that is archived it is the room as it was shown last. */
  room: string;
}

/** The room to which a booking is called, how many are called before it, its approximate time, and the doctor's announcement. */
export const placeView = (
  booking: Waiting,
  turns: readonly Turn[],
  [around]: Rows<typeof findSurroundings>,
  now: number,
) => {
  const hours = { slotMinutes: around?.slotMinutes ?? null, capacity: around?.capacity ?? null };
  const timing = { now, perVisitMs: expectedVisitMs(turns, hours), delayMinutes: around?.delayMinutes ?? 0 };
  const place = placeIn(turns, booking.id, timing);
  return {
    room: around?.room ?? booking.room,
    ahead: place === null ? null : place.ahead,
    estimated_at: place && new Date(place.estimatedAt).toISOString(),
    notice: booking.status === 'canceled' ? null : noticeView(booking.scheduleDate, around),
  };
};

/** The time of day of the clinic's clock, HH:MM:SS; before and after the date of a queue its first and last minute. */
export const timeWithin = (clock: ClinicTime, date: string, now: number): string => {
  const today = clock.dateOf(now);
  if (today !== date) return today < date ? '00:00:00' : '24:00:00';
  return formatLocalTime(clock.minuteOf(now));
};
