import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import type { Schemas } from './bookings.ts';
import { useRead } from './read.ts';

export type DaySlot = Schemas['DaySlot'];

export const slotsMs = 20_000;

/** The slots of a day over all doctors, as the clinic may book them; full ones too, with the reason. */
export const useSlots = (date: string) =>
  useRead({
    queryKey: ['jadwal-hari', date, 'semua'],
    queryFn: async () => (await take(api.v1.slots.$get({ query: { date, include: 'unavailable' } }))).data,
    staleTime: 5_000,
    refetchInterval: slotsMs,
  });

export const slotId = (slot: Pick<DaySlot, 'doctor_id' | 'session_id' | 'schedule_time'>): string =>
  `${slot.doctor_id} ${slot.session_id} ${slot.schedule_time}`;
