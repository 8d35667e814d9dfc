import { useEffect, useRef } from 'preact/hooks';
import { api, open } from '../../shared/api/clients.ts';
import { around, queries, useResource } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { serviceTime } from '../../shared/clock.ts';
import type { State } from '../../shared/ui/StateBadge.tsx';
import { today } from '../clinic.ts';
import { askBooking, askUpcoming, type Booking, type HistoryItem } from './asked.ts';
import { keepTicket, reconcileTicket } from './kept.ts';

const readBooking = async (id: string) => {
  const data = await askBooking(id);
  void keepTicket(data);
  return data;
};

const readQueue = async (doctor_id: string, session_id: string) => {
  // Requested from the service each time: the browser's cache would show an old state first.
  const asked = open.v1.queues.$get({ query: { doctor_id, session_id } }, { init: { cache: 'no-cache' } });
  const { data } = await take(asked);
  return data[0] ?? null;
};
export type Queue = Awaited<ReturnType<typeof readQueue>>;

const readUpcoming = async () => {
  const noted = Date.now();
  const { items, isAll } = await askUpcoming();
  void reconcileTicket(items.filter(isComing), isAll, serviceTime(noted));
  return items;
};

const readPast = async (cursor: string | undefined) => {
  const query = { include: 'detail', when: 'past', limit: 20, ...(cursor && { cursor }) } as const;
  const { data, meta } = await take(api.v1.bookings.history.$get({ query }));
  return { items: data.flatMap((one) => ('queue_label' in one ? [one] : [])), next: meta.next_cursor };
};

/** In one word how far it is. */
export const toState = ({
  status,
  visit,
  cancellation,
}: Pick<HistoryItem, 'status' | 'visit' | 'cancellation'>): State => {
  if (status === 'canceled')
    return cancellation?.reason_code === 'rejected' || cancellation?.reason_code === 'expired'
      ? cancellation.reason_code
      : 'canceled';
  return visit?.status ?? status;
};

/** Whether the patient still has to come, or is in the clinic. */
export const isComing = (
  booking: Pick<HistoryItem, 'status' | 'visit' | 'cancellation' | 'ends_at'>,
): boolean => booking.status !== 'canceled' && !['completed', 'no_show'].includes(toState(booking));

export const useUpcoming = (enabled: boolean) =>
  useResource({
    queryKey: ['upcoming'],
    queryFn: readUpcoming,
    enabled,
    refetchInterval: () => around(60_000),
  });

export const usePast = (cursor: string | undefined) =>
  useResource({ queryKey: ['past', cursor ?? ''], queryFn: () => readPast(cursor) });

export const useBooking = (id: string, enabled = true) =>
  useResource({
    queryKey: ['booking', id],
    queryFn: () => readBooking(id),
    enabled,
    refetchInterval: () => around(60_000),
  });

/** How often a phone polls the queue: more often as its turn comes nearer. */
const nextLook = (queue: Queue | undefined, label: string): number => {
  const ahead = queue?.waiting.findIndex((one) => one.label === label) ?? -1;
  const isCalled = queue?.now?.label === label;
  if (isCalled || (ahead >= 0 && ahead <= 3)) return around(5_000);
  return around(ahead >= 0 && ahead <= 10 ? 15_000 : 60_000);
};

/** The queue of a booking, while it is of today and the patient still has to be seen. */
export const useQueue = (booking: Booking | undefined) => {
  const isToday = booking?.schedule_date === today();
  const isLive = booking !== undefined && isToday && booking.status === 'approved' && isComing(booking);
  const label = booking?.queue_label ?? '';
  const queue = useResource<Queue>({
    queryKey: ['queue', booking?.doctor_id ?? '', booking?.session_id ?? ''],
    queryFn: () => readQueue(booking?.doctor_id ?? '', booking?.session_id ?? ''),
    enabled: isLive,
    staleTime: 0,
    refetchInterval: ({ state }) => nextLook(state.data, label),
  });
  // Once the desk has done something with this ticket, what may be done with it is another matter, too.
  const { now, waiting } = queue.value.data ?? { now: null, waiting: [] };
  const own = waiting.find((one) => one.label === label);
  const step =
    now?.label === label ? `called ${now.call_count}` : own === undefined ? 'gone' : `there ${own.is_there}`;
  const before = useRef<string | null>(null);
  useEffect(() => {
    if (queue.value.data === undefined) return;
    if (before.current !== null && before.current !== step)
      void queries.invalidateQueries({ queryKey: ['booking', booking?.id ?? ''] });
    before.current = step;
  }, [step, queue.value.data === undefined]);
  return queue;
};

/** After an action: data that the answer did not contain is read again. */
export const refreshBookings = async (id?: string): Promise<void> => {
  if (id !== undefined) await queries.invalidateQueries({ queryKey: ['booking', id] });
  void queries.invalidateQueries({ queryKey: ['upcoming'] });
  void queries.invalidateQueries({ queryKey: ['past'] });
  void queries.invalidateQueries({ queryKey: ['slots'] });
  void queries.invalidateQueries({ queryKey: ['doctors'] });
};
