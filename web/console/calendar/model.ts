// Pure: what the calendar shows, and where the arrow keys lead.

interface Slot {
  doctor_id: string;
  doctor_name: string;
  session_id: string;
  schedule_date: string;
  schedule_time: string;
  remaining: number;
  reason?: string | undefined;
}

interface Booked {
  id: string;
  doctor_id: string;
  doctor_name: string;
  session_id: string;
  schedule_date: string;
  schedule_time: string;
}

interface Held {
  offer: { doctor_id: string; schedule_date: string; schedule_time: string };
}

/** A doctor on a date. */
export interface Column {
  doctor: string;
  name: string;
  date: string;
}

interface Cell<S, B, H> {
  slots: S[];
  bookings: B[];
  held: H[];
}

export interface Model<S, B, H> {
  columns: Column[];
  /** The starts of all columns, in their order. */
  times: string[];
  cellAt: (column: Column, time: string) => Cell<S, B, H> | undefined;
}

const keyOf = (doctor: string, date: string, time: string): string => `${doctor} ${date} ${time}`;

/** The grid of these dates: of one doctor a column for each date, else a column for each doctor of the one date. */
export const buildModel = <S extends Slot, B extends Booked, H extends Held>(
  dates: readonly string[],
  given: { slots: readonly S[]; bookings: readonly B[]; held: readonly H[] },
  doctor: string | null,
): Model<S, B, H> => {
  const cells = new Map<string, Cell<S, B, H>>();
  const cell = (one: { doctor_id: string; schedule_date: string; schedule_time: string }) => {
    const key = keyOf(one.doctor_id, one.schedule_date, one.schedule_time);
    const found = cells.get(key) ?? { slots: [], bookings: [], held: [] };
    cells.set(key, found);
    return found;
  };
  const isShown = (one: { doctor_id: string; schedule_date: string }): boolean =>
    (doctor === null || one.doctor_id === doctor) && dates.includes(one.schedule_date);
  const names = new Map<string, string>();
  const times = new Set<string>();
  for (const slot of given.slots.filter(isShown)) {
    cell(slot).slots.push(slot);
    names.set(slot.doctor_id, slot.doctor_name);
    times.add(slot.schedule_time);
  }
  for (const booking of given.bookings.filter(isShown)) {
    cell(booking).bookings.push(booking);
    names.set(booking.doctor_id, booking.doctor_name);
    times.add(booking.schedule_time);
  }
  for (const one of given.held) if (isShown(one.offer)) cell(one.offer).held.push(one);
  const doctors = [...names].sort((a, b) => a[1].localeCompare(b[1]));
  return {
    columns: doctors.flatMap(([id, name]) => dates.map((date) => ({ doctor: id, name, date }))),
    times: [...times].sort(),
    cellAt: (column, time) => cells.get(keyOf(column.doctor, column.date, time)),
  };
};

/** The slot of a cell into which a booking of this session can be moved, or why there is none. */
export const findTarget = <S extends Slot>(
  slots: readonly S[] | undefined,
  sessionId: string,
): { slot: S } | { why: string } => {
  const own = slots?.filter((slot) => slot.session_id === sessionId) ?? [];
  const free = own.find((slot) => slot.reason === undefined);
  if (free !== undefined) return { slot: free };
  if (own[0]?.reason !== undefined) return { why: own[0].reason };
  return { why: slots === undefined || slots.length === 0 ? 'none' : 'other_session' };
};

/** A place that the arrow keys reach: a booking, or what else a cell says. */
export interface Stop {
  id: string;
  column: number;
  row: number;
}

type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End';
const arrows: readonly string[] = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'];
export const isArrow = (key: string): key is Arrow => arrows.includes(key);

/** The next stop: up and down within a column; to the sides the one of the nearest row. */
export const nextStop = (stops: readonly Stop[], now: Stop, key: Arrow): Stop => {
  const ofColumn = stops.filter(({ column }) => column === now.column);
  const at = ofColumn.findIndex(({ id }) => id === now.id);
  if (key === 'ArrowUp') return ofColumn[at - 1] ?? now;
  if (key === 'ArrowDown') return ofColumn[at + 1] ?? now;
  if (key === 'Home') return ofColumn[0] ?? now;
  if (key === 'End') return ofColumn.at(-1) ?? now;
  const step = key === 'ArrowLeft' ? -1 : 1;
  const last = Math.max(...stops.map(({ column }) => column));
  for (let column = now.column + step; column >= 0 && column <= last; column += step) {
    const beside = stops.filter((stop) => stop.column === column);
    const [nearest] = beside.sort((a, b) => Math.abs(a.row - now.row) - Math.abs(b.row - now.row));
    if (nearest !== undefined) return nearest;
  }
  return now;
};
