import { hourMs } from '../../core/clinic/durations.ts';
import { isoOrNull, toIso } from '../../core/endpoint/instants.ts';
import type { ClinicEntry } from '../clinics/queries.ts';
import type { ClinicFigures } from './premises.ts';
import type { operatorActs, signups } from './tables.ts';

/** Open, closed, or open and not to be opened. */
export const stateOf = ({ state, problem }: Pick<ClinicEntry, 'state' | 'problem'>) =>
  state === 'open' && problem !== null ? ('broken' as const) : state;

export const viewClinic = (
  clinic: ClinicEntry,
  { bytes, bookingsToday, failures, backup }: ClinicFigures,
) => ({
  id: clinic.id,
  name: clinic.name,
  hosts: clinic.hosts,
  time_zone: clinic.timeZone,
  state: stateOf(clinic),
  state_since: toIso(clinic.stateSince),
  problem: clinic.problem,
  bytes,
  bookings_today: bookingsToday,
  failures,
  backup: backup && {
    every_hours: backup.everyMs / hourMs,
    last_good_at: isoOrNull(backup.lastGoodAt),
    last_failed_at: isoOrNull(backup.lastFailedAt),
  },
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
