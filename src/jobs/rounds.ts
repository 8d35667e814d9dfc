import { run } from '../core/db/db.ts';
import type { Deps } from '../core/deps.ts';
import { computeReminderLeads, listChannels } from '../modules/notices/plan.ts';
import { buildMark } from './demo-day.ts';
import { findDue } from './due-queries.ts';
import { type Job, jobs, runJob, runJobs } from './jobs.ts';

/** A text that changes with each change of the database, by any process; null if it is unknown. */
export type ChangeMark = () => Promise<string | null>;

const cannotTell: ChangeMark = async () => null;

const readDue = async (deps: Deps, now: number) => {
  const { userId, key } = buildMark(deps.clinicTime.dateOf(now));
  const [due] = await run(
    deps.db,
    findDue(deps.db, {
      now,
      oldKeyIds: JSON.stringify(deps.secretBox.oldKeyIds),
      retentionYears: deps.config.RETENTION_YEARS ?? null,
      channels: JSON.stringify(listChannels(deps)),
      ...computeReminderLeads(deps),
      demoStaffId: userId,
      demoKey: key,
    }),
  );
  return jobs.map((job) => {
    const dueAt = (due && job.dueAt?.(due, deps, now)) ?? Number.POSITIVE_INFINITY;
    const isDue = dueAt <= now;
    return { job, isDue, again: (isDue && due && job.restsUntil?.(due, now)) || dueAt };
  });
};

/**
 * A round reads one row that says what is due, and runs only that. While nothing has changed and nothing has become due
 * there is no query: a round then costs one read of `changeMark`, if there is one.
 */
export const createRounds = (deps: Deps, changeMark = cannotTell) => {
  const unasked = jobs.filter(({ dueAt }) => dueAt === undefined);
  let known: string | null = null;
  let nextAt = Number.NEGATIVE_INFINITY;

  const findDueJobs = async (): Promise<Job[]> => {
    const now = deps.clock();
    // Read before the row: writes in between are found by the next round.
    const mark = await changeMark();
    if (mark !== null && mark === known && now < nextAt) return [];
    // If this read fails, the next round reads again, even if the mark is the same: a reopened connection counts from
    // the start.
    known = null;
    const found = await readDue(deps, now);
    nextAt = Math.min(...found.map(({ again }) => again));
    known = mark;
    return found.filter(({ isDue }) => isDue).map(({ job }) => job);
  };

  return async (stopping?: AbortSignal): Promise<void> => {
    let due: readonly Job[] = [];
    const look = async () => {
      due = await findDueJobs();
    };
    await runJob(deps, { name: 'due', run: look }, stopping);
    // Unfinished work is still due, even if nothing changes.
    if (!(await runJobs(deps, stopping, [...unasked, ...due]))) known = null;
  };
};
