import { signal } from '@preact/signals';
import { api } from '../../shared/api/clients.ts';
import { readAll } from '../../shared/api/pages.ts';
import { around, queries, useResource } from '../../shared/api/resource.ts';
import { onForget } from '../../shared/api/session.ts';
import { take } from '../../shared/api/take.ts';

const readWaitlist = () => readAll((query) => take(api.v1.waitlist.$get({ query })));
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
