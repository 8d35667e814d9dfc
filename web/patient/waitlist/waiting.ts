import { onceWanted } from '../../shared/lazy.ts';
import { useWaitlist } from './waitlist.ts';

/** The components for entries and offers, once there are any. */
export const useWaitlistParts = onceWanted(() => import('./parts.ts'));

/** The entries with their components. Nothing that they would push down is rendered while they load. */
export const useWaiting = () => {
  const waitlist = useWaitlist();
  const entries = waitlist.data ?? [];
  const parts = useWaitlistParts(entries.length > 0);
  const isFirst = waitlist.data === undefined && waitlist.isFetching && waitlist.failureCount === 0;
  return { waitlist, entries, parts, isComing: isFirst || (entries.length > 0 && parts === undefined) };
};
