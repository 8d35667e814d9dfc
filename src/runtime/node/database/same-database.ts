import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isFileUrl } from './database-file.ts';

/** Where a path leads, by the nearest folder that is there: what is not made yet, or cannot be reached at present, by its place. */
export const placeOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(placeOf(above), basename(path));
  }
};

/** A file by what the file system knows it by, whatever leads to it; one that is not there by its place. */
const fileIdentity = (path: string): string => {
  try {
    // As numbers, the ids of two files of NTFS may be the same.
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return placeOf(path);
  }
};

/** Whether two paths lead to the same file, or would if it were made. */
export const isSameFile = (one: string, other: string): boolean =>
  one === other || fileIdentity(one) === fileIdentity(other);

/** The names of this machine, for itself alone. */
const thisMachine = /^(localhost\.?|127\.0\.0\.1|\[::1\])$/;

/** A server by its host, port and path: its scheme says only how it is asked. */
const serverIdentity = (url: string): string => {
  const isPlain = /^(http|ws):|[?&]tls=0/.test(url);
  const { hostname, port, pathname } = new URL(url.replace(/^\w+:/, 'https:'));
  return `${hostname.replace(thisMachine, 'localhost')}:${port || (isPlain ? 80 : 443)}${pathname.replace(/\/+$/, '')}`;
};

const identityOf = (url: string): string =>
  isFileUrl(url) ? fileIdentity(resolve(url.slice('file:'.length))) : serverIdentity(url);

/** Whether two addresses, as settings have them, name the same database, however they are spelled. */
export const isSameDatabase = (one: string, other: string): boolean =>
  one === other || (isFileUrl(one) === isFileUrl(other) && identityOf(one) === identityOf(other));
