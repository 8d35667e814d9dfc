import { resolveRules } from '../../../core/clinic/rules.ts';
import { read } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { CalendarRows } from '../../catalog/slots/queries.ts';
import {
  calendarIn,
  closedBecause,
  type Occupied,
  type Slot,
  slotsOfDay,
} from '../../catalog/slots/rules.ts';
import { readsOfDates } from '../../catalog/slots/slots.ts';
import type { BookingRow } from '../record/queries.ts';
import { withoutOwn } from '../seats/decision.ts';

/** How many days after a booking another slot is looked for. */
const searchedDays = 31;
const anyAdvance = 100_000;

interface Busy {
  id: string;
  patientId: string;
  startsAt: number;
  endsAt: number;
  sessionId: string;
  scheduleDate: string;
  /** 1 if the limits of its session count it. */
  counts: number;
}

type Span = Pick<Slot, 'startsAt' | 'endsAt'>;

const overlaps = (a: Span, b: Span): boolean => a.startsAt < b.endsAt && b.startsAt < a.endsAt;

/** The bookings of a doctor after one of them moved in or out. */
const counted = (occupied: readonly Occupied[], { startsAt, endsAt }: Span, change: 1 | -1): Occupied[] => {
  const isAtThatTime = (o: Occupied) => o.startsAt === startsAt && o.endsAt === endsAt;
  const others = occupied.filter((o) => !isAtThatTime(o));
  const taken = (occupied.find(isAtThatTime)?.taken ?? 0) + change;
  const all = taken > 0 ? [...others, { startsAt, endsAt, taken }] : others;
  return all.sort((a, b) => a.startsAt - b.startsAt || a.endsAt - b.endsAt);
};

/** The calendars in which the bookings under a closure look for other slots, as far as they are known. */
export class Places {
  readonly #deps: Deps;
  readonly #now: number;
  readonly #span: { from: string; to: string };
  readonly #calendars = new Map<string, CalendarRows>();
  readonly #busy: Busy[];

  constructor(deps: Deps, now: number, affected: readonly BookingRow[], busy: readonly Busy[]) {
    this.#deps = deps;
    this.#now = now;
    this.#busy = [...busy];
    const { clinicTime } = deps;
    const today = clinicTime.dateOf(now);
    const dates = affected.map(({ scheduleDate }) => scheduleDate).sort();
    const to = clinicTime.addDays(dates.at(-1) ?? today, searchedDays);
    this.#span = { from: dates[0] ?? today, to };
  }

  /** The calendar of a doctor, read once. */
  async rowsOf(doctorId: string): Promise<CalendarRows> {
    const known = this.#calendars.get(doctorId);
    if (known !== undefined) return known;
    const { from, to } = this.#span;
    const rows = await read(this.#deps.db, readsOfDates(this.#deps, doctorId, from, to));
    this.#calendars.set(doctorId, rows);
    return rows;
  }

  /**
   * The next open slot of the same session that does not begin before the booking, on its day or a later one; null if
   * none. The patient may have planned the day around the time, so an earlier slot is not proposed.
   */
  async next(booking: BookingRow, doctorId: string, refused: ReadonlySet<number>): Promise<Slot | null> {
    const { clinicTime, config } = this.#deps;
    const read = calendarIn(await this.rowsOf(doctorId), clinicTime.zone);
    if (read === 'unavailable') throw new Failure('unavailable');
    if (read === 'doctor_not_found') return null;
    const occupied = doctorId === booking.doctorId ? withoutOwn(read.occupied, booking) : read.occupied;
    const calendar = { ...read, occupied };
    const { minNoticeMinutes } = resolveRules(config, read.clinic);
    const window = { minNoticeMinutes, maxAdvanceDays: anyAdvance };
    const busy = this.#busy.filter(
      ({ id, patientId }) => patientId === booking.patientId && id !== booking.id,
    );
    const patient = { bookings: busy.filter(({ counts }) => counts === 1), isKnown: null };
    const isOpen = (slot: Slot) =>
      slot.sessionId === booking.sessionId &&
      slot.startsAt >= booking.startsAt &&
      !refused.has(slot.startsAt) &&
      !busy.some((other) => overlaps(other, slot)) &&
      closedBecause(slot, calendar, this.#now, window, clinicTime, patient) === null;
    for (let days = 0; days <= searchedDays; days++) {
      const date = clinicTime.addDays(booking.scheduleDate, days);
      if (date > this.#span.to) break;
      const slots = slotsOfDay(read.schedules, date, clinicTime).filter(isOpen);
      const [first] = slots.sort((a, b) => a.startsAt - b.startsAt);
      if (first !== undefined) return first;
    }
    return null;
  }

  /** Remembers a move, so that the next booking is not sent to a seat that is taken. */
  moved(booking: BookingRow, doctorId: string, slot: Slot): void {
    const shift = (id: string, span: Span, change: 1 | -1) => {
      const rows = this.#calendars.get(id);
      if (rows === undefined) return;
      this.#calendars.set(id, { ...rows, occupied: counted(rows.occupied, span, change) });
    };
    shift(booking.doctorId, booking, -1);
    shift(doctorId, slot, 1);
    const at = this.#busy.findIndex(({ id }) => id === booking.id);
    if (at >= 0) this.#busy.splice(at, 1);
    const { id, patientId, sessionId } = booking;
    const { startsAt, endsAt, date: scheduleDate } = slot;
    this.#busy.push({ id, patientId, startsAt, endsAt, sessionId, scheduleDate, counts: 1 });
  }
}
