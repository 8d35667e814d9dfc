import { useSignal } from '@preact/signals';
import { Plus } from 'lucide';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { clockTime } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Select } from '../../shared/ui/Field.tsx';
import { Empty, Freshness, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import { useAddress } from '../data/address.ts';
import type { Schemas } from '../data/bookings.ts';
import { allOf, fullName, useAllDoctors, useAllSessions } from '../data/catalog.ts';
import { useRead } from '../data/read.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { setup } from '../words/atur.ts';
import { words } from '../words.ts';
import style from './Jadwal.module.css';
import { seatsOf } from './preview.ts';
import { ScheduleForm } from './ScheduleForm.tsx';

type Schedule = Schemas['Schedule'];

/** A doctor's week: seven columns, and the form beside them. */
const Jadwal = () => {
  const { query, set } = useAddress();
  const doctors = useAllDoctors().value;
  const sessions = useAllSessions().value;
  const text = setup.value.schedules;
  const doctor =
    doctors.data?.find((one) => one.id === query.dokter) ?? doctors.data?.find((one) => one.active);
  const schedules = useRead({
    queryKey: ['atur', 'jadwal', doctor?.id],
    queryFn: () =>
      allOf((page) => take(api.v1.admin.schedules.$get({ query: { ...page, doctor_id: doctor?.id ?? '' } }))),
    enabled: doctor !== undefined,
  }).value;
  const editing = useSignal<Schedule | number | null>(null);
  const active = (schedules.data ?? []).filter((one) => one.active);
  const retired = (schedules.data ?? []).filter((one) => !one.active);
  const nameOf = (id: string): string => sessions.data?.find((one) => one.id === id)?.name ?? '';
  const { slots, seats } = seatsOf(active);
  const chosen = editing.value;
  const entry = (one: Schedule) => (
    <button key={one.id} type="button" class={style.entry} onClick={() => (editing.value = one)}>
      <span class="aloud">
        {text.edit}, {text.weekdays[one.weekday - 1]}
      </span>
      <b>
        {clockTime(one.start_time)}–{clockTime(one.end_time)}
      </b>
      <span>{nameOf(one.session_id)}</span>
      <span class={look.soft}>
        {one.slot_minutes}′ · {text.capacityOf(one.capacity)}
        {one.room && ` · ${one.room}`}
      </span>
    </button>
  );
  return (
    <Page
      title={words.value.nav.jadwal}
      beside={
        doctor && (
          <Button small icon={Plus} onClick={() => (editing.value = 1)}>
            {text.add}
          </Button>
        )
      }
      aside={
        chosen === null || doctor === undefined ? undefined : (
          <ScheduleForm
            key={typeof chosen === 'number' ? `baru ${chosen}` : chosen.id}
            doctor={doctor}
            schedule={
              typeof chosen === 'number'
                ? null
                : (schedules.data?.find((one) => one.id === chosen.id) ?? chosen)
            }
            weekday={typeof chosen === 'number' ? chosen : chosen.weekday}
            sessions={(sessions.data ?? []).filter((one) => one.active)}
            onClose={() => (editing.value = null)}
          />
        )
      }
    >
      <Freshness at={schedules.dataUpdatedAt || undefined} />
      <div class={look.body}>
        {doctors.data === undefined ? (
          doctors.error === null ? (
            <Skeleton rows={4} height={64} />
          ) : (
            <ReadFailure failure={doctors.error} again={doctors.refetch} />
          )
        ) : (
          <Select
            label={text.doctor}
            value={doctor?.id ?? ''}
            onChange={(event) => {
              editing.value = null;
              set({ dokter: event.currentTarget.value });
            }}
          >
            {doctors.data.map((one) => (
              <option key={one.id} value={one.id}>
                {fullName(one)}
              </option>
            ))}
          </Select>
        )}
        {doctor === undefined ? (
          doctors.data !== undefined && <Empty>{text.empty}</Empty>
        ) : schedules.data === undefined ? (
          schedules.error === null ? (
            <Skeleton rows={3} height={90} />
          ) : (
            <ReadFailure failure={schedules.error} again={schedules.refetch} />
          )
        ) : (
          <>
            <p>{text.week(slots, seats)}</p>
            <table class={style.week}>
              <caption class="aloud">{text.caption(fullName(doctor))}</caption>
              <thead>
                <tr>
                  {text.weekdays.map((day) => (
                    <th scope="col" key={day}>
                      {day}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                <tr>
                  {text.weekdays.map((day, nth) => (
                    <td key={day}>
                      <span class={style.day}>{day}</span>
                      {active
                        .filter((one) => one.weekday === nth + 1)
                        .sort((a, b) => a.start_time.localeCompare(b.start_time))
                        .map(entry)}
                      <button
                        type="button"
                        class={style.plus}
                        aria-label={`${text.add}: ${day}`}
                        onClick={() => (editing.value = nth + 1)}
                      >
                        +
                      </button>
                    </td>
                  ))}
                </tr>
              </tbody>
            </table>
            {retired.length > 0 && (
              <details>
                <summary class={look.summary}>{setup.value.retired(retired.length)}</summary>
                <div class={look.cards}>{retired.map(entry)}</div>
              </details>
            )}
          </>
        )}
      </div>
    </Page>
  );
};

export default Jadwal;
