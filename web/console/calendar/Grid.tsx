import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { clockTime, timeOf } from '../../shared/time.ts';
import { StateBadge } from '../../shared/ui/StateBadge.tsx';
import { common } from '../../shared/words.ts';
import { type Booking, toState } from '../data/bookings.ts';
import type { DaySlot } from '../data/slots.ts';
import { calendarWords } from '../words/calendar.ts';
import style from './Calendar.module.css';
import type { Calendar } from './data.ts';
import { type Column, findTarget, isArrow, nextStop, type Stop } from './model.ts';
import { carried, carry, putDown, told } from './moving.ts';

/** What is at one time of one column. */
export type CellOf = NonNullable<ReturnType<Calendar['cellAt']>>;

/** Why a slot is closed, in words. */
const reasonWord = (why: string): string => {
  const text = calendarWords.value;
  if (why === 'none') return text.noSlot;
  if (why === 'other_session') return text.otherSession;
  const { closed } = common.value;
  return why in closed ? closed[why as keyof typeof closed] : closed.not_offered;
};

const countFree = (slots: readonly DaySlot[]): number =>
  slots.reduce((sum, slot) => sum + (slot.reason === undefined ? slot.remaining : 0), 0);

/** What a cell says beside its bookings, and in which colour; null if the bookings say it all. */
export const describeRest = (cell: CellOf): { kind: 'free' | 'held' | 'closed'; text: string } | null => {
  const text = calendarWords.value;
  const free = countFree(cell.slots);
  if (free > 0) return { kind: 'free', text: text.free(free) };
  const [held] = cell.held;
  if (held !== undefined) return { kind: 'held', text: text.held(timeOf(held.offer.held_until)) };
  const closed = cell.slots.find(({ reason }) => reason !== undefined && reason !== 'full');
  if (closed?.reason !== undefined) return { kind: 'closed', text: reasonWord(closed.reason) };
  if (cell.bookings.length > 0) return null;
  return cell.slots.length > 0 ? { kind: 'closed', text: reasonWord('full') } : null;
};

interface Props {
  model: Calendar;
  /** The heading of a column, and how it is said. */
  formatHead: (column: Column) => { text: string; more?: string };
  whenOf: (booking: Booking) => string;
  isBusy: boolean;
  onMove: (slot: DaySlot) => Promise<boolean>;
  onUndo: () => void;
  /** The booking that takes the focus once it is in its new place. */
  toFocus: { current: string | null };
}

interface Placed extends Stop {
  column: number;
  cell: CellOf;
  where: string;
  booking: Booking | null;
}

const bookingId = (id: string): string => `janji ${id}`;

/** Every place that the arrow keys reach, column by column. */
const listStops = ({ columns, times, cellAt }: Calendar, formatHead: Props['formatHead']): Placed[] =>
  columns.flatMap((column, at) =>
    times.flatMap((time, row) => {
      const cell = cellAt(column, time);
      if (cell === undefined) return [];
      const where = `${formatHead(column).text} ${clockTime(time)}`;
      const place = { column: at, row, cell, where };
      const rest = describeRest(cell);
      return [
        ...cell.bookings.map((booking) => ({ ...place, id: bookingId(booking.id), booking })),
        ...(rest === null
          ? []
          : [{ ...place, id: `${column.doctor} ${column.date} ${time}`, booking: null }]),
      ];
    }),
  );

/**
 * The calendar as a grid: one stop of the Tab key, arrow keys within it. Enter takes a booking up, and puts it down on a free
 * time; so do two presses, and dragging.
 */
export const Grid = ({ model, formatHead, whenOf, isBusy, onMove, onUndo, toFocus }: Props) => {
  const text = calendarWords.value;
  const root = useRef<HTMLTableElement>(null);
  const stops = listStops(model, formatHead);
  const chosen = useSignal<string | null>(null);
  const over = useSignal<string | null>(null);
  const active = stops.find(({ id }) => id === chosen.value) ?? stops[0];
  const byId = new Map(stops.map((stop) => [stop.id, stop]));
  const focus = (id: string): void => {
    chosen.value = id;
    root.current?.querySelector<HTMLElement>(`[data-stop="${id}"]`)?.focus();
  };
  useLayoutEffect(() => {
    const id = toFocus.current;
    if (id === null || !byId.has(bookingId(id))) return;
    toFocus.current = null;
    focus(bookingId(id));
  });
  const moved = carried.value;
  const targetIn = (stop: Placed) =>
    moved === null ? { why: 'none' } : findTarget(stop.cell.slots, moved.session_id);
  const isOwn = (stop: Placed): boolean => stop.booking !== null && stop.booking.id === moved?.id;
  const drop = async (stop: Placed): Promise<void> => {
    if (moved === null || isBusy) return;
    const target = targetIn(stop);
    if ('why' in target) told.value = text.cannot(reasonWord(target.why));
    else if (await onMove(target.slot)) toFocus.current = moved.id;
  };
  const press = (stop: Placed): void => {
    chosen.value = stop.id;
    if (moved === null) {
      if (stop.booking !== null) carry(stop.booking, whenOf(stop.booking));
    } else if (isOwn(stop)) putDown();
    else void drop(stop);
  };
  const sayTarget = (stop: Placed): void => {
    if (moved === null) return;
    const target = targetIn(stop);
    const what = isOwn(stop)
      ? text.own
      : 'slot' in target
        ? text.free(target.slot.remaining)
        : reasonWord(target.why);
    told.value = text.target(stop.where, what);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && moved !== null) {
      event.preventDefault();
      const { id } = moved;
      putDown();
      focus(bookingId(id));
      return;
    }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z') {
      event.preventDefault();
      onUndo();
      return;
    }
    if (active === undefined || !isArrow(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = byId.get(nextStop(stops, active, event.key).id);
    if (next === undefined) return;
    focus(next.id);
    sayTarget(next);
  };
  const onDrag = (stop: Placed | undefined) => (event: DragEvent) => {
    if (stop === undefined || moved === null || !('slot' in targetIn(stop))) return;
    event.preventDefault();
    over.value = stop.id;
  };
  const renderButton = (stop: Placed) => {
    const { booking } = stop;
    const shared = {
      type: 'button' as const,
      'data-stop': stop.id,
      tabIndex: stop === active ? (0 as const) : (-1 as const),
      onClick: () => press(stop),
      onFocus: () => (chosen.value = stop.id),
    };
    if (booking === null) {
      const rest = describeRest(stop.cell);
      if (rest === null) return null;
      const isTarget = moved !== null && 'slot' in targetIn(stop);
      return (
        <button
          key={stop.id}
          {...shared}
          class={[
            style.rest,
            style[rest.kind],
            isTarget && style.target,
            over.value === stop.id && style.over,
          ]
            .filter(Boolean)
            .join(' ')}
          aria-label={`${stop.where}, ${rest.text}`}
        >
          {rest.text}
        </button>
      );
    }
    const state = toState(booking);
    return (
      <button
        key={stop.id}
        {...shared}
        class={`${style.booked} ${isOwn(stop) ? style.carried : ''}`}
        draggable
        aria-pressed={isOwn(stop)}
        aria-label={`${booking.patient.name} ${common.value.states[state]}, ${stop.where}, ${booking.queue_label}, ${booking.session_name}`}
        onDragStart={(event) => {
          if (!carry(booking, whenOf(booking))) event.preventDefault();
          event.dataTransfer?.setData('text/plain', booking.queue_label);
        }}
        onDragEnd={() => {
          over.value = null;
          if (!isBusy && carried.peek()?.id === booking.id) putDown();
        }}
      >
        <span class={style.name}>{booking.patient.name}</span> <StateBadge state={state} />
      </button>
    );
  };
  const ofCell = new Map<string, Placed[]>();
  for (const stop of stops) {
    const key = `${stop.column} ${stop.row}`;
    ofCell.set(key, [...(ofCell.get(key) ?? []), stop]);
  }
  return (
    <div class={style.scroll}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the grid pattern on a table. */}
      <table ref={root} class={style.grid} role="grid" aria-label={text.grid} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col" class={style.corner}>
              {text.time}
            </th>
            {model.columns.map((column) => {
              const { text: head, more } = formatHead(column);
              return (
                <th key={`${column.doctor} ${column.date}`} scope="col">
                  {head}
                  {more && <span class={style.more}>{more}</span>}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {model.times.map((time, row) => (
            <tr key={time}>
              <th scope="row" class="tnum">
                {clockTime(time)}
              </th>
              {model.columns.map((column, at) => {
                const own = ofCell.get(`${at} ${row}`) ?? [];
                return (
                  <td
                    key={`${column.doctor} ${column.date}`}
                    onDragOver={onDrag(own.at(-1))}
                    onDrop={(event) => {
                      event.preventDefault();
                      over.value = null;
                      const stop = own.at(-1);
                      if (stop !== undefined) void drop(stop);
                    }}
                  >
                    <div class={style.cell}>{own.map(renderButton)}</div>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
