import { DatabaseUnavailableError } from '../../../../core/db/embedded/client.ts';
import { takeOwnerLock } from '../../../../core/db/embedded/owner-lock.ts';
import { findCause } from '../../../../core/endpoint/errors.ts';
import { ClinicMoving } from '../../../../modules/clinics/opener.ts';
import type { Lease } from './leases.ts';

/** Opens a file as the owner of an epoch, and once more with a later one where an owner of a later one was there. */
export const asOwner = async <T>(
  { epoch, raise }: Lease,
  open: (epoch: number) => T | Promise<T>,
  /** The epoch that the second try is made with; null if there is none. */
  later: () => Promise<number | null> = raise,
): Promise<T> => {
  try {
    return await open(epoch);
  } catch (error) {
    // The directory is an earlier copy of itself, and its epochs are behind the locks.
    const isOvertaken = findCause(error, DatabaseUnavailableError)?.code === 'overtaken';
    const raised = isOvertaken ? await later() : null;
    if (raised === null) throw error;
    return await open(raised);
  }
};

/** Does work on a file that no other process has open meanwhile, and gives the clinic back. */
export const whileOwned = async <T>(
  lease: Lease,
  path: string,
  work: () => Promise<T>,
  later?: () => Promise<number | null>,
): Promise<T> => {
  try {
    const { release } = await asOwner(lease, (epoch) => takeOwnerLock(path, epoch), later).catch(
      (cause: unknown) => {
        throw new ClinicMoving(`${path} is in use by another process`, 1, { cause });
      },
    );
    try {
      return await work();
    } finally {
      release();
    }
  } finally {
    await lease.giveBack();
  }
};
