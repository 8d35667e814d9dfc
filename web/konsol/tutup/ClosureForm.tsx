import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { daysBetween } from '../../shared/time.ts';
import { Field, Select } from '../../shared/ui/Field.tsx';
import { ReadFailure } from '../../shared/ui/States.tsx';
import type { Booking, Schemas } from '../data/bookings.ts';
import { allOf, fullName, setupChanged } from '../data/catalog.ts';
import { isAdmin, today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { EditPanel, fieldsOf } from '../ui/EditPanel.tsx';
import look from '../ui/page.module.css';
import { setup } from '../words/atur.ts';
import { Affected } from './Affected.tsx';

interface Props {
  doctors: readonly Schemas['AdminDoctor'][];
  onClose: () => void;
  onMade: (closure: Schemas['Closure']) => void;
}

/** A new leave or holiday; the bookings under it are shown before it is saved. */
export const ClosureForm = ({ doctors, onClose, onMade }: Props) => {
  const text = setup.value.closures;
  const value = useSignal({
    // Staff and doctors close for a doctor, admins for the whole clinic too.
    doctor_id: isAdmin() ? '' : (doctors[0]?.id ?? ''),
    name: '',
    start_date: today(),
    end_date: today(),
    start_time: '',
    end_time: '',
  });
  type Name = keyof typeof value.value;
  const given = value.value;
  const days = daysBetween(given.start_date, given.end_date);
  const isRange = days >= 0 && days < 92;
  const under = useRead({
    queryKey: ['atur', 'terkena', given.doctor_id, given.start_date, given.end_date],
    queryFn: () =>
      allOf<Booking>((page) =>
        take(
          api.v1.bookings.$get({
            query: {
              ...page,
              from: given.start_date,
              to: given.end_date,
              status: ['waiting', 'approved'],
              ...(given.doctor_id !== '' && { doctor_id: given.doctor_id }),
            },
          }),
        ),
      ),
    enabled: isRange,
    staleTime: 10_000,
  }).value;
  const affected = (under.data ?? []).filter(
    (one) =>
      one.visit?.status !== 'completed' &&
      one.visit?.status !== 'no_show' &&
      (given.start_time === '' ||
        given.end_time === '' ||
        (one.schedule_time < `${given.end_time}:00` && one.schedule_time >= `${given.start_time}:00`)),
  );
  const attempt = useAttempt(async () => {
    const { doctor_id, start_time, end_time, ...rest } = value.peek();
    const { data } = await take(
      api.v1.admin.closures.$post({
        json: {
          ...rest,
          doctor_id: doctor_id === '' ? null : doctor_id,
          start_time: start_time === '' ? null : `${start_time}:00`,
          end_time: end_time === '' ? null : `${end_time}:00`,
        },
      }),
    );
    await setupChanged();
    onMade(data);
  });
  const labels: Record<Name, string> = {
    doctor_id: text.kind,
    name: text.name,
    start_date: text.start,
    end_date: text.end,
    start_time: text.startTime,
    end_time: text.endTime,
  };
  const bind = (name: Name) => ({
    label: labels[name],
    value: value.value[name],
    errors: fieldsOf(attempt)[name],
    onInput: (event: { currentTarget: { value: string } }) => {
      const next = { ...value.peek(), [name]: event.currentTarget.value };
      if (next.end_date < next.start_date) next.end_date = next.start_date;
      value.value = next;
    },
  });
  return (
    <EditPanel title={text.add} attempt={attempt} labels={labels} submit={text.save} onClose={onClose}>
      <Select {...bind('doctor_id')}>
        {isAdmin() && <option value="">{text.holiday}</option>}
        {doctors.map((one) => (
          <option key={one.id} value={one.id}>
            {fullName(one)}
          </option>
        ))}
      </Select>
      <Field {...bind('name')} required maxLength={100} />
      <Field {...bind('start_date')} type="date" required />
      <Field {...bind('end_date')} type="date" required />
      <Field {...bind('start_time')} type="time" optional hint={text.timesHint} />
      <Field {...bind('end_time')} type="time" optional />
      <div aria-live="polite">
        {under.error !== null ? (
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
