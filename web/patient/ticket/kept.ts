import { del, get, set } from 'idb-keyval';
import { onForget } from '../../shared/api/session.ts';
import { isClockKnown, serviceNow } from '../../shared/clock.ts';
import { dayMs } from '../../shared/dates/days.ts';
import type { Booking, HistoryItem } from './asked.ts';

/** The part of the next ticket that the phone stores: no names of patients, and no notes. */
export interface KeptTicket {
  id: string;
  code: string;
  label: string;
  doctor: string;
  session: string;
  date: string;
  time: string;
  zone: string;
  room: string;
  startsAt: string;
  endsAt: string;
  keptAt: number;
}

const place = 'tiket';

/** By how much the clocks of two pages may differ: the service tells whole seconds. */
const clockErrorMs = 1_000;

// A browser may have no database, or refuse it in private windows: then there is no ticket without a connection.
const quietly = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await work();
  } catch {
    return undefined;
  }
};

export const readTicket = async (): Promise<KeptTicket | undefined> => {
  const ticket = await quietly(() => get<KeptTicket>(place));
  if (ticket === undefined) return undefined;
  if (Date.parse(ticket.endsAt) + dayMs > serviceNow()) return ticket;
  // A wrong clock must not delete a ticket.
  if (isClockKnown()) await forgetTicket();
  return undefined;
};

const forgetTicket = async (): Promise<void> => void (await quietly(() => del(place)));

const isOver = ({ status, visit }: Booking): boolean =>
  status === 'canceled' || visit?.status === 'completed' || visit?.status === 'no_show';

/** Stores the soonest upcoming booking; deletes the stored one once it is over. */
export const keepTicket = async (booking: Booking): Promise<void> => {
  const kept = await readTicket();
  // An offered seat has no ticket yet.
  if (booking.held_until !== null) return;
  if (isOver(booking)) {
    if (kept?.id === booking.id) await forgetTicket();
    return;
  }
  if (kept !== undefined && kept.id !== booking.id && kept.startsAt < booking.starts_at) return;
  const ticket: KeptTicket = {
    id: booking.id,
    code: booking.booking_code,
    label: booking.queue_label,
    doctor: booking.doctor_name,
    session: booking.session_name,
    date: booking.schedule_date,
    time: booking.schedule_time,
    zone: booking.time_zone,
    room: booking.room,
    startsAt: booking.starts_at,
    endsAt: booking.ends_at,
    keptAt: serviceNow(),
  };
  await quietly(() => set(place, ticket));
};

/** Deletes the stored ticket if it is not among all upcoming bookings, as requested at `askedAt`. */
export const reconcileTicket = async (
  coming: readonly Pick<HistoryItem, 'id' | 'starts_at'>[],
  isAll: boolean,
  askedAt: number,
): Promise<void> => {
  const kept = await readTicket();
  // Past bookings are not in this list, and a ticket stored in the meantime is newer than it.
  if (kept === undefined || kept.keptAt >= askedAt + clockErrorMs) return;
  if (Date.parse(kept.endsAt) <= serviceNow()) return;
  if (coming.some(({ id }) => id === kept.id)) return;
  // It may be on a page that was not read.
  const last = coming.at(-1);
  if (isAll || (last !== undefined && kept.startsAt < last.starts_at)) await forgetTicket();
};

onForget(forgetTicket);
