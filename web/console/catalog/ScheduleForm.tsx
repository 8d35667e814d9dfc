import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { DateField } from '../../shared/dates/DateField.tsx';
import { TimeField } from '../../shared/dates/TimeField.tsx';
import { useForm } from '../../shared/form.ts';
import { clockTime } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { Field, Select } from '../../shared/ui/Field.tsx';
import type { LeftStanding } from '../closures/Affected.tsx';
import type { Schemas } from '../data/bookings.ts';
import { setupChanged } from '../data/catalog.ts';
import { uponRead } from '../data/overtaken.ts';
import { EditPanel } from '../ui/EditPanel.tsx';
import look from '../ui/page.module.css';
import { Refusal, whyNot } from '../ui/Shown.tsx';
import { setup } from '../words/settings.ts';
import { countSeats, listStarts } from './preview.ts';

type Schedule = Schemas['Schedule'];
type Given =
  | 'session_id'
  | 'weekday'
  | 'start_time'
  | 'end_time'
  | 'slot_minutes'
  | 'capacity'
  | 'room'
  | 'valid_from'
  | 'valid_until'
  | 'every_weeks'
  | 'break_start'
  | 'break_end';

/** Who has the room at the same time. */
export const sharers = (found: readonly Schemas['RoomSharing'][]): string =>
  setup.value.schedules.shared([...new Set(found.map(({ doctor_name }) => doctor_name))].join(', '));

interface Props {
  doctor: Schemas['AdminDoctor'];
  schedule: Schedule | null;
  weekday: number;
  sessions: readonly Schemas['AdminSession'][];
  /** The doctor's schedules as they are now. */
  reread: () => Promise<readonly Schedule[]>;
  /** Called with the bookings that no longer fit the changed schedule. */
  onAffected: (left: LeftStanding) => void;
  /** Called with the schedules of other doctors that have its room at the same time. */
  onShared: (shared: readonly Schemas['RoomSharing'][]) => void;
  onClose: () => void;
}

/** 24:00 is the end of a day, which a time field does not know. */
const shown = (time: string): string => (time.startsWith('24') ? '00:00' : time.slice(0, 5));
const whole = (time: string, isEnd = false): string => `${isEnd && time === '00:00' ? '24:00' : time}:00`;

/** The values of the fields, as the API takes them. */
const wired = (given: Readonly<Record<Given, string>>) => ({
  session_id: given.session_id,
  weekday: Number(given.weekday),
  start_time: whole(given.start_time),
  end_time: whole(given.end_time, true),
  slot_minutes: Number(given.slot_minutes),
  capacity: Number(given.capacity),
  room: given.room,
  valid_from: given.valid_from || null,
  valid_until: given.valid_until || null,
  every_weeks: Number(given.every_weeks),
  break_start: given.break_start === '' ? null : whole(given.break_start),
  break_end: given.break_end === '' ? null : whole(given.break_end),
});

/** One weekly schedule; its slots are shown while it is typed. */
export const ScheduleForm = ({
  doctor,
  schedule,
  weekday,
  sessions,
  reread,
  onAffected,
  onShared,
  onClose,
}: Props) => {
  const text = setup.value.schedules;
  const isRetiring = useSignal(false);
  const form = useForm(
    {
      session_id: schedule?.session_id ?? sessions[0]?.id ?? '',
      weekday: String(schedule?.weekday ?? weekday),
      start_time: shown(schedule?.start_time ?? '08:00'),
      end_time: shown(schedule?.end_time ?? '12:00'),
      slot_minutes: String(schedule?.slot_minutes ?? 30),
      capacity: String(schedule?.capacity ?? 1),
      room: schedule?.room ?? '',
      valid_from: schedule?.valid_from ?? '',
      valid_until: schedule?.valid_until ?? '',
      every_weeks: String(schedule?.every_weeks ?? 1),
      break_start: schedule?.break_start?.slice(0, 5) ?? '',
      break_end: schedule?.break_end?.slice(0, 5) ?? '',
      date: '',
    },
    {
      session_id: text.session,
      weekday: text.weekday,
      start_time: text.start,
      end_time: text.end,
      slot_minutes: text.minutes,
      capacity: text.capacity,
      room: text.room,
      valid_from: text.from,
      valid_until: text.until,
      every_weeks: text.everyWeeks,
      break_start: text.breakStart,
      break_end: text.breakEnd,
      date: text.onlyDate,
    },
    async (given, changes, key) => {
      const json = wired(given);
      if (schedule === null) {
        const { meta } = await take(
          api.v1.admin.schedules.$post({
            json: { doctor_id: doctor.id, ...json, ...(given.date !== '' && { date: given.date }) },
            header: { 'Idempotency-Key': key },
          }),
        );
        onShared(meta.room_shared_with);
      } else
        await patch(schedule, Object.fromEntries(Object.entries(json).filter(([name]) => name in changes)));
      await setupChanged();
      onClose();
    },
  );
  const patch = async (one: Schedule, change: Partial<Schedule>): Promise<void> => {
    const { meta } = await uponRead(
      'schedule_changed',
      () =>
        take(
          api.v1.admin.schedules[':id'].$patch({
            param: { id: one.id },
            json: { ...change, version: one.version },
          }),
        ),
      async () => (await reread()).find(({ id }) => id === one.id),
    );
    onAffected(meta);
    onShared(meta.room_shared_with);
  };
  const setActive = async (active: boolean): Promise<void> => {
    if (schedule === null) return;
    await patch(schedule, { active });
    await setupChanged();
  };
  const reinstate = useAttempt(() => setActive(true).then(onClose));
  const { bind } = form;
  const plan = wired(form.values);
  const { slots, seats } = countSeats([plan]);
  const failure = form.attempt.failure.value;
  const inTheWay = failure instanceof Refused ? failure.as('room_shared')?.schedules : undefined;
  return (
    <>
      <EditPanel
        title={schedule === null ? text.add : text.edit}
        attempt={form.attempt}
        labels={form.labels}
        onClose={onClose}
        more={
          schedule !== null && (
            <>
              <Refusal of={reinstate} />
              {schedule.active ? (
                <Button small look="danger" onClick={() => (isRetiring.value = true)}>
                  {setup.value.retire}
                </Button>
              ) : (
                <Button small busy={reinstate.busy.value} why={whyNot()} onClick={() => void reinstate.run()}>
                  {setup.value.reinstate}
                </Button>
              )}
            </>
          )
        }
      >
        {inTheWay !== undefined && inTheWay.length > 0 && <p>{sharers(inTheWay)}</p>}
        <Select {...bind('session_id')}>
          {sessions.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </Select>
        {schedule === null && <DateField {...bind('date')} hint={text.onlyDateHint} optional />}
        <Select {...bind('weekday')} disabled={form.values.date !== ''}>
          {text.weekdays.map((day, nth) => (
            <option key={day} value={String(nth + 1)}>
              {day}
            </option>
          ))}
        </Select>
        <TimeField {...bind('start_time')} required />
        <TimeField {...bind('end_time')} required />
        <Field {...bind('slot_minutes')} type="number" min={5} max={480} required />
        <Field {...bind('capacity')} type="number" min={1} max={100} required />
        <Field {...bind('room')} optional />
        <TimeField {...bind('break_start')} optional />
        <TimeField {...bind('break_end')} optional />
        {form.values.date === '' && (
          <>
            <DateField {...bind('valid_from')} optional />
            <DateField {...bind('valid_until')} optional />
            <Field
              {...bind('every_weeks')}
              hint={text.everyWeeksHint}
              type="number"
              min={1}
              max={8}
              required
            />
          </>
        )}
        <div aria-live="polite">
          <p class={look.strong}>{text.preview(slots, seats)}</p>
          <p class={look.soft}>{text.previewTimes(listStarts(plan).map(clockTime).join(' · '))}</p>
        </div>
      </EditPanel>
      {isRetiring.value && (
        <Confirm
          title={text.ask}
          text={text.askText}
          verb={setup.value.retire}
          work={() => setActive(false)}
          onClose={(isDone) => {
            isRetiring.value = false;
            if (isDone) onClose();
          }}
        />
      )}
    </>
  );
};
