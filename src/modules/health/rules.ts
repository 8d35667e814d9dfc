import type { BackupState } from '../../core/deps.ts';

// Pure: the state of the service's scheduled backups, and how large a database may become.

export const backupVerdicts = ['none_yet', 'good', 'late', 'failed'] as const;
export type BackupVerdict = (typeof backupVerdicts)[number];

/** One that is missed is tried again, so a backup is late only after the time of two. */
const lateAfterIntervals = 2;

/** The last attempt decides, then the age of the last good backup. */
export const judgeBackups = (
  { everyMs, lastGoodAt, lastFailedAt }: BackupState,
  now: number,
): BackupVerdict => {
  if (lastFailedAt !== null && lastFailedAt >= (lastGoodAt ?? 0)) return 'failed';
  if (lastGoodAt === null) return 'none_yet';
  return now - lastGoodAt > lateAfterIntervals * everyMs ? 'late' : 'good';
};

/** From this size on an operator has to act: D1 and the objects of Workers end at 10 GB. */
export const largeBytes = 8_000_000_000;
