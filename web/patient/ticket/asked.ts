import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';

/** One booking, as its patient reads it. */
export const askBooking = async (id: string) =>
  (await take(api.v1.bookings[':id'].$get({ param: { id } }))).data;
export type Booking = Awaited<ReturnType<typeof askBooking>>;

/** The bookings that are to come, with their details, and whether there are more. */
export const askUpcoming = async () => {
  const query = { include: 'detail', when: 'upcoming' } as const;
  const { data, meta } = await take(api.v1.bookings.history.$get({ query }));
  return {
    items: data.flatMap((one) => ('queue_label' in one ? [one] : [])),
    isAll: meta.next_cursor === null,
  };
};
export type HistoryItem = Awaited<ReturnType<typeof askUpcoming>>['items'][number];
