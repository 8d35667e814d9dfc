import { run } from '../core/db/db.ts';
import type { Deps } from '../core/deps.ts';
import { listTargets } from '../modules/exchange/outbox/targets.ts';
import { computeReminderLeads, listChannels } from '../modules/notices/plan.ts';
import { buildMark } from './demo-day.ts';
import { findDue } from './due-queries.ts';
import { type Job, jobs, runJob, runJobs } from './jobs.ts';

/** A text that changes with each change of the database, by any process; null if it is unknown. */
export type ChangeMark = () => Promise<string | null>;

const cannotTell: ChangeMark = async () => null;

const readDue = async (deps: Deps, now: number, chosen: readonly Job[]) => {
  const { userId, key } = buildMark(deps.clinicTime.dateOf(now));
  const [due] = await run(
    deps.db,
    findDue(deps.db, {
      now,
      oldKeyIds: JSON.stringify(deps.secretBox.oldKeyIds),
      retentionYears: deps.config.RETENTION_YEARS ?? null,
      channels: JSON.stringify(listChannels(deps)),
      targets: JSON.stringify(listTargets(deps.config).map(({ name }) => name)),
      ...computeReminderLeads(deps),
      demoStaffId: userId,
      demoKey: key,
    }),
  );
  return chosen.map((job) => {
    const dueAt = (due && job.dueAt?.(due, deps, now)) ?? Number.POSITIVE_INFINITY;
    const isDue = dueAt <= now;
    return { job, isDue, again: (isDue && due && job.restsUntil?.(due, now)) || dueAt };
  });
};

export interface Rounds {
  /** Runs what is due, and says when something will be due if nothing changes. */
  run: (stopping?: AbortSignal) => Promise<number>;
  /** The same without running anything. */
  readNextAt: () => Promise<number>;
}

/** After how many milliseconds unfinished work is tried again. */
const againMs = 60_000;

/**
 * A round reads one row that says what is due, and runs only that. While nothing has changed and nothing has become due
 * there is no query: a round then costs one read of `changeMark`, if there is one.
 */
export const createDueRounds = (
  deps: Deps,
  changeMark = cannotTell,
  chosen: readonly Job[] = jobs,
): Rounds => {
  const unasked = chosen.filter(({ dueAt }) => dueAt === undefined);
  let known: string | null = null;
  let nextAt = Number.NEGATIVE_INFINITY;

  const look = async (): Promise<Job[]> => {
    const now = deps.clock();
    // Read before the row: writes in between are found by the next round.
    const mark = await changeMark();
    if (mark !== null && mark === known && now < nextAt) return [];
    // If this read fails, the next round reads again, even if the mark is the same: a reopened connection counts from
    // the start.
    known = null;
    const found = await readDue(deps, now, chosen);
    nextAt = Math.min(...found.map(({ again }) => again));
    known = mark;
    return found.filter(({ isDue }) => isDue).map(({ job }) => job);
  };

  return {
    run: async (stopping) => {
      let due: readonly Job[] = [];
      const findDueJobs = async () => {
        due = await look();
      };
      const hasLooked = await runJob(deps, { name: 'due', run: findDueJobs }, stopping);
      // Unfinished work is still due, even if nothing changes.
      const isDone = await runJobs(deps, stopping, [...unasked, ...due]);
      if (!isDone) known = null;
      return isDone && hasLooked ? nextAt : deps.clock() + againMs;
    },
    readNextAt: async () => {
      const due = await look();
      // What is due now has not been run.
      if (due.length > 0) known = null;
      return due.length > 0 ? deps.clock() : nextAt;
    },
  };
};

/** The rounds, run by a timer each minute. */
export const createRounds = (deps: Deps, changeMark?: ChangeMark) => {
  const { run } = createDueRounds(deps, changeMark);
  return async (stopping?: AbortSignal): Promise<void> => void (await run(stopping));
};
