import { decideAgain, overtaken } from '../../core/db/decide-again.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import { toIso } from '../../core/endpoint/instants.ts';

interface Versioned {
  version: number;
}

/**
 * Changes a row if it still has the version that was read. If it changed in the meantime, reads and decides again,
 * unless the caller requires a certain version.
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

/** The fields that every catalog record shows in addition to its own. */
export const recordView = ({ version, createdAt, updatedAt }: Recorded) => ({
  version,
  created_at: toIso(createdAt),
  updated_at: toIso(updatedAt),
});

/** The new value of `retired_at` after a change that may retire or reactivate the record. */
export const retiredAtAfter = (before: number | null, active: boolean | undefined, now: number) =>
  active === undefined ? before : active ? null : (before ?? now);
