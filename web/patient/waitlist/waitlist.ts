import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../../shared/api/clients.ts';
import { around, queries, useResource } from '../../shared/api/resource.ts';
import { onForget } from '../../shared/api/session.ts';
import { take } from '../../shared/api/take.ts';

const readWaitlist = async () => (await take(api.v1.waitlist.$get())).data;
export type Entry = Awaited<ReturnType<typeof readWaitlist>>[number];
export type Offer = NonNullable<Entry['offer']>;

/** The waitlist entries of the account and its family; polled while there are any. */
export const useWaitlist = (enabled = true) =>
  useResource<Entry[]>({
    queryKey: ['waitlist'],
    queryFn: readWaitlist,
    enabled,
    refetchInterval: ({ state }) => (state.data?.length ? around(30_000) : false),
  }).value;

export const refreshWaitlist = (): Promise<void> => queries.invalidateQueries({ queryKey: ['waitlist'] });

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

/** The offers that were open on this page, by entry: the result of one is shown in its place. */
export const offersSeen = signal<ReadonlyMap<string, Offer>>(new Map());

export const noteOffer = (entryId: string, offer: Offer | null): void => {
  const seen = new Map(offersSeen.peek());
  if (offer === null) seen.delete(entryId);
  else seen.set(entryId, offer);
  offersSeen.value = seen;
};

onForget(() => {
  offersSeen.value = new Map();
});
