import type { ClinicTime } from '../../../core/clinic/time.ts';
import { type Db, run, runAll } from '../../../core/db/db.ts';
import { findClinic } from '../../catalog/slots/queries.ts';
import { beginRezone, cancelRezone, endRezone, findGroups, findLiveBetween, moveGroup } from './queries.ts';
import {
  type Group,
  type Move,
  movesTo,
  narrowedDates,
  overlapsIn,
  type Placed,
  skippedBy,
} from './rules.ts';

/** The effect of the other zone on the bookings; nothing is written yet. */
export interface RezonePlan {
  /** The zone of the database. */
  from: string;
  /** The zone of a change that was begun and not ended; null if there is none. */
  begunTo: string | null;
  moves: Move[];
  /** Live bookings at local times that do not exist in the zone. */
  skipped: Placed[];
  /** Live bookings of one doctor or one patient that would overlap there. */
  overlapping: [Placed, Placed][];
}

interface RezoneInput {
  db: Db;
  clock: ClinicTime;
  now: number;
}

const skippedRows = async (db: Db, groups: readonly Group[]): Promise<Placed[]> => {
  const rows: Placed[] = [];
  for (const { date, time } of groups) {
    const ofDate = await run(db, findLiveBetween(db, { from: date, to: date }));
    rows.push(...ofDate.filter(({ scheduleTime }) => scheduleTime === time));
  }
  return rows;
};

const overlappingRows = async (db: Db, groups: readonly Group[], clock: ClinicTime) => {
  const pairs = new Map<string, [Placed, Placed]>();
  for (const range of narrowedDates(groups, clock))
    for (const pair of overlapsIn(await run(db, findLiveBetween(db, { ...range })), clock))
      pairs.set(pair.map(({ id }) => id).join(), pair);
  return [...pairs.values()];
};

/** Reads what a change to the clock's zone would move, and what prevents it. */
export const planRezone = async ({ db, clock, now }: RezoneInput): Promise<RezonePlan> => {
  const {
    clinics: [clinic],
    groups,
  } = await runAll(db, {
    clinics: findClinic(db, {}),
    groups: findGroups(db, { now }),
  });
  if (clinic === undefined) throw new Error('The database has no clinic yet: start a server on it first.');
  const skipped = await skippedRows(db, skippedBy(groups, clock));
  const overlapping = await overlappingRows(db, groups, clock);
  const moves = movesTo(groups, clock);
  return { from: clinic.timeZone, begunTo: clinic.rezoningTo, moves, skipped, overlapping };
};

export const isHindered = ({ skipped, overlapping }: RezonePlan): boolean =>
  skipped.length + overlapping.length > 0;

/** The moves in steps of at most `maxBookings` bookings; a larger move is a separate step. */
const splitSteps = (moves: readonly Move[], maxBookings: number): Move[][] => {
  const steps: Move[][] = [];
  let size = 0;
  for (const move of moves) {
    const last = steps.at(-1);
    size += move.bookings;
    if (last === undefined || size > maxBookings) {
      steps.push([move]);
      size = move.bookings;
    } else last.push(move);
  }
  return steps;
};

const maxRounds = 5;

/**
 * Moves every booking to the instant of its local time in the clock's zone, in atomic steps, and then makes this zone
 * the clinic's. After an interruption, do it again to finish it, or with the old zone to undo it.
 */
export const rezone = async (
  { db, clock, now }: RezoneInput,
  { maxBookings, moved }: { maxBookings: number; moved: (bookings: number) => void },
): Promise<RezonePlan> => {
  const { zone } = clock;
  const { begunTo } = await planRezone({ db, clock, now });
  await runAll(db, [beginRezone(db, { zone })]);
  const requestId = crypto.randomUUID();
  for (let round = 1; round <= maxRounds; round++) {
    const plan = await planRezone({ db, clock, now });
    if (isHindered(plan)) {
      if (begunTo === null && round === 1) await runAll(db, [cancelRezone(db, { zone })]);
      return plan;
    }
    if (plan.moves.length === 0) {
      await runAll(db, [endRezone(db, { zone, now })]);
      return plan;
    }
    for (const step of splitSteps(plan.moves, maxBookings)) {
      const values = (move: Move) => ({
        zone,
        date: move.date,
        time: move.time,
        oldStart: move.startsAt,
        newStart: move.newStart,
        now,
        requestId,
      });
      await runAll(
        db,
        step.flatMap((move) => moveGroup(db, values(move))),
      );
      moved(step.reduce((sum, { bookings }) => sum + bookings, 0));
    }
  }
  throw new Error('Bookings went on moving meanwhile: stop every server, then repeat this command.');
};
