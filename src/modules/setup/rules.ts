// Pure: what a clinic needs before it can work.

import { dayMs, hourMs } from '../../core/clinic/durations.ts';
import type { BackupState } from '../../core/deps.ts';
import type { LacksRow } from './queries.ts';

/** The set-up steps of a clinic, in the recommended order. */
export const missing = [
  'clinic_name',
  'session',
  'doctor',
  'schedule',
  'second_factor',
  'mail',
  'mail_failing',
  'backup',
] as const;
type Missing = (typeof missing)[number];

/** How long a set-up link is good. */
export const linkTtlMs = hourMs;

/** How old a failed mail may be to count as a failure of all mail: a week. */
export const mailSpanMs = 7 * dayMs;

/** The missing steps, in the recommended order. */
export const missingIn = (
  row: LacksRow,
  { sendsMail, backups }: { sendsMail: boolean; backups: BackupState | null | undefined },
): Missing[] => {
  if (row.isDemo) return [];
  const has: Readonly<Record<Missing, boolean>> = {
    clinic_name: Boolean(row.clinicName),
    session: Boolean(row.session),
    doctor: Boolean(row.doctor),
    schedule: Boolean(row.schedule),
    second_factor: Boolean(row.secondFactor),
    mail: sendsMail,
    mail_failing: !sendsMail || Boolean(row.lastMailLeft),
    // If the service cannot make backups itself, it does not know whether others are made.
    backup: backups === undefined || (backups?.lastGoodAt ?? null) !== null,
  };
  return missing.filter((one) => !has[one]);
};
