// Pure: the names of clinics, and how long what was read about one may be used.

import { hourMs } from '../../core/clinic/durations.ts';

/** How long an entry of the directory is used before it is read again, in milliseconds. */
export const freshMs = 60_000;
/** How long it is used while the directory cannot be read. */
export const staleMs = hourMs;
/** How long a directory that failed is left alone for a host, in milliseconds. */
export const retryMs = 5_000;

const hostForm = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** A host as the directory stores it: in lower case, without port and final dot; null for what is no host's name. */
export const normalizeHost = (given: string): string | null => {
  const host = given
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '');
  return hostForm.test(host) ? host : null;
};

const idForm = /^[\w.-]{1,64}$/;
/**
 * Names of our own, in any case of letters, as a file system may take them for the same: of the directory's file, of a clinic's
 * archive and sandbox, and of the metrics of all clinics that have no label of their own.
 */
const ownNames = /^(directory|other)$|-(archive|sandbox)$/i;

/** Whether a text may be the id of a clinic, and with it the name of a file. */
export const isClinicId = (text: string): boolean =>
  idForm.test(text) && !/^\.+$/.test(text) && !ownNames.test(text);

/** How long a service may go on with a clinic after it was closed: as long as it knows the directory, and some more. */
const lettingGoMs = 120_000;

/** How long to wait until nobody can have a closed clinic's database open, in milliseconds. */
export const msUntilLetGo = (
  { stateSince, createdAt }: { stateSince: number; createdAt: number },
  now: number,
): number =>
  // One that was made closed was never opened.
  stateSince === createdAt ? 0 : Math.max(0, stateSince + lettingGoMs - now);
