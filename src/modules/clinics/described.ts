import { dayMs } from '../../core/clinic/durations.ts';
import { isTimeZone } from '../../core/clinic/time.ts';
import type { Db } from '../../core/db/db.ts';
import { findClinic } from './queries.ts';
import { isClinicId, normalizeHost } from './rules.ts';

/** A clinic as an operator describes it. */
export interface Described {
  name: string;
  hosts: readonly string[];
  timeZone?: string | undefined;
  /** The e-mail of the first admin, for the operator, who sends the link. */
  admin?: string | undefined;
  demo?: boolean | undefined;
  id?: string | undefined;
}

/** How long the link of the first admin is good: an operator who adds a thousand clinics writes mails first. */
export const firstLinkTtlMs = 7 * dayMs;

const longestName = 200;

/** The hosts of a new clinic, normalized. Throws, in words for the operator, if it cannot be added. */
export const checkDescribed = async (directory: Db, { name, hosts, timeZone, admin, id }: Described) => {
  const names = hosts.map((host) => {
    const normalized = normalizeHost(host);
    if (normalized === null) throw new Error(`${host} is no host, such as melati.janji.example.`);
    return normalized;
  });
  const [host] = names;
  if (host === undefined) throw new Error(`${name}: a clinic has at least one host.`);
  if (name.trim() === '' || name.length > longestName)
    throw new Error(`A clinic's name has 1 to ${longestName} characters.`);
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw new Error(`${timeZone} is no IANA time zone, such as Asia/Jakarta.`);
  if (admin !== undefined && !/^[^\s@]+@[^\s@]+$/.test(admin)) throw new Error(`${admin} is no e-mail.`);
  if (id !== undefined && !isClinicId(id))
    throw new Error(
      `${id} is no id: 1 to 64 letters, digits, dots, dashes and underscores; directory and other are none, and no id ends with -archive or -sandbox.`,
    );
  for (const one of id === undefined ? names : [...names, id]) {
    const taken = await findClinic(directory, one);
    if (taken !== null) throw new Error(`${one} is ${taken.name}'s already (${taken.id}).`);
  }
  return { names, host };
};
