import { api } from '../../shared/api/clients.ts';
import { readAll } from '../../shared/api/pages.ts';
import { around, queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import type { Booking } from '../data/bookings.ts';
import { useRead } from '../data/read.ts';
import { type DaySlot, slotsMs } from '../data/slots.ts';
import { listOffered, type Offered, useWaitlist } from '../data/waitlist.ts';
import type { Model } from './model.ts';

export type Calendar = Model<DaySlot, Booking, Offered>;

// What `afterAct` reads again after a change of a booking.
const key = (from: string, to: string) => ['jadwal-hari', 'kalender', from, to] as const;

const readCalendar = async (from: string, to: string) => {
  const status = ['waiting' as const, 'approved' as const];
  const [slots, bookings] = await Promise.all([
    take(api.v1.slots.$get({ query: { from, to, include: 'unavailable' } })),
    readAll((page) => take(api.v1.bookings.$get({ query: { from, to, status, ...page } }))),
  ]);
  return { slots: slots.data, bookings: bookings.filter(({ held_until }) => held_until === null) };
};

/** Slots and bookings of some dates: one request for the slots of all doctors, one for each hundred bookings. */
export const useCalendar = (from: string, to: string) =>
  useRead({
    queryKey: key(from, to),
    queryFn: () => readCalendar(from, to),
    staleTime: 5_000,
    refetchInterval: around(slotsMs),
  });

export const useHeld = (): Offered[] => listOffered(useWaitlist(60_000).value.data);

export const readAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['jadwal-hari'] });
