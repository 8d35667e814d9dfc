import { decideAgain, overtaken } from '../db/decide-again.ts';
import { Failure } from '../endpoint/errors.ts';

interface Versioned {
  version: number;
}

/**
 * Changes a row in the version it was read in. One that changed meanwhile is read and decided on again, unless the
 * caller named the version they meant.
 */
export const changeAsRead = <Row extends Versioned, Done>(
  wanted: number | undefined,
  read: () => Promise<readonly Row[]>,
  attempt: (row: Row) => Promise<Done | null>,
): Promise<Done> =>
  decideAgain<Done>(async () => {
    const [row] = await read();
    if (row === undefined) throw new Failure('not_found');
    if (wanted !== undefined && wanted !== row.version)
      throw new Failure('version_mismatch', { extras: { version: row.version } });
    return (await attempt(row)) ?? overtaken;
  });

interface Recorded extends Versioned {
  createdAt: number;
  updatedAt: number;
}

/** What every record of the catalog shows beside its own fields. */
export const recordView = ({ version, createdAt, updatedAt }: Recorded) => ({
  version,
  created_at: new Date(createdAt).toISOString(),
  updated_at: new Date(updatedAt).toISOString(),
});

/** The new value of `retired_at` after a change that may retire or reactivate the record. */
export const retiredAtAfter = (before: number | null, active: boolean | undefined, now: number) =>
  active === undefined ? before : active ? null : (before ?? now);
