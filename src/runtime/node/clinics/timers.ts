import type { SQL } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { findCause } from '../../../core/endpoint/errors.ts';
import { errorName, type Logger } from '../../../core/log.ts';
import { withinLimit } from '../../../core/time-limit.ts';
import { ClinicMoving } from '../../../modules/clinics/opener.ts';
import type { ClinicEntry } from '../../../modules/clinics/queries.ts';
import { listClosedIds, listDue, listOutdated, noteClinic } from '../../../modules/clinics/queries.ts';
import { newestSchema } from './clinic-database.ts';
import type { OpenService } from './clinic-service.ts';
import type { OpenClinics } from './open-clinics.ts';

interface Parts {
  directory: Db;
  clinics: Pick<OpenClinics<OpenService>, 'list' | 'use' | 'leave'>;
  /** The condition of those clinics that no other machine has; null where this one is alone. */
  notElsewhere?: (() => SQL) | null;
  clock: () => number;
  log: Logger;
}

const everyMs = 60_000;
/** How many clinics do their due work at once. */
const atOnce = 4;
/** How many clinics that are not open are asked for in one turn; those beyond come with the next. */
const mostDue = 500;
const stopLimitMs = 5_000;
/** How long nobody asked a clinic for anything until another machine may have it. */
const idleMs = 600_000;

/** Runs work on each item, a few at a time; one that fails is logged and delays no other. */
const forEach = async <T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
  log: Logger,
): Promise<void> => {
  const rest = items[Symbol.iterator]();
  const workThrough = async (): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next())
      await work(next.value).catch((error: unknown) => {
        // Another machine was first.
        if (findCause(error, ClinicMoving) === null) log.warn('clinic left out', { cause: errorName(error) });
      });
  };
  await Promise.all(Array.from({ length: atOnce }, workThrough));
};

/** Repeats a turn with a pause of so long from one beginning to the next; the returned function ends it. */
const repeat = (
  turn: (stopping: AbortSignal) => Promise<unknown>,
  pauseMs: number,
  log: Logger,
): (() => Promise<void>) => {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();
  const begin = (): void => {
    const began = performance.now();
    current = turn(stopping.signal)
      .catch((error: unknown) => log.error('clinics', { cause: errorName(error) }))
      .then(() => {
        if (!stopping.signal.aborted)
          timer = setTimeout(begin, Math.max(0, pauseMs - (performance.now() - began)));
      });
  };
  begin();
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await withinLimit(stopLimitMs, current);
  };
};

/**
 * Does what is due at any clinic: of open clinics by what they know themselves, of the others by the directory. A clinic
 * that has nothing due is not asked.
 */
export const runDueOnce = async (
  { directory, clinics, clock, log, notElsewhere = null }: Parts,
  stopping: AbortSignal,
): Promise<void> => {
  const now = clock();
  for (const id of await listClosedIds(directory)) clinics.leave(id);
  if (notElsewhere !== null)
    for (const { clinic, opened } of clinics.list())
      if (now - opened.usedAt() > idleMs) clinics.leave(clinic.id);
  const due = new Map<string, ClinicEntry>();
  for (const { clinic, opened } of clinics.list()) if (opened.nextAt() <= now) due.set(clinic.id, clinic);
  for (const clinic of await listDue(directory, now, mostDue, notElsewhere?.())) due.set(clinic.id, clinic);
  const runAt = (clinic: ClinicEntry): Promise<void> =>
    clinics.use(clinic, async (opened, release) => {
      if (!stopping.aborted) await opened.runDue(stopping);
      const nextAt = opened.nextAt();
      await noteClinic(directory, clinic.id, { dueAt: Number.isFinite(nextAt) ? nextAt : null });
      release();
    });
  await forEach(due.values(), runAt, log);
};

export const startDueTimer = (parts: Parts): (() => Promise<void>) =>
  repeat((stopping) => runDueOnce(parts, stopping), everyMs, parts.log);

const sweptASecond = 10;

/** Opens clinics whose database has an older schema, ten a second and those used last first, so that each is migrated. */
export const startSweeper = ({
  directory,
  clinics,
  log,
  notElsewhere = null,
}: Parts): (() => Promise<void>) => {
  const { newest } = newestSchema();
  let isDone = false;
  return repeat(
    async (stopping) => {
      if (isDone) return;
      const outdated = await listOutdated(directory, newest, sweptASecond, notElsewhere?.());
      isDone = outdated.length === 0;
      const open = async (clinic: ClinicEntry): Promise<void> => {
        if (stopping.aborted) return;
        await clinics.use(clinic, async (_, release) => {
          await noteClinic(directory, clinic.id, { schema: newest });
          release();
        });
      };
      await forEach(outdated, open, log);
    },
    1_000,
    log,
  );
};
