import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { DateField } from '../../shared/dates/DateField.tsx';
import { fullName } from '../../shared/doctor.ts';
import { useForm } from '../../shared/form.ts';
import { addDays, longDate } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Field, Select } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import type { Schemas } from '../data/bookings.ts';
import { isDesk, today, useDoctors, useSessions } from '../data/clinic.ts';
import { PassLimit } from '../ui/PassLimit.tsx';
import look from '../ui/page.module.css';
import { whyNot } from '../ui/Shown.tsx';
import { further } from '../words/follow-up.ts';
import { Alternatives } from './Alternatives.tsx';

const unitDays = { days: 1, weeks: 7, months: 30 } as const;
const units = ['days', 'weeks', 'months'] as const;

const hours = {
  any: {},
  morning: { latest_time: '11:59:59' },
  midday: { earliest_time: '12:00:00', latest_time: '17:00:00' },
  evening: { earliest_time: '17:00:00' },
} as const;
const hoursOfDay = ['any', 'morning', 'midday', 'evening'] as const;

/** From the day that was named on, the service looks through a week. */
const spanDays = 6;

interface Props {
  visit: Schemas['ClinicBooking'];
  onBooked: (booking: Schemas['Booking']) => void;
  onBack: () => void;
}

/** When the patient should come again. */
export const WhenForm = ({ visit, onBooked, onBack }: Props) => {
  const text = further.value.followUp;
  const doctors = useDoctors().value.data ?? [];
  const sessions = useSessions().value.data ?? [];
  const after = visit.schedule_date > today() ? visit.schedule_date : today();
  const passesLimits = useSignal(false);
  const passing = () => passesLimits.peek() && ({ override_limits: true } as const);
  const start = { mode: 'after', amount: '1', unit: 'weeks', from: '', to: '', hours: 'any', notes: '' };
  const form = useForm(
    { ...start, doctor_id: visit.doctor_id, session_id: visit.session_id },
    {
      mode: text.when,
      amount: text.amount,
      unit: text.unit,
      from: text.from,
      to: text.to,
      hours: text.hours,
      doctor_id: text.doctor,
      session_id: text.session,
      notes: text.notes,
    },
    async ({ doctor_id, session_id, notes, ...values }, _changes, key) => {
      const between = hours[values.hours as keyof typeof hours];
      const { data } = await take(
        api.v1.bookings[':id']['follow-up'].$post({
          param: { id: visit.id },
          json: { from, to, ...between, doctor_id, session_id, notes, ...passing() },
          header: { 'Idempotency-Key': key },
        }),
      );
      onBooked(data);
    },
  );
  const { values, bind, attempt } = form;
  const near = useAttempt(async (key, slot: Schemas['Alternative']) => {
    const { doctor_id, session_id, schedule_date, schedule_time } = slot;
    const place = { doctor_id, session_id, schedule_date, schedule_time };
    const { data } = await take(
      api.v1.bookings.$post({
        json: { ...place, notes: values.notes, patient_id: visit.patient.id, ...passing() },
        header: { 'Idempotency-Key': key },
      }),
    );
    onBooked(data);
  });
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.select(), []);

  const isAfter = values.mode === 'after';
  const amount = Number(values.amount);
  const isAmount = Number.isInteger(amount) && amount >= 1 && amount <= 365;
  const dayAfter = isAmount ? addDays(after, amount * unitDays[values.unit as keyof typeof unitDays]) : '';
  const from = isAfter ? dayAfter : values.from;
  const to = isAfter && dayAfter !== '' ? addDays(dayAfter, spanDays) : isAfter ? '' : values.to;
  const isBetween = from !== '' && from <= to;
  const why = isBetween ? whyNot() : isAfter ? text.badAmount : text.badDates;

  const failure = attempt.failure.value;
  const full = failure instanceof Refused ? failure.as('slot_full') : null;
  return (
    <form
      class={look.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (why === null) void attempt.run();
      }}
    >
      <FormFailure failure={full === null ? failure : near.failure.value} labels={form.labels} />
      {full !== null && (
        <Alternatives
          of={full.alternatives}
          busy={near.busy.value}
          onChoose={(slot) => void near.run(slot)}
        />
      )}
      <PassLimit
        failure={failure}
        busy={attempt.busy.value}
        onPass={() => {
          passesLimits.value = true;
          void attempt.run().finally(() => (passesLimits.value = false));
        }}
      />
      <div class={look.fields}>
        <Select {...bind('mode')}>
          <option value="after">{text.after}</option>
          <option value="between">{text.between}</option>
        </Select>
        {isAfter ? (
          <>
            <Field {...bind('amount')} type="number" min={1} max={365} inputRef={first} />
            <Select {...bind('unit')}>
              {units.map((unit) => (
                <option key={unit} value={unit}>
                  {text.units[unit]}
                </option>
              ))}
            </Select>
          </>
        ) : (
          <>
            <DateField {...bind('from')} min={today()} />
            <DateField {...bind('to')} min={values.from || today()} />
          </>
        )}
        <Select {...bind('hours')}>
          {hoursOfDay.map((one) => (
            <option key={one} value={one}>
              {text.hoursOf[one]}
            </option>
          ))}
        </Select>
        {isDesk() && doctors.length > 0 && (
          <Select {...bind('doctor_id')}>
            {doctors.map((one) => (
              <option key={one.id} value={one.id}>
                {fullName(one)}
              </option>
            ))}
          </Select>
        )}
        {sessions.length > 0 && (
          <Select {...bind('session_id')}>
            {sessions.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </Select>
        )}
        <Field {...bind('notes')} optional maxLength={1000} />
      </div>
      <p role="status">{isBetween ? text.span(longDate(from), longDate(to)) : ''}</p>
      <div class={look.line}>
        <Button look="primary" type="submit" busy={attempt.busy.value} why={why}>
          {text.submit}
        </Button>
        <Button onClick={onBack}>{common.value.back}</Button>
      </div>
    </form>
  );
};
