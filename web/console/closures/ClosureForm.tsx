import { isDone } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { readAll } from '../../shared/api/pages.ts';
import { take } from '../../shared/api/take.ts';
import { DateField } from '../../shared/dates/DateField.tsx';
import { TimeField } from '../../shared/dates/TimeField.tsx';
import { fullName } from '../../shared/doctor.ts';
import { useForm } from '../../shared/form.ts';
import { addDays, daysBetween } from '../../shared/time.ts';
import { Field, Select } from '../../shared/ui/Field.tsx';
import { ReadFailure } from '../../shared/ui/States.tsx';
import type { Booking, Schemas } from '../data/bookings.ts';
import { setupChanged } from '../data/catalog.ts';
import { isAdmin, now, today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { EditPanel } from '../ui/EditPanel.tsx';
import look from '../ui/page.module.css';
import { setup } from '../words/settings.ts';
import { Affected } from './Affected.tsx';

interface Props {
  doctors: readonly Schemas['AdminDoctor'][];
  onClose: () => void;
  onMade: (closure: Schemas['Closure']) => void;
}

/** How many days the service lists at once, and how many are counted before they are saved. */
const pieceDays = 92;
const countedDays = 366;

const parseMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Whether a booking overlaps these hours of its day, by the same rule as the service: the local start plus the length. */
const isWithin = (one: Booking, start: string, end: string): boolean => {
  const from = parseMinutes(one.schedule_time);
  const length = (Date.parse(one.ends_at) - Date.parse(one.starts_at)) / 60_000;
  return from < parseMinutes(end) && from + length > parseMinutes(start);
};

/** The bookings of a range, however many pieces the service gives it in. */
const bookingsIn = async (from: string, to: string, doctor_id: string): Promise<Booking[]> => {
  const found: Booking[] = [];
  for (let at = from; at <= to; at = addDays(at, pieceDays)) {
    const last = addDays(at, pieceDays - 1);
    const query = {
      from: at,
      to: last < to ? last : to,
      status: ['waiting' as const, 'approved' as const],
      ...(doctor_id !== '' && { doctor_id }),
    };
    found.push(
      ...(await readAll<Booking>((page) => take(api.v1.bookings.$get({ query: { ...page, ...query } })))),
    );
  }
  return found;
};

type NewClosure = Pick<
  Schemas['Closure'],
  'name' | 'doctor_id' | 'start_date' | 'end_date' | 'start_time' | 'end_time'
>;

/** Makes a closure. If an earlier try made it and its answer was lost, that one is found: there are never two. */
const makeClosure = async (json: NewClosure, key: string): Promise<Schemas['Closure']> => {
  try {
    return (await take(api.v1.admin.closures.$post({ json, header: { 'Idempotency-Key': key } }))).data;
  } catch (error) {
    if (!isDone(error)) throw error;
    const query = { from: json.start_date, to: json.end_date };
    const all = await readAll((page) => take(api.v1.admin.closures.$get({ query: { ...page, ...query } })));
    const names = Object.keys(json) as (keyof NewClosure)[];
    const made = all.find((one) => names.every((name) => one[name] === json[name]));
    if (made === undefined) throw error;
    return made;
  }
};

/** A new leave or holiday; the bookings under it are shown before it is saved. */
export const ClosureForm = ({ doctors, onClose, onMade }: Props) => {
  const text = setup.value.closures;
  const form = useForm(
    {
      // Staff and doctors close for a doctor, admins for the whole clinic too.
      doctor_id: isAdmin() ? '' : (doctors[0]?.id ?? ''),
      name: '',
      start_date: today(),
      end_date: '',
      start_time: '',
      end_time: '',
    },
    {
      doctor_id: text.kind,
      name: text.name,
      start_date: text.start,
      end_date: text.end,
      start_time: text.startTime,
      end_time: text.endTime,
    },
    async ({ doctor_id, start_time, end_time, end_date, ...rest }, _changes, key) => {
      const closure = await makeClosure(
        {
          ...rest,
          end_date: end_date || rest.start_date,
          doctor_id: doctor_id || null,
          start_time: start_time === '' ? null : `${start_time}:00`,
          end_time: end_time === '' ? null : `${end_time}:00`,
        },
        key,
      );
      await setupChanged();
      onMade(closure);
    },
  );
  const { bind } = form;
  // One day, unless a last one was chosen.
  const given = { ...form.values, end_date: form.values.end_date || form.values.start_date };
  const days = daysBetween(given.start_date, given.end_date);
  const isRange = days >= 0 && days < countedDays;
  const under = useRead({
    queryKey: ['atur', 'terkena', given.doctor_id, given.start_date, given.end_date],
    queryFn: () => bookingsIn(given.start_date, given.end_date, given.doctor_id),
    enabled: isRange,
    staleTime: 10_000,
  }).value;
  const affected = (under.data ?? []).filter(
    (one) =>
      one.visit?.status !== 'completed' &&
      one.visit?.status !== 'no_show' &&
      Date.parse(one.ends_at) > now.value &&
      (given.start_time === '' || given.end_time === '' || isWithin(one, given.start_time, given.end_time)),
  );
  return (
    <EditPanel
      title={text.add}
      attempt={form.attempt}
      labels={form.labels}
      submit={text.save}
      onClose={onClose}
    >
      <Select {...bind('doctor_id')} required={!isAdmin()}>
        {isAdmin() && <option value="">{text.holiday}</option>}
        {doctors.map((one) => (
          <option key={one.id} value={one.id}>
            {fullName(one)}
          </option>
        ))}
      </Select>
      <Field {...bind('name')} required maxLength={100} />
      <DateField {...bind('start_date')} required />
      <DateField {...bind('end_date')} required min={given.start_date} value={given.end_date} />
      <TimeField {...bind('start_time')} optional hint={text.timesHint} />
      <TimeField {...bind('end_time')} optional />
      <div aria-live="polite">
        {days < 0 ? (
          <p>{text.backwards}</p>
        ) : !isRange ? (
          <p class={look.soft}>{text.notCounted}</p>
        ) : under.error !== null ? (
          <ReadFailure failure={under.error} again={under.refetch} />
        ) : under.data === undefined ? (
          <p class={look.soft}>{text.counting}</p>
        ) : (
          <>
            <p class={look.strong}>{text.before(affected.length)}</p>
            <Affected bookings={affected} />
          </>
        )}
      </div>
    </EditPanel>
  );
};
