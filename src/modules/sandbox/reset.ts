import { newClinic } from '../../core/clinic/row.ts';
import { type Db, run } from '../../core/db/db.ts';
import type { Hasher } from '../../core/deps.ts';
import { seedDemo } from '../demo/demo.ts';
import { emptyTables, findCalendarVersion, putCalendarVersion } from './queries.ts';

interface Given {
  clinicId: string;
  timeZone: string;
  hasher: Hasher;
  /** The real time, in milliseconds. */
  now: number;
}

/** Fills an empty sandbox, whose calendars have versions that none of its caches has met; those before went up to `version`. */
export const fillSandbox = async (
  db: Db,
  { hasher, now }: Pick<Given, 'hasher' | 'now'>,
  version = 0,
): Promise<boolean> => {
  const isFilled = await seedDemo(db, hasher, now);
  if (isFilled) await putCalendarVersion(db, Math.max(Math.floor(now / 1000), version + 1));
  return isFilled;
};

/** Deletes every row but those of keys, in one step, and fills the sandbox again. */
export const resetSandbox = async (db: Db, { clinicId, timeZone, ...given }: Given): Promise<void> => {
  const [before] = await run(db, findCalendarVersion(db, {}));
  // The keys are worth something under this id alone.
  await emptyTables(db, [newClinic(db, { clinicId, timeZone })]);
  await fillSandbox(db, given, before?.version);
};

/** A sandbox begins again where its clinic was moved to another zone: its own bookings are not worth moving. */
export const beginAgainInZone = async (
  db: Db,
  found: { clinicId: string | null; timeZone: string; demoSince: number | null } | undefined,
  given: Omit<Given, 'clinicId'>,
): Promise<void> => {
  if (found?.clinicId == null || found.demoSince === null || found.timeZone === given.timeZone) return;
  await resetSandbox(db, { ...given, clinicId: found.clinicId });
};
