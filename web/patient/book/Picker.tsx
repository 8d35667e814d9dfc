import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { DateField } from '../../shared/dates/DateField.tsx';
import { addDays, clockTime, dayAndMonth, duration, nearDate, zoneName } from '../../shared/time.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Banner, Empty, Freshness, Pending } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { today } from '../clinic.ts';
import { words } from '../words.ts';
import { DayButton } from './DayButton.tsx';
import style from './Picker.module.css';
import {
  daysShown,
  listDays,
  type Part,
  type Slot,
  sessionsIn,
  toDayPart,
  toHolder,
  useSlots,
  type Whose,
} from './slots.ts';

const parts: readonly Part[] = ['morning', 'noon', 'afternoon', 'evening'];

const Times = ({ slots, hrefOf }: { slots: readonly Slot[]; hrefOf: (slot: Slot) => string }) => {
  const w = words.value;
  return (
    <>
      {parts.map((part) => {
        const own = slots.filter((slot) => toDayPart(slot) === part);
        if (own.length === 0) return null;
        return (
          <section key={part} class={style.part} aria-label={w[part]}>
            <h3 class={style.partName}>{w[part]}</h3>
            <ul class={own[0]?.doctor_name === undefined ? style.times : `${style.times} ${style.ofMany}`}>
              {own.map((slot) => (
                <li key={`${slot.schedule_time}${slot.doctor_id}`}>
                  <a class={style.time} href={hrefOf(slot)}>
                    <strong class="tnum">{clockTime(slot.schedule_time)}</strong>
                    {slot.doctor_name !== undefined && <span class={style.whose}>{slot.doctor_name}</span>}
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
          <li key={`${slot.schedule_time}${slot.session_id}${slot.doctor_id}`}>
            <span>
              <span class="tnum">{clockTime(slot.schedule_time)}</span> {slot.doctor_name}
            </span>
            <span>{slot.reason && common.value.closed[slot.reason]}</span>
          </li>
        ))}
      </ul>
    </details>
  );
};

interface Props {
  whose: Whose;
  /** The sessions to choose from; those of the slots unless given. */
  offered?: readonly { id: string; name: string }[];
  /** The session that was chosen, if any. */
  session: string;
  /** Where to begin; today unless given. */
  from: string | undefined;
  hrefOf: (slot: Slot) => string;
  /** Keeps the choice in the address. */
  onMove: (change: { session?: string; date?: string }) => void;
  /** The link to the waitlist for such dates; there is none for a booking that is moved. */
  waitAt?: (session: string, from: string, to: string) => string;
  /** A session that cannot be changed here, such as that of a booking that is moved. */
  isSessionFixed?: boolean;
}

/** First the days, then the times of the day: the focus follows, and a link leads back. */
export const Picker = ({ whose, offered, session, from, hrefOf, onMove, waitAt, isSessionFixed }: Props) => {
  const w = words.value;
  const given = useRef(from).current;
  const moved = useSignal<string | null>(null);
  // The clinic's zone may become known after the first render: then its date changes.
  const first = moved.value ?? given ?? today();
  const start = first < today() ? today() : first;
  const chosen = useSignal<string | null>(null);
  const timesHeading = useRef<HTMLHeadingElement>(null);
  const { data, error, refetch, dataUpdatedAt, isError } = useSlots(whose, start);
  const sessions = offered ?? sessionsIn(data?.data ?? []);
  const own = sessions.some(({ id }) => id === session) ? session : (sessions[0]?.id ?? '');
  const slots = (data?.data ?? [])
    .filter(({ session_id }) => session_id === (isSessionFixed ? session : own))
    .map((slot) => toHolder(slot, whose));
  const days = listDays(slots, start);
  const day =
    days.find(({ date, free }) => date === chosen.value && free > 0) ?? days.find(({ free }) => free > 0);
  const next = data?.meta.next_available ?? null;
  // An empty week leads on to the first one that is not.
  useEffect(() => {
    if (from === undefined && day === undefined && next !== null && start === today())
      moved.value = next.schedule_date;
  }, [data]);
  const goTo = (date: string): void => {
    const to = date < today() ? today() : date;
    moved.value = to;
    chosen.value = null;
    onMove({ date: to });
  };
  const pick = (date: string): void => {
    chosen.value = date;
    onMove({ date });
    requestAnimationFrame(() => timesHeading.current?.focus());
  };
  if (data === undefined) return <Pending rows={3} height={96} error={error} again={refetch} />;
  const wait = waitAt?.(own || session, start, addDays(start, daysShown - 1));
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
              waitAt={waitAt?.(own, one.date, one.date)}
            />
          ))}
        </ul>
        <div class={style.weeks}>
          <div class={style.other}>
            <DateField
              label={w.otherDate}
              min={today()}
              value={start}
              onDone={(date) => {
                if (date >= today()) goTo(date);
              }}
            />
          </div>
          <div class={style.steps}>
            {start > today() && (
              <Button look="quiet" small onClick={() => goTo(addDays(start, -7))}>
                ‹ {w.earlier}
              </Button>
            )}
            <Button look="quiet" small class={style.later ?? ''} onClick={() => goTo(addDays(start, 7))}>
              {w.later} ›
            </Button>
          </div>
        </div>
      </section>
      {day === undefined ? (
        <Empty
          action={
            <>
              {next !== null && (
                <Button onClick={() => goTo(next.schedule_date)}>
                  {w.nextFree(`${nearDate(next.schedule_date, today())}, ${clockTime(next.schedule_time)}`)}
                </Button>
              )}
              {wait && <ButtonLink href={wait}>{w.letMeKnow}</ButtonLink>}
            </>
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
          {wait && (
            <p class={style.wait}>
              {w.noSuitingTime} <a href={wait}>{w.letMeKnow}</a>
            </p>
          )}
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
