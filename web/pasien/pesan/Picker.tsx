import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import {
  addDays,
  clockTime,
  dayAndMonth,
  duration,
  nearDate,
  shortParts,
  zoneName,
} from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Banner, Empty, Freshness, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { today } from '../clinic.ts';
import { words } from '../words.ts';
import style from './Picker.module.css';
import { type Day, daysOf, type Part, partOf, type Slot, sessionsIn, useSlots } from './slots.ts';

const parts: readonly Part[] = ['morning', 'noon', 'afternoon', 'evening'];

const DayButton = ({ day, isChosen, onPick }: { day: Day; isChosen: boolean; onPick: () => void }) => {
  const w = words.value;
  const { weekday, day: number, month } = shortParts(day.date);
  const isOpen = day.free > 0;
  const state = isOpen ? w.free(day.free) : day.why === null ? w.noPractice : common.value.closed[day.why];
  return (
    <li>
      <button
        type="button"
        class={style.day}
        aria-pressed={isChosen}
        aria-disabled={!isOpen || undefined}
        onClick={() => isOpen && onPick()}
      >
        <span>{weekday}</span>
        <span>
          <strong class="tnum">{number}</strong> {month}
        </span>
        <span class="aloud"> · </span>
        <span class={style.free}>{state}</span>
      </button>
    </li>
  );
};

const Times = ({ slots, hrefOf }: { slots: readonly Slot[]; hrefOf: (slot: Slot) => string }) => {
  const w = words.value;
  return (
    <>
      {parts.map((part) => {
        const own = slots.filter((slot) => partOf(slot) === part);
        if (own.length === 0) return null;
        return (
          <section key={part} class={style.part} aria-label={w[part]}>
            <h3 class={style.partName}>{w[part]}</h3>
            <ul class={style.times}>
              {own.map((slot) => (
                <li key={slot.schedule_time}>
                  <a class={style.time} href={hrefOf(slot)}>
                    <strong class="tnum">{clockTime(slot.schedule_time)}</strong>
                    {slot.capacity > 1 && slot.remaining <= 2 && <span>{w.lastSeats(slot.remaining)}</span>}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
};

const Closed = ({ slots }: { slots: readonly Slot[] }) => {
  if (slots.length === 0) return null;
  return (
    <details class={style.closed}>
      <summary>{words.value.unavailable(slots.length)}</summary>
      <ul>
        {slots.map((slot) => (
          <li key={`${slot.schedule_time}${slot.session_id}`}>
            <span class="tnum">{clockTime(slot.schedule_time)}</span>
            <span>{slot.reason && common.value.closed[slot.reason]}</span>
          </li>
        ))}
      </ul>
    </details>
  );
};

interface Props {
  doctor: string;
  /** The session that was chosen, if any. */
  session: string;
  /** Where to begin; today unless given. */
  from: string | undefined;
  hrefOf: (slot: Slot) => string;
  /** Keeps the choice in the address. */
  onMove: (change: { session?: string; date?: string }) => void;
  /** A session that cannot be changed here, such as that of a booking that is moved. */
  isSessionFixed?: boolean;
}

/** Days first, then the times of the day: the focus goes along, and a link leads back. */
export const Picker = ({ doctor, session, from, hrefOf, onMove, isSessionFixed }: Props) => {
  const w = words.value;
  const first = from ?? today();
  const start = useSignal(first < today() ? today() : first);
  const chosen = useSignal<string | null>(null);
  const timesHeading = useRef<HTMLHeadingElement>(null);
  const { data, error, refetch, dataUpdatedAt, isError } = useSlots(doctor, start.value);
  const sessions = sessionsIn(data?.data ?? []);
  const own = sessions.some(({ id }) => id === session) ? session : (sessions[0]?.id ?? '');
  const slots = (data?.data ?? []).filter(
    ({ session_id }) => session_id === (isSessionFixed ? session : own),
  );
  const days = daysOf(slots, start.value);
  const day =
    days.find(({ date, free }) => date === chosen.value && free > 0) ?? days.find(({ free }) => free > 0);
  const next = data?.meta.next_available ?? null;
  // An empty week leads on to the first one that is not.
  useEffect(() => {
    if (from === undefined && day === undefined && next !== null && start.value === today())
      start.value = next.schedule_date;
  }, [data]);
  const goTo = (date: string): void => {
    start.value = date < today() ? today() : date;
    chosen.value = null;
    onMove({ date: start.value });
  };
  const pick = (date: string): void => {
    chosen.value = date;
    onMove({ date });
    requestAnimationFrame(() => timesHeading.current?.focus());
  };
  if (data === undefined)
    return error === null ? (
      <Skeleton rows={3} height={96} />
    ) : (
      <ReadFailure failure={error} again={refetch} />
    );
  const notice = data.meta.notices.find(({ date }) => date === day?.date);
  return (
    <>
      <Freshness at={dataUpdatedAt} isStale={isError} />
      {sessions.length > 1 && !isSessionFixed && (
        <fieldset class={style.sessions}>
          <legend class={style.partName}>{w.sessionFilter}</legend>
          {sessions.map(({ id, name }) => (
            <label key={id} class={style.session}>
              <input
                type="radio"
                name="layanan"
                checked={id === own}
                onChange={() => onMove({ session: id })}
              />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
      )}
      <section aria-labelledby="tanggal">
        <h2 class={style.partName} id="tanggal" tabIndex={-1}>
          {w.dates}
        </h2>
        <ul class={style.days}>
          {days.map((one) => (
            <DayButton
              key={one.date}
              day={one}
              isChosen={one.date === day?.date}
              onPick={() => pick(one.date)}
            />
          ))}
          <li>
            <label class={style.other}>
              <span>{w.otherDate}</span>
              <input
                type="date"
                min={today()}
                value={start.value}
                onChange={(event) => event.currentTarget.value !== '' && goTo(event.currentTarget.value)}
              />
            </label>
          </li>
        </ul>
        <div class={style.weeks}>
          {start.value > today() && (
            <Button look="quiet" small onClick={() => goTo(addDays(start.value, -7))}>
              ‹ {w.earlier}
            </Button>
          )}
          <Button look="quiet" small class={style.later ?? ''} onClick={() => goTo(addDays(start.value, 7))}>
            {w.later} ›
          </Button>
        </div>
      </section>
      {day === undefined ? (
        <Empty
          action={
            next !== null && (
              <Button onClick={() => goTo(next.schedule_date)}>
                {w.nextFree(`${nearDate(next.schedule_date, today())}, ${clockTime(next.schedule_time)}`)}
              </Button>
            )
          }
        >
          {w.noneThisWeek}
        </Empty>
      ) : (
        <section class={style.ofDay} aria-labelledby="jam">
          <h2 class={style.dayName} id="jam" tabIndex={-1} ref={timesHeading}>
            {w.times(dayAndMonth(day.date))}{' '}
            <span class={style.zone}>{zoneName(day.open[0]?.ends_at, data.meta.time_zone)}</span>
          </h2>
          {notice && (
            <Banner kind="warning">
              {notice.delay_minutes > 0 && w.delayed(duration(notice.delay_minutes))} {notice.message}
            </Banner>
          )}
          <Times slots={day.open} hrefOf={hrefOf} />
          <Closed slots={day.closed} />
          <button
            type="button"
            class={style.back}
            onClick={() => document.getElementById('tanggal')?.focus()}
          >
            {w.backToDates}
          </button>
        </section>
      )}
    </>
  );
};
