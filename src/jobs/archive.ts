import { type Archive, clearOfPatients, moveArchivedToRecord } from '../core/archive/archive.ts';
import {
  bookingLists,
  copyBookings,
  copyEvents,
  eventLists,
  findUnsettled,
  findUnsettledMerged,
  settle,
  toLists,
} from '../core/archive/copy-queries.ts';
import {
  findOutdated,
  findTimes,
  moveTime,
  moveTimeOfEvents,
  removeArchived,
  removeArchivedEvents,
} from '../core/archive/follow-queries.ts';
import { findArchivedPatients, findStanding, idList } from '../core/archive/queries.ts';
import { findArchive, findZone, noteNext, noteZone } from '../core/archive/schema-queries.ts';
import { hourMs } from '../core/clinic/durations.ts';
import { run, runAll } from '../core/db/db.ts';
import type { Deps } from '../core/deps.ts';
import { bookings } from '../core/tables/bookings.ts';
import { recordSecurityEvent } from '../modules/auth/audit/queries.ts';
import {
  findApart,
  findBookingEvents,
  findLost,
  findMovable,
  removeCopied,
  removeEventsOfCopied,
} from './archive-queries.ts';
import { findCutoff } from './old-bookings-queries.ts';
import { sweepMs } from './retention.ts';

/** How many bookings one step moves: few enough that no request has to wait, and that a statement takes their values. */
const bookingsAStep = 100;
/** How long the texts of one statement may be: D1 takes two megabytes, and a letter may have three bytes. */
const longestText = 500_000;
/** How many steps one round takes: an invocation on Workers may run a thousand queries in all. */
const stepsARound = 40;
const patientsAStep = 1_000;

type Needs = Pick<Deps, 'db' | 'archive' | 'clock' | 'clinicTime' | 'config' | 'newId' | 'log'>;
type Moving = Needs & { archive: Archive };
type Movable = ReturnType<typeof findMovable>['_']['result'];

/** How long a round goes on. */
interface Bounds {
  until: number;
  steps: number;
  signal?: AbortSignal | undefined;
}

const isOver = ({ clock }: Needs, bounds: Bounds): boolean =>
  bounds.steps <= 0 || clock() >= bounds.until || bounds.signal?.aborted === true;

/** Archived bookings of these patients follow a merge, and are cleared after an erasure. */
const followPatients = async ({ db, archive }: Moving, patientIds: readonly string[]): Promise<void> => {
  const lost = await run(db, findLost(db, { ids: JSON.stringify(patientIds) }));
  for (const { id, mergedInto } of lost)
    if (mergedInto !== null) await moveArchivedToRecord(archive, id, mergedInto);
  const gone = lost.filter(({ mergedInto }) => mergedInto === null);
  await clearOfPatients(
    archive,
    gone.map(({ id }) => id),
  );
};

/**
 * Moves some bookings with their events: first they are copied, then those that are still as they were copied are removed. A
 * process that ends in between leaves them in both, and readers take the one of the clinic's own database.
 */
const moveStep = async (moving: Moving, rows: Movable): Promise<number> => {
  const { db, archive } = moving;
  const events = await run(db, findBookingEvents(db, { ids: idList(rows) }));
  const counts = new Map<string, number>();
  for (const { bookingId } of events) counts.set(bookingId, (counts.get(bookingId) ?? 0) + 1);
  // Schedules change; the room of a visit that is over does not.
  const shown = rows.map(({ shownRoom: room, ...row }) => ({ ...row, room }));
  const texts = { events: eventLists(events), bookings: bookingLists(shown) };
  if (rows.length > 1 && Math.max(texts.events.length, texts.bookings.length) > longestText) {
    const half = Math.ceil(rows.length / 2);
    return (await moveStep(moving, rows.slice(0, half))) + (await moveStep(moving, rows.slice(half)));
  }
  await runAll(archive.db, [
    copyEvents(archive.db, { rows: texts.events }),
    copyBookings(archive.db, { rows: texts.bookings }),
  ]);
  const lists = toLists(bookings, rows).map((list, at) => [...list, counts.get(rows[at]?.id ?? '') ?? 0]);
  const [removed] = await runAll(db, [
    removeCopied(db, { rows: JSON.stringify(lists) }),
    removeEventsOfCopied(db, { ids: idList(rows) }),
  ]);
  await run(archive.db, settle(archive.db, { ids: idList(removed) }));
  // What was copied may be older than a merge or an erasure that came in between.
  await followPatients(moving, [...new Set(rows.map(({ patientId }) => patientId))]);
  return removed.length;
};

/**
 * Bookings that followed a merge go back to a record that stands alone again, since the clinic's own database was brought back to
 * before it.
 */
const giveBack = async (
  { db, archive }: Moving,
  range: { afterId: string; lastId: string },
): Promise<void> => {
  const merged = await run(archive.db, findUnsettledMerged(archive.db, range));
  if (merged.length === 0) return;
  for (const { from, to, of } of await run(db, findApart(db, { merged: JSON.stringify(merged) })))
    await moveArchivedToRecord(archive, from, to, of);
};

/**
 * Of bookings whose move a process did not finish, and of all after the clinic's own database was brought back, notes those that
 * are not in it.
 */
const settleLeft = async (moving: Moving): Promise<void> => {
  const { db, archive } = moving;
  for (let afterId = ''; ; ) {
    const open = await run(archive.db, findUnsettled(archive.db, { afterId, limit: patientsAStep }));
    const last = open.at(-1);
    if (last === undefined) return;
    await giveBack(moving, { afterId, lastId: last.id });
    const standing = new Set((await run(db, findStanding(db, { ids: idList(open) }))).map(({ id }) => id));
    await run(archive.db, settle(archive.db, { ids: idList(open.filter(({ id }) => !standing.has(id))) }));
    afterId = last.id;
  }
};

/**
 * Lets archived bookings follow records that were merged, and clears those of people who were erased: done with the merge and the
 * erasure themselves, and here again for a process that ended in between.
 */
const followRecords = async (moving: Moving): Promise<void> => {
  const { archive } = moving;
  for (let afterId = ''; ; ) {
    const page = await run(archive.db, findArchivedPatients(archive.db, { afterId, limit: patientsAStep }));
    const last = page.at(-1);
    if (last === undefined) return;
    await followPatients(
      moving,
      page.map(({ id }) => id),
    );
    afterId = last.id;
  }
};

/** How many dates of another time zone are read at once. */
const datesAStep = 50;

/** After the clinic moved to another time zone, its archived bookings keep their dates and times of day too. */
const followZone = async ({ archive, clinicTime, config }: Moving): Promise<void> => {
  const { db } = archive;
  const zone = config.CLINIC_TIME_ZONE;
  const [noted] = await run(db, findZone(db, {}));
  if (noted?.zone === zone) return;
  for (let afterDate = noted?.zone == null ? '9999' : ''; ; ) {
    const times = await run(db, findTimes(db, { afterDate, limit: datesAStep }));
    const last = times.at(-1);
    if (last === undefined) break;
    for (const { date, time, startsAt: from } of times) {
      const [hours = 0, minutes = 0] = time.split(':').map(Number);
      const to = clinicTime.instantOf(date, hours * 60 + minutes);
      if (to === null || to === from) continue;
      const moved = { date, time, from, to };
      await runAll(db, [moveTimeOfEvents(db, moved), moveTime(db, moved)]);
    }
    afterDate = last.date;
  }
  await run(db, noteZone(db, { zone }));
};

/** Removes archived bookings that are older than the clinic keeps bookings. */
const removeOutdated = async (moving: Moving, now: number, bounds: Bounds): Promise<void> => {
  const { db, archive, clinicTime, config } = moving;
  const years = config.RETENTION_YEARS ?? null;
  const [rule] = await run(db, findCutoff(db, { today: clinicTime.dateOf(now), years }));
  const before = rule?.cutoff ?? '';
  if (before === '') return;
  let removed = 0;
  for (; !isOver(moving, bounds); bounds.steps -= 1) {
    const old = await run(archive.db, findOutdated(archive.db, { before, limit: bookingsAStep }));
    if (old.length === 0) break;
    const ids = idList(old);
    await runAll(archive.db, [
      removeArchivedEvents(archive.db, { ids }),
      removeArchived(archive.db, { ids }),
    ]);
    removed += old.length;
  }
  if (removed === 0) return;
  moving.log.info('old bookings removed from the archive', { bookings: removed });
  await archive.emptyLog?.('now');
};

/** The date before which bookings are archived; null if none are. */
export const archiveHorizon = ({ config, clinicTime }: Pick<Needs, 'config' | 'clinicTime'>, now: number) =>
  config.ARCHIVE_AFTER_DAYS === 0
    ? null
    : clinicTime.addDays(clinicTime.dateOf(now), -config.ARCHIVE_AFTER_DAYS);

const first = { afterDate: '', afterStart: 0, afterId: '' };

/** The pages of bookings that may go to the archive. */
export async function* movablePages({ db, clinicTime }: Needs, before: string, limit = bookingsAStep) {
  const wanted = { before, unchangedSince: clinicTime.startOf(before), limit };
  for (let position = first; ; ) {
    const rows = await run(db, findMovable(db, { ...wanted, ...position }));
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    position = { afterDate: last.scheduleDate, afterStart: last.startsAt, afterId: last.id };
  }
}

/** Does what is due at an archive, within bounds, and says how many bookings moved, and whether none is left. */
export const tendArchive = async (
  moving: Moving,
  now: number,
  bounds: Bounds,
): Promise<{ moved: number; isDone: boolean }> => {
  const { db, newId, log } = moving;
  await followZone(moving);
  await settleLeft(moving);
  await followRecords(moving);
  await removeOutdated(moving, now, bounds);
  const before = archiveHorizon(moving, now);
  let moved = 0;
  let isDone = true;
  if (before !== null)
    for await (const rows of movablePages(moving, before)) {
      if (isOver(moving, bounds)) {
        isDone = false;
        break;
      }
      bounds.steps -= 1;
      moved += await moveStep(moving, rows);
    }
  if (moved > 0) {
    const detail = { bookings: moved, before };
    const event = { writeId: newId(), type: 'bookings_archived' as const, userId: null, now, detail };
    await run(db, recordSecurityEvent(db, event));
    log.info('bookings archived', detail);
  }
  return { moved, isDone };
};

/** The job: once a day, and again with the next round until nothing is left. */
export const archiveBookings = async (deps: Deps, now: number, signal?: AbortSignal): Promise<void> => {
  const { archive, clinicTime, clock } = deps;
  if (archive === undefined) return;
  const bounds = { until: clock() + sweepMs, steps: stepsARound, signal };
  const { moved, isDone } = await tendArchive({ ...deps, archive }, now, bounds);
  if (moved > 0) await deps.emptyLog?.('now');
  if (!isDone) return;
  archive.nextAt = clinicTime.startOf(clinicTime.addDays(clinicTime.dateOf(now), 1));
  await run(archive.db, noteNext(archive.db, { at: archive.nextAt }));
};

/** How long an archive that failed is left alone: so long at first, twice as long after each further failure, and an hour at most. */
const firstRestMs = 60_000;

/**
 * The same unless it is done for now, as another process may have done it, or this one before it was started again. Of failures
 * in a row the first one is logged.
 */
export const archiveWhenDue = async (deps: Deps, now: number, signal?: AbortSignal): Promise<void> => {
  const { archive, metrics } = deps;
  if (archive === undefined) return;
  try {
    const [noted] = await run(archive.db, findArchive(archive.db, {}));
    if (noted !== undefined && noted.nextAt > now) archive.nextAt = noted.nextAt;
    else await archiveBookings(deps, now, signal);
    archive.failures = 0;
  } catch (error) {
    const before = archive.failures ?? 0;
    archive.failures = before + 1;
    archive.nextAt = now + Math.min(firstRestMs * 2 ** before, hourMs);
    if (before === 0) throw error;
    metrics.jobFailed('archive');
  }
};
