import { setPriority } from 'node:os';
import { explainError } from '../reason.ts';
import { backUp, type CopyKeys } from './backup.ts';

/** A backup to make; its keys come in a message, since anybody can read a command line. */
export interface BackupOrder extends CopyKeys {
  source: string;
  target: string;
  /** The archive whose bookings go into the copy too, if there is one. */
  archive?: string | null;
}

export type BackupResult = { problems: number } | { failure: string };

/** Runs after requests that wait. */
const lowPriority = 10;

const makeOrdered = async ({
  source,
  target,
  archive,
  key,
  recipient,
}: BackupOrder): Promise<BackupResult> => {
  try {
    setPriority(lowPriority);
    const { problems } = await backUp(source, target, () => {}, { key, recipient }, archive);
    return { problems: problems.length };
  } catch (error) {
    return { failure: explainError(error) };
  }
};

process.once('message', async (order: BackupOrder) => {
  // The service has ended: the unfinished file is removed at the exit.
  const end = () => process.exit(1);
  process.once('disconnect', end);
  const result = await makeOrdered(order);
  process.off('disconnect', end);
  process.send?.(result, () => process.disconnect?.());
});
