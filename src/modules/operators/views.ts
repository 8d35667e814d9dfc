import { hourMs } from '../../core/clinic/durations.ts';
import { isoOrNull, toIso } from '../../core/endpoint/instants.ts';
import type { ClinicEntry } from '../clinics/queries.ts';
import { sealedSettings } from '../clinics/settings.ts';
import type { ClinicFigures } from './hosting.ts';
import type { operatorActs, signups } from './tables.ts';

/** Open, closed, or open and not to be opened. */
const stateOf = ({ state, problem }: Pick<ClinicEntry, 'state' | 'problem'>) =>
  state === 'open' && problem !== null ? ('broken' as const) : state;

/** The settings of a clinic; the values of secret ones are left out. */
export const viewSettings = (settings: ClinicEntry['settings']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      sealedSettings.includes(name) ? '(sealed)' : value,
    ]),
  );

export const viewClinic = (
  clinic: ClinicEntry,
  {
    bytes,
    archiveBytes,
    bookingsToday,
    failures,
    backup,
    schema,
    isCurrent,
    dueAt,
    problem,
    owner,
    restoredLines,
  }: ClinicFigures,
) => ({
  id: clinic.id,
  name: clinic.name,
  hosts: clinic.hosts,
  time_zone: clinic.timeZone,
  state: stateOf({ ...clinic, problem }),
  state_since: toIso(clinic.stateSince),
  problem,
  owner,
  bytes,
  archive_bytes: archiveBytes,
  bookings_today: bookingsToday,
  failures,
  backup: backup && {
    every_hours: backup.everyMs / hourMs,
    last_good_at: isoOrNull(backup.lastGoodAt),
    last_failed_at: isoOrNull(backup.lastFailedAt),
  },
  schema,
  is_current: isCurrent,
  restored_lines: restoredLines,
  settings: viewSettings(clinic.settings),
  due_at: isoOrNull(dueAt),
  used_at: isoOrNull(clinic.usedAt),
  created_at: toIso(clinic.createdAt),
});

export const viewAct = ({
  id,
  at,
  operator,
  act,
  clinicId,
  clinicName,
}: typeof operatorActs.$inferSelect) => ({
  id,
  at: toIso(at),
  operator,
  act,
  clinic_id: clinicId,
  clinic_name: clinicName,
});

export const viewSignup = ({ id, name, host, email, timeZone, askedAt }: typeof signups.$inferSelect) => ({
  id,
  name,
  host,
  email,
  time_zone: timeZone,
  asked_at: toIso(askedAt),
});
