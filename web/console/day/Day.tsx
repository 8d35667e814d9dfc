import { useCallback, useEffect } from 'preact/hooks';
import { dayAndMonth, longDate, timeOf, zoneName } from '../../shared/time.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Empty, Freshness, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import { said } from '../data/act.ts';
import { useAddress } from '../data/address.ts';
import type { Booking } from '../data/bookings.ts';
import { ageOf, isDesk, now, role, today } from '../data/clinic.ts';
import { heardAt, useDay } from '../data/day.ts';
import { listOffered, useWaitlist } from '../data/waitlist.ts';
import { Page } from '../shell/Page.tsx';
import { offlineId } from '../ui/ActButton.tsx';
import { DateNav } from '../ui/DateNav.tsx';
import { EmptyBookings } from '../ui/EmptyBookings.tsx';
import { words } from '../words.ts';
import { Counters, type Group, isGroup, isIn } from './Counters.tsx';
import style from './Day.module.css';
import { Detail } from './Detail.tsx';
import { List } from './List.tsx';
import { MatchesLine } from './MatchesLine.tsx';
import { Present } from './Present.tsx';
import { Queues } from './Queues.tsx';
import { Told } from './Told.tsx';

const matches = (booking: Booking, text: string): boolean => {
  const plain = text.toLowerCase();
  const digits = text.replace(/\D/g, '').replace(/^0/, '');
  return (
    booking.patient.name.toLowerCase().includes(plain) ||
    booking.booking_code.toLowerCase().includes(plain) ||
    booking.queue_label.toLowerCase().includes(plain) ||
    (digits.length > 2 && booking.patient.phone_number.includes(digits))
  );
};

/** Announces the result of the last action. */
const Aloud = () => (
  <p class="aloud" role="status">
    {said.value === null ? '' : words.value.done[said.value.verb](said.value.booking.patient.name)}
  </p>
);

/** The day of all doctors: the receptionist's main page. */
export const Day = () => {
  const { query, set } = useAddress();
  const date = query.tanggal ?? today();
  const text = words.value;
  const day = useDay(date).value;
  const isToday = date === today();
  const all = day.data?.bookings ?? [];
  const doctors = [...new Map(all.map((one) => [one.doctor_id, one.doctor_name]))].sort((a, b) =>
    a[1].localeCompare(b[1]),
  );
  const q = query.q ?? '';
  const group: Group | null = isGroup(query.status) ? query.status : null;
  const ofDoctor = query.dokter ? all.filter((one) => one.doctor_id === query.dokter) : all;
  const shown = ofDoctor.filter(
    (one) => (group === null || isIn(group, one)) && (q === '' || matches(one, q)),
  );
  const offers = listOffered(useWaitlist(60_000).value.data).filter(
    ({ offer, patient }) =>
      offer.schedule_date === date &&
      group === null &&
      (!query.dokter || offer.doctor_id === query.dokter) &&
      patient.name.toLowerCase().includes(q.toLowerCase()),
  );
  const isFiltered = group !== null || q !== '' || Boolean(query.dokter);
  const opened = query.janji;
  const isStale = heardAt.value > 0 && ageOf(heardAt.value) > 25_000;
  // The same one as before: rows that did not change are not drawn again because another was opened.
  const open = useCallback((id: string) => set({ janji: id }), []);
  const close = (): void => {
    set({ janji: null });
    document.getElementById(`janji-${opened}`)?.focus();
  };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || !opened || document.querySelector('dialog[open]') !== null) return;
      const unsaved = document.querySelector<HTMLElement>('[data-unsaved] :is(textarea, input, select)');
      if (unsaved === null) close();
      else unsaved.focus();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [opened]);
  return (
    <Page
      title={dayAndMonth(date)}
      beside={
        <>
          <DateNav
            date={date}
            today={today()}
            onChange={(next) => set({ tanggal: next === today() ? null : next, janji: null })}
          />
          {isToday && (
            <span class={style.clock}>
              {timeOf(now.value)} {zoneName(now.value)}
            </span>
          )}
        </>
      }
      search={{
        value: q,
        onSearch: (next) => set({ q: next }),
        ...(isDesk() ? {} : { onEnter: () => {} }),
      }}
      aside={
        opened ? (
          <Detail id={opened} onClose={close} />
        ) : isToday && role() !== 'doctor' ? (
          <Queues bookings={all} date={date} />
        ) : undefined
      }
    >
      <Aloud />
      <div class={style.top} id={offlineId}>
        <Freshness at={heardAt.value || undefined} isStale={isStale} />
        {day.error !== null && day.data === undefined && (
          <ReadFailure failure={day.error} again={day.refetch} />
        )}
      </div>
      <Told onOpen={open} />
      {isToday && role() === 'doctor' && <Present bookings={all} />}
      <div class={style.tools}>
        <Counters bookings={ofDoctor} chosen={group} onChoose={(status) => set({ status })} />
        <MatchesLine />
      </div>
      {day.data === undefined ? (
        day.error === null && <Skeleton rows={12} height={36} />
      ) : shown.length + offers.length > 0 ? (
        <List
          key={date}
          bookings={shown}
          offers={offers}
          label={text.day.heading(longDate(date))}
          filter={`${group} ${q} ${query.dokter ?? ''}`}
          folds={isToday && group === null && q === ''}
          onOpen={open}
          opened={opened}
          doctors={doctors}
          doctor={query.dokter}
          onDoctor={(dokter) => set({ dokter })}
        />
      ) : isFiltered ? (
        <Empty
          action={
            <Button small onClick={() => set({ q: null, status: null, dokter: null })}>
              {text.clear}
            </Button>
          }
        >
          {text.day.emptyFilter}
        </Empty>
      ) : (
        <EmptyBookings
          action={
            isDesk() &&
            date >= today() && (
              <ButtonLink small href={`/konsol/datang${isToday ? '' : `?tanggal=${date}`}`}>
                {text.walkIn}
              </ButtonLink>
            )
          }
        >
          {text.day.empty}
        </EmptyBookings>
      )}
    </Page>
  );
};
