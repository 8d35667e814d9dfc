// Pure: when a backup of the service is due, the name of its file, and which files are deleted.

import { dayMs, minuteMs } from '../../../core/clinic/durations.ts';

const retryMs = 15 * 60_000;

const written = /^janji-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.(db|age)(\.unsound|\.partial.*)?$/;

export const nameBackup = (at: number, isSealed: boolean): string =>
  `janji-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z.${isSealed ? 'age' : 'db'}`;

/** The name of a copy whose data is damaged: it is stored, but does not count as a good backup. */
export const nameUnsound = (name: string): string => `${name}.unsound`;

type Kind = 'good' | 'unsound' | 'partial';
interface Backup {
  name: string;
  at: number;
  kind: Kind;
}

/** The backups among the files of a folder, the newest first; other files are ignored. */
const findBackups = (names: readonly string[]): Backup[] =>
  names
    .flatMap((name): Backup[] => {
      const [, date, hours, minutes, seconds, , end] = written.exec(name) ?? [];
      const at = Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`);
      if (Number.isNaN(at)) return [];
      return [{ name, at, kind: end === undefined ? 'good' : end === '.unsound' ? 'unsound' : 'partial' }];
    })
    .sort((a, b) => b.at - a.at);

/** The backups of until now: one that a wrong clock has put into the future is not counted, and stays. */
const findUntil = (names: readonly string[], now: number): Backup[] =>
  findBackups(names).filter(({ at }) => at <= now + minuteMs);

/** As of when the last good backup is. */
export const findLastGood = (names: readonly string[], now: number): number | null =>
  findUntil(names, now).find(({ kind }) => kind === 'good')?.at ?? null;

/** The files to delete: all but the newest of a kind, and unfinished files of a process that was killed. */
export const outdatedBackups = (names: readonly string[], keep: number, now: number): string[] => {
  const found = findUntil(names, now);
  const ofKind = (kind: Kind) => found.filter((backup) => backup.kind === kind);
  return [
    ...ofKind('good').slice(keep),
    ...ofKind('unsound').slice(keep),
    ...ofKind('partial').filter(({ at }) => at < now - dayMs),
  ].map(({ name }) => name);
};

/** Whether one is to be made now: after its interval, and after a failure once a quarter of an hour has passed. */
export const isBackupDue = (
  { everyMs, lastGoodAt }: { everyMs: number; lastGoodAt: number | null },
  lastTriedAt: number | null,
  now: number,
): boolean =>
  now >= (lastGoodAt ?? Number.NEGATIVE_INFINITY) + everyMs &&
  now >= (lastTriedAt ?? Number.NEGATIVE_INFINITY) + retryMs;
