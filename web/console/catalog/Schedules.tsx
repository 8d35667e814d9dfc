import { useSignal } from '@preact/signals';
import { Plus } from 'lucide';
import { api } from '../../shared/api/clients.ts';
import { readAll } from '../../shared/api/pages.ts';
import { take } from '../../shared/api/take.ts';
import { fullName } from '../../shared/doctor.ts';
import { clockTime, duration, nearDateWithin } from '../../shared/time.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { openBeside } from '../../shared/ui/esc.tsx';
import { Select } from '../../shared/ui/Field.tsx';
import { Banner, Empty } from '../../shared/ui/States.tsx';
import { AffectedBanner, type LeftStanding } from '../closures/Affected.tsx';
import { useAddress } from '../data/address.ts';
import type { Schemas } from '../data/bookings.ts';
import { useAllDoctors, useAllSessions } from '../data/catalog.ts';
import { isAdmin, isDesk, today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { Page } from '../shell/Page.tsx';
import { createCloser } from '../ui/EditPanel.tsx';
import look from '../ui/page.module.css';
import { Age, Shown } from '../ui/Shown.tsx';
import { setup } from '../words/settings.ts';
import { words } from '../words.ts';
import { countSeats } from './preview.ts';
import { ScheduleForm, sharers } from './ScheduleForm.tsx';
import style from './Schedules.module.css';

type Schedule = Schemas['Schedule'];

/** A doctor's week: seven columns, and the form beside them. */
const Schedules = () => {
  const { query, set } = useAddress();
  const doctors = useAllDoctors().value;
  const sessions = useAllSessions().value;
  const text = setup.value.schedules;
  const chosenDoctor =
    doctors.data?.find((one) => one.id === query.dokter) ?? doctors.data?.find((one) => one.active);
  // A doctor gets only their own schedules, and the page takes the doctor's id from them.
  const isOwn = !isDesk();
  const schedules = useRead({
    queryKey: ['atur', 'jadwal', isOwn ? 'sendiri' : chosenDoctor?.id],
    queryFn: () =>
      readAll((page) =>
        take(
          api.v1.admin.schedules.$get({ query: { ...page, ...(!isOwn && { doctor_id: chosenDoctor?.id }) } }),
        ),
      ),
    enabled: isOwn || chosenDoctor !== undefined,
  }).value;
  const ownId = schedules.data?.[0]?.doctor_id;
  const doctor = isOwn ? doctors.data?.find((one) => one.id === ownId) : chosenDoctor;
  const hasNoSession = sessions.data?.every((one) => !one.active) === true && schedules.data?.length === 0;
  const editing = useSignal<Schedule | number | null>(null);
  const affected = useSignal<LeftStanding | null>(null);
  const shared = useSignal<readonly Schemas['RoomSharing'][]>([]);
  const active = (schedules.data ?? []).filter((one) => one.active);
  const retired = (schedules.data ?? []).filter((one) => !one.active);
  const findSessionName = (id: string): string => sessions.data?.find((one) => one.id === id)?.name ?? '';
  const { slots, seats } = countSeats(active);
  const chosen = editing.value;
  const facts = (one: Schedule) => (
    <>
      <b>
        {clockTime(one.start_time)}–{clockTime(one.end_time)}
      </b>
      <span>{findSessionName(one.session_id)}</span>
      <span class={look.soft}>
        {duration(one.slot_minutes)} · {text.capacityOf(one.capacity)}
      </span>
      {one.break_start && one.break_end && (
        <span class={look.soft}>
          {text.rest(`${clockTime(one.break_start)}–${clockTime(one.break_end)}`)}
        </span>
      )}
      {one.every_weeks > 1 && <span class={look.soft}>{text.everyNthWeek(one.every_weeks)}</span>}
      {one.valid_from !== null && one.valid_from === one.valid_until && (
        <span class={look.soft}>{text.onlyOn(nearDateWithin(one.valid_from, today()))}</span>
      )}
      {one.room && <span class={look.soft}>{one.room}</span>}
    </>
  );
  const entry = (one: Schedule) =>
    isAdmin() ? (
      <button key={one.id} type="button" class={style.entry} onClick={() => openBeside(editing, one)}>
        <span class="aloud">
          {text.edit}, {text.weekdays[one.weekday - 1]}
        </span>
        {facts(one)}
      </button>
    ) : (
      <div key={one.id} class={style.entry}>
        {facts(one)}
      </div>
    );
  return (
    <Page
      title={words.value.nav.jadwal}
      beside={
        isAdmin() &&
        doctor &&
        !hasNoSession && (
          <Button small icon={Plus} onClick={() => openBeside(editing, 1)}>
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
            reread={async () => (await schedules.refetch()).data ?? []}
            sessions={(sessions.data ?? []).filter((one) => one.active)}
            onAffected={(left) => {
              affected.value = left;
            }}
            onShared={(found) => {
              shared.value = found;
            }}
            onClose={createCloser(editing)}
          />
        )
      }
    >
      <Age of={schedules} />
      <div class={look.body}>
        {!isAdmin() && <p class={look.soft}>{setup.value.readOnly}</p>}
        <AffectedBanner of={affected.value} />
        {shared.value.length > 0 && (
          <Banner kind="warning" role="alert">
            {sharers(shared.value)}
          </Banner>
        )}
        <Shown
          of={doctors}
          height={64}
          empty={
            <Empty
              action={isAdmin() && <ButtonLink href="/konsol/dokter">{words.value.nav.dokter}</ButtonLink>}
            >
              {text.empty}
            </Empty>
          }
        >
          {(all) =>
            isOwn ? (
              doctor && <p class={look.strong}>{fullName(doctor)}</p>
            ) : (
              <div class={look.fields}>
                <Select
                  label={text.doctor}
                  value={doctor?.id ?? ''}
                  onChange={(event) => {
                    openBeside(editing, null);
                    if (editing.peek() === null) set({ dokter: event.currentTarget.value });
                    else event.currentTarget.value = doctor?.id ?? '';
                  }}
                >
                  {all.map((one) => (
                    <option key={one.id} value={one.id}>
                      {fullName(one)}
                    </option>
                  ))}
                </Select>
              </div>
            )
          }
        </Shown>
        {!isOwn && doctor === undefined && doctors.data !== undefined && doctors.data.length > 0 && (
          <Empty
            action={isAdmin() && <ButtonLink href="/konsol/dokter">{words.value.nav.dokter}</ButtonLink>}
          >
            {text.empty}
          </Empty>
        )}
        {isOwn && schedules.data?.length === 0 && <Empty>{text.emptyOwn}</Empty>}
        {doctor !== undefined && hasNoSession && (
          <Empty
            action={isAdmin() && <ButtonLink href="/konsol/layanan">{words.value.nav.layanan}</ButtonLink>}
          >
            {text.noSession}
          </Empty>
        )}
        {doctor !== undefined && !hasNoSession && (
          <Shown of={schedules} rows={3} height={90}>
            {() => (
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
                          {isAdmin() && (
                            <button
                              type="button"
                              class={style.plus}
                              aria-label={`${text.add}: ${day}`}
                              onClick={() => openBeside(editing, nth + 1)}
                            >
                              +
                            </button>
                          )}
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
          </Shown>
        )}
      </div>
    </Page>
  );
};

export default Schedules;
