import { signal } from '@preact/signals';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { type Booking, bySlot } from './bookings.ts';
import { useRead } from './read.ts';
import { catchUp, hear } from './told.ts';

/** Everything of one day, and the last event that it includes. */
interface Day {
  bookings: Booking[];
  sequence: number;
}

export const dayKey = (date: string) => ['hari', date] as const;
export const waitlistKey = ['tunggu'] as const;

const readDay = async (date: string): Promise<Day> => {
  const bookings: Booking[] = [];
  let sequence: number | null = null;
  let cursor: string | null = null;
  do {
    const query: { date: string; limit: number; cursor?: string } = { date, limit: 100 };
    if (cursor !== null) query.cursor = cursor;
    const { data, meta } = await take(api.v1.bookings.$get({ query }));
    bookings.push(...data);
    // The position of the first page: changes made while the others are read are sent again.
    sequence ??= meta.sequence;
    cursor = meta.next_cursor;
  } while (cursor !== null);
  heardAt.value = Date.now();
  return { bookings: unique(bookings), sequence: sequence ?? 0 };
};

const unique = (bookings: readonly Booking[]): Booking[] =>
  [...new Map(bookings.map((one) => [one.id, one])).values()].sort(bySlot);

/** When the day list last heard from the service. */
export const heardAt = signal(0);

/** Recent changes by other people. */
export const marked = signal<ReadonlySet<string>>(new Set());
const markMs = 4_000;

const mark = (ids: readonly string[]): void => {
  if (ids.length === 0) return;
  marked.value = new Set([...marked.peek(), ...ids]);
  setTimeout(() => {
    marked.value = new Set([...marked.peek()].filter((id) => !ids.includes(id)));
  }, markMs);
};

/**
 * The day with the present version of one booking: it may have moved to this day, or away. An offered seat is not a
 * booking.
 */
const withBooking = (day: Day, date: string, id: string, booking: Booking | null): Day => {
  const others = day.bookings.filter((one) => one.id !== id);
  const isHere = booking !== null && booking.held_until === null && booking.schedule_date === date;
  return { ...day, bookings: isHere ? [...others, booking].sort(bySlot) : others };
};

/** Puts an answer's booking into every loaded day, unless that has a newer version. */
export const putBooking = (booking: Booking): void => {
  if ((heldBooking(booking.id)?.version ?? 0) > booking.version) return;
  for (const [key, day] of queries.getQueriesData<Day>({ queryKey: ['hari'] })) {
    const date = key[1] as string;
    if (day !== undefined) queries.setQueryData(dayKey(date), withBooking(day, date, booking.id, booking));
  }
};

export const heldBooking = (id: string): Booking | undefined =>
  queries
    .getQueriesData<Day>({ queryKey: ['hari'] })
    .flatMap(([, day]) => day?.bookings ?? [])
    .find((one) => one.id === id);

/** Whether it happened to a seat that is offered from the waitlist. */
const isOfWaitlist = ({ type, booking }: { type: string; booking: Booking | null }): boolean =>
  type === 'booking.accepted' || (booking !== null && booking.held_until !== null);

const readChanges = async (date: string): Promise<number> => {
  const before = queries.getQueryData<Day>(dayKey(date));
  if (before === undefined) return 0;
  try {
    await catchUp(before.sequence);
    const { data, meta } = await take(
      api.v1.bookings.changes.$get({ query: { after: before.sequence, limit: 100 } }),
    );
    heardAt.value = Date.now();
    // Before the day changes: a booking that left it is still known.
    hear(data, meta.sequence, (id) => heldBooking(id)?.patient.name ?? null);
    if (meta.sequence === before.sequence) return meta.sequence;
    let day = queries.getQueryData<Day>(dayKey(date)) ?? before;
    const changed: string[] = [];
    if (data.some(isOfWaitlist)) void queries.invalidateQueries({ queryKey: waitlistKey });
    for (const { booking_id: id, booking } of data) {
      const held = day.bookings.find((one) => one.id === id);
      // This desk's own change is already included, from its answer.
      if (booking !== null && held !== undefined && held.version >= booking.version) continue;
      if (booking?.schedule_date === date && booking.held_until === null) changed.push(id);
      day = withBooking(day, date, id, booking);
    }
    queries.setQueryData(dayKey(date), { ...day, sequence: meta.sequence });
    mark(changed);
    if (meta.more) return await readChanges(date);
    return meta.sequence;
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'changes_gone') throw error;
    await queries.invalidateQueries({ queryKey: dayKey(date) });
    return before.sequence;
  }
};

/** The bookings of a day, kept up to date: other people's changes arrive within five seconds. */
export const useDay = (date: string) => {
  const day = useRead({ queryKey: dayKey(date), queryFn: () => readDay(date), staleTime: 60_000 });
  useRead({
    queryKey: ['perubahan', date],
    queryFn: () => readChanges(date),
    refetchInterval: 4_500,
    staleTime: 0,
    retry: false,
    enabled: day.value.isSuccess,
  });
  return day;
};

/** Reads the changes at once, after an action whose answer does not show everything that it made. */
export const lookAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['perubahan'] });
