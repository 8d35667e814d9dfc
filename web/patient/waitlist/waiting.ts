import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useWaitlist } from './waitlist.ts';

type Parts = typeof import('./parts.ts');
const loaded = signal<Parts | null | undefined>(undefined);

/**
 * The components for entries and offers, once there are any: undefined while they load, null if they cannot be loaded.
 */
export const useWaitlistParts = (isWanted: boolean): Parts | null | undefined => {
  useEffect(() => {
    if (!isWanted || loaded.peek()) return;
    import('./parts.ts').then(
      (parts) => (loaded.value = parts),
      () => (loaded.value = null),
    );
  }, [isWanted]);
  return loaded.value;
};

/** The entries with their components. Nothing that they would push down is rendered while they load. */
export const useWaiting = () => {
  const waitlist = useWaitlist();
  const entries = waitlist.data ?? [];
  const parts = useWaitlistParts(entries.length > 0);
  const isFirst = waitlist.data === undefined && waitlist.isFetching && waitlist.failureCount === 0;
  return { waitlist, entries, parts, isComing: isFirst || (entries.length > 0 && parts === undefined) };
};
