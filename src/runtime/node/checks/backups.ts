import { accessSync, constants, existsSync } from 'node:fs';
import { hourMs } from '../../../core/clinic/durations.ts';
import { judgeBackups } from '../../../modules/health/rules.ts';
import { readBackupPlan, readBackupState, readFailure } from '../backup/scheduled.ts';
import { explainError } from '../reason.ts';
import type { NodeSettings } from '../settings.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

/** An age in words: hours, and from two days on days. */
const ageInWords = (ms: number): string => {
  const hours = Math.floor(ms / hourMs);
  if (hours < 1) return 'less than an hour';
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
};

const mayWrite = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** How old the last good backup of the service is, and whether the last attempt failed. */
export const checkBackups = (settings: NodeSettings, now: number): Finding[] => {
  const { NODE_ENV, DATABASE_URL, BACKUP_FOLDER } = settings;
  if (BACKUP_FOLDER === undefined)
    return NODE_ENV === 'production' && DATABASE_URL.startsWith('file:')
      ? [note('backup', 'the service makes none by itself', 'set BACKUP_FOLDER')]
      : [];
  let plan: ReturnType<typeof readBackupPlan>;
  try {
    plan = readBackupPlan(settings);
  } catch (error) {
    return [wrong('backup', explainError(error), 'unset BACKUP_FOLDER')];
  }
  if (plan === null) return [];
  const { folder } = plan;
  if (existsSync(folder) && !mayWrite(folder))
    return [wrong('backup', `${folder} cannot be written to`, 'give it to the user who runs the service')];
  const state = readBackupState(plan, now);
  const last =
    state.lastGoodAt === null
      ? 'there is no good one yet'
      : `the last good one is ${ageInWords(now - state.lastGoodAt)} old`;
  switch (judgeBackups(state, now)) {
    case 'none_yet':
      return [note('backup', last, 'start the service: it makes one at once')];
    case 'failed':
      return [
        wrong(
          'backup',
          `the last attempt failed, ${last}: ${readFailure(plan)?.reason}`,
          'the log says more',
        ),
      ];
    case 'late':
      return [
        wrong('backup', `${last}, and one is due every ${ageInWords(plan.everyMs)}`, 'does the service run?'),
      ];
    case 'good':
      return [ok('backup', last)];
  }
};
