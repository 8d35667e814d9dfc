import { useSignal } from '@preact/signals';
import { ChevronLeft, ChevronRight, Undo2 } from 'lucide';
import { useEffect, useRef } from 'preact/hooks';
import { addDays, clockTime, dayAndMonth, nearDate } from '../../shared/time.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Select } from '../../shared/ui/Field.tsx';
import { FormFailure, Pending } from '../../shared/ui/States.tsx';
import { useAddress } from '../data/address.ts';
import { today, useDoctors } from '../data/clinic.ts';
import { slotsMs } from '../data/slots.ts';
import { Page } from '../shell/Page.tsx';
import { DateNav } from '../ui/DateNav.tsx';
import { EmptyBookings } from '../ui/EmptyBookings.tsx';
import { PassLimit } from '../ui/PassLimit.tsx';
import look from '../ui/page.module.css';
import { Age } from '../ui/Shown.tsx';
import { shortDate } from '../ui/when.ts';
import { calendarWords } from '../words/calendar.ts';
import { words } from '../words.ts';
import style from './Calendar.module.css';
import { useCalendar, useHeld } from './data.ts';
import { Grid } from './Grid.tsx';
import { List } from './List.tsx';
import { buildModel, type Column } from './model.ts';
import { carried, putDown, told, useMoving } from './moving.ts';

/** Whether there is room for the grid. */
const useIsWide = (): boolean => {
  const list = matchMedia('(min-width: 80rem)');
  const isWide = useSignal(list.matches);
  useEffect(() => {
    const tell = (): void => {
      isWide.value = list.matches;
    };
    list.addEventListener('change', tell);
    return () => list.removeEventListener('change', tell);
  }, []);
  return isWide.value;
};

const mondayOf = (date: string): string =>
  addDays(date, -((new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7));

/** The calendar: a day of all doctors, or a week of one, by hours. */
const CalendarPage = () => {
  const text = calendarWords.value;
  const { query, set } = useAddress();
  const date = query.tanggal ?? today();
  const isWeek = query.lihat === 'minggu';
  const isWide = useIsWide();
  const doctors = useDoctors().value.data ?? [];
  const doctor = isWeek ? (query.dokter ?? doctors[0]?.id ?? null) : null;
  const from = isWeek ? mondayOf(date) : date;
  const dates = isWeek ? Array.from({ length: 7 }, (_, nth) => addDays(from, nth)) : [date];
  const read = useCalendar(from, addDays(from, dates.length - 1)).value;
  const held = useHeld();
  const model = buildModel(dates, { ...(read.data ?? { slots: [], bookings: [] }), held }, doctor);
  const formatWhen = (one: { schedule_date: string; schedule_time: string; doctor_name: string }): string =>
    `${nearDate(one.schedule_date, today())} ${clockTime(one.schedule_time)}, ${one.doctor_name}`;
  const moving = useMoving(formatWhen);
  const toFocus = useRef<string | null>(null);
  useEffect(() => () => putDown(), []);
  const formatHead = ({ name, date: of }: Column) =>
    isWeek
      ? { text: shortDate(of, today()), ...(of === today() && { more: dayAndMonth(of) }) }
      : { text: name };
  const undo = async (): Promise<void> => {
    toFocus.current = await moving.undo();
  };
  const moved = carried.value;
  const { failure, busy } = moving.attempt;
  const go = (days: number): void => set({ tanggal: addDays(date, days) });
  return (
    <Page
      title={words.value.nav.kalender}
      beside={<DateNav date={date} today={today()} onChange={(tanggal) => set({ tanggal })} />}
    >
      <Age of={read} everyMs={slotsMs} />
      <div class={look.body}>
        <div class={style.tools}>
          <fieldset class={look.line}>
            <legend class="aloud">{text.view}</legend>
            {(['hari', 'minggu'] as const).map((one) => (
              <Button
                key={one}
                small
                aria-pressed={isWeek === (one === 'minggu')}
                look={isWeek === (one === 'minggu') ? 'primary' : 'plain'}
                onClick={() => set({ lihat: one === 'minggu' ? one : null })}
              >
                {one === 'minggu' ? text.week : text.day}
              </Button>
            ))}
          </fieldset>
          {isWeek && (
            <>
              <Button small icon={ChevronLeft} aria-label={text.weekBefore} onClick={() => go(-7)} />
              <Button small icon={ChevronRight} aria-label={text.weekAfter} onClick={() => go(7)} />
              <div class={style.doctor}>
                <Select
                  label={text.doctor}
                  value={doctor ?? ''}
                  onChange={(event) => set({ dokter: event.currentTarget.value })}
                >
                  {doctors.map(({ id, title, name }) => (
                    <option key={id} value={id}>
                      {`${title} ${name}`.trim()}
                    </option>
                  ))}
                </Select>
              </div>
            </>
          )}
        </div>
        {isWide && (
          <div class={style.bar}>
            <p role="status" aria-live="polite">
              {told.value || text.hint}
            </p>
            {moved !== null && (
              <div class={look.line}>
                <Button small onClick={putDown}>
                  {text.stop}
                </Button>
                <ButtonLink small href={`/konsol/?tanggal=${moved.schedule_date}&janji=${moved.id}`}>
                  {text.open}
                </ButtonLink>
              </div>
            )}
            {moved === null && moving.mayUndo() && (
              <Button small icon={Undo2} busy={busy.value} onClick={() => void undo()}>
                {text.undo}
              </Button>
            )}
          </div>
        )}
        <FormFailure failure={failure.value} />
        {moved !== null && moving.tried.value !== null && (
          <PassLimit
            failure={failure.value}
            busy={busy.value}
            onPass={() => moving.tried.value && void moving.move(moving.tried.value, true)}
          />
        )}
        {read.data === undefined ? (
          <Pending rows={6} height={56} error={read.error} again={read.refetch} />
        ) : model.times.length === 0 ? (
          <EmptyBookings>{text.empty}</EmptyBookings>
        ) : isWide ? (
          <Grid
            model={model}
            formatHead={formatHead}
            whenOf={formatWhen}
            isBusy={busy.value}
            onMove={moving.move}
            onUndo={() => void undo()}
            toFocus={toFocus}
          />
        ) : (
          <List model={model} formatHead={formatHead} />
        )}
      </div>
    </Page>
  );
};

export default CalendarPage;
