import { api } from '../../shared/api/clients.ts';
import { readAll } from '../../shared/api/pages.ts';
import { around } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { addDays } from '../../shared/time.ts';
import type { Booking } from './bookings.ts';
import { today, useClinic } from './clinic.ts';
import { useRead } from './read.ts';

/** The longest range that the service lists at once. */
const listedDays = 92;

export const waitingMs = 15_000;

export const nearKey = ['menunggu'] as const;
export const farKey = ['menunggu-jauh'] as const;

const readWaiting = (from: string): Promise<Booking[]> => {
  const range = { from, to: addDays(from, listedDays - 1), status: ['waiting' as const] };
  return readAll((page) => take(api.v1.bookings.$get({ query: { ...page, ...range } })));
};

/**
 * Requests beyond the first range: only a clinic that opens its days further ahead has any, and they are read seldom.
 */
const useFar = () => {
  const date = today();
  const furthest = useClinic().value.data?.max_advance_days ?? 0;
  return useRead({
    queryKey: [...farKey, date, furthest],
    queryFn: async () => {
      const found: Booking[] = [];
      for (let ahead = listedDays; ahead <= furthest; ahead += listedDays)
        found.push(...(await readWaiting(addDays(date, ahead))));
      return found;
    },
    enabled: furthest >= listedDays,
    refetchInterval: around(60_000),
    refetchOnWindowFocus: true,
  });
};

/** How many wait for approval, of all days to come. */
export const useWaitingCount = (): number => {
  const date = today();
  const near = useRead({
    queryKey: [...nearKey, 'jumlah', date],
    queryFn: async () => {
      const query = { from: date, to: addDays(date, listedDays - 1), status: ['waiting' as const], limit: 1 };
      return (await take(api.v1.bookings.$get({ query }))).meta.counts.waiting;
    },
    refetchInterval: around(30_000),
  }).value;
  const far = useFar().value;
  return (near.data ?? 0) + (far.data?.length ?? 0);
};

/** All that wait for approval, those that wait longest first; undefined until it was read. */
export const useWaiting = () => {
  const date = today();
  const near = useRead({
    queryKey: [...nearKey, 'daftar', date],
    queryFn: () => readWaiting(date),
    refetchInterval: around(waitingMs),
  }).value;
  const far = useFar().value;
  const all = near.data && [...near.data, ...(far.data ?? [])].sort(byWait);
  return { near, far, all };
};

export const byWait = (a: Booking, b: Booking): number => (a.created_at < b.created_at ? -1 : 1);
