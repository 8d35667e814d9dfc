import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { hourMs } from '../../../core/clinic/durations.ts';
import type { BackupState } from '../../../core/deps.ts';
import type { Logger } from '../../../core/log.ts';
import { archiveUrlOf } from '../database/archive.ts';
import { parseFilePath } from '../database/database-file.ts';
import { explainError } from '../reason.ts';
import type { NodeSettings } from '../settings.ts';
import { backUpApart } from './backup-apart.ts';
import { checksumPathOf } from './checksum.ts';
import { findLastGood, isBackupDue, nameBackup, nameUnsound, outdatedBackups } from './schedule-rules.ts';

const failureFile = 'janji-last-failure.json';

/** Where the service's own backups are stored, and how they are made. */
export interface BackupPlan extends Pick<NodeSettings, 'DATABASE_KEY' | 'BACKUP_RECIPIENT'> {
  source: string;
  /** Where its archive is, if it has one. */
  archive?: string;
  folder: string;
  everyMs: number;
  keep: number;
}

type Settings = Pick<
  NodeSettings,
  'DATABASE_URL' | 'DATABASE_KEY' | 'BACKUP_RECIPIENT' | 'BACKUP_FOLDER' | 'BACKUP_EVERY' | 'BACKUP_KEEP'
>;

const archiveIn = (settings: Parameters<typeof archiveUrlOf>[0]): Pick<BackupPlan, 'archive'> => {
  const url = archiveUrlOf(settings);
  return url?.startsWith('file:') ? { archive: resolve(url.slice('file:'.length)) } : {};
};

/** The settings of scheduled backups; null if none are made. Throws if the settings do not allow any. */
export const readBackupPlan = ({
  DATABASE_URL,
  BACKUP_FOLDER,
  ...settings
}: Settings & { ARCHIVE_DATABASE_URL?: string | undefined }): BackupPlan | null =>
  BACKUP_FOLDER === undefined
    ? null
    : {
        ...settings,
        source: parseFilePath(
          DATABASE_URL,
          'BACKUP_FOLDER is for an embedded database, export copies a remote one.',
        ),
        ...archiveIn({ DATABASE_URL, ...settings }),
        folder: resolve(BACKUP_FOLDER),
        everyMs: settings.BACKUP_EVERY * hourMs,
        keep: settings.BACKUP_KEEP,
      };

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** When and why the last attempt failed; null if it succeeded. */
export const readFailure = ({
  folder,
}: Pick<BackupPlan, 'folder'>): { at: number; reason: string } | null => {
  try {
    return JSON.parse(readFileSync(join(folder, failureFile), 'utf8'));
  } catch {
    return null;
  }
};

/** The state of the backups in the folder, whichever process made them. */
export const readBackupState = (plan: Pick<BackupPlan, 'folder' | 'everyMs'>, now: number): BackupState => ({
  everyMs: plan.everyMs,
  lastGoodAt: findLastGood(namesIn(plan.folder), now),
  lastFailedAt: readFailure(plan)?.at ?? null,
});

interface Needs {
  clock: () => number;
  log: Logger;
  makeCopy?: typeof backUpApart;
}

/** Removes expired backups; another process may have removed them already. */
const prune = ({ folder, keep }: BackupPlan, now: number): number => {
  const outdated = outdatedBackups(namesIn(folder), keep, now);
  for (const name of outdated)
    for (const path of [join(folder, name), checksumPathOf(join(folder, name))])
      rmSync(path, { force: true });
  return outdated.length;
};

/** Makes backups when they are due. `look` never throws: a failed backup is logged and tried again. */
export const createBackups = (plan: BackupPlan, { clock, log, makeCopy = backUpApart }: Needs) => {
  const { source, archive, folder, DATABASE_KEY: key, BACKUP_RECIPIENT: recipient } = plan;
  let lastTriedAt: number | null = null;
  // Known also if the folder is not writable.
  let lastFailedAt: number | null = null;

  const readState = (): BackupState => {
    const state = readBackupState(plan, clock());
    return { ...state, lastFailedAt: lastFailedAt ?? state.lastFailedAt };
  };

  const make = async (now: number, stopping: AbortSignal): Promise<void> => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const name = nameBackup(now, recipient !== undefined);
    const target = join(folder, name);
    const result = await makeCopy(
      {
        source,
        target,
        archive: archive !== undefined && existsSync(archive) ? archive : null,
        key,
        recipient,
      },
      stopping,
    );
    if ('failure' in result) throw new Error(result.failure);
    if (result.problems > 0) {
      renameSync(target, nameUnsound(target));
      rmSync(checksumPathOf(target), { force: true });
      throw new Error(`The data itself is not sound: the copy is kept as ${nameUnsound(name)}.`);
    }
    lastFailedAt = null;
    rmSync(join(folder, failureFile), { force: true });
    const { size } = statSync(target);
    log.info('backup made', {
      file: name,
      bytes: size,
      seconds: (clock() - now) / 1000,
      removed: prune(plan, now),
    });
  };

  const noteFailure = (at: number, error: unknown): void => {
    lastFailedAt = at;
    const reason = explainError(error).split('\n')[0];
    log.error('backup failed', { cause: reason });
    try {
      writeFileSync(join(folder, failureFile), JSON.stringify({ at, reason }), { mode: 0o600 });
      prune(plan, at);
    } catch {
      // The cause that stopped the backup may stop this as well.
    }
  };

  const isDue = (): boolean => isBackupDue(readState(), lastTriedAt, clock());

  return {
    readState,
    isDue,
    /** Makes a backup if one is due. */
    look: async (stopping: AbortSignal): Promise<void> => {
      const now = clock();
      if (stopping.aborted || !isDue()) return;
      lastTriedAt = now;
      try {
        await make(now, stopping);
      } catch (error) {
        if (!stopping.aborted) noteFailure(now, error);
      }
    },
  };
};

export type Backups = ReturnType<typeof createBackups>;
