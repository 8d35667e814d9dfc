import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { useForm } from '../../shared/form.ts';
import { afterAct } from '../data/act.ts';
import type { Schemas } from '../data/bookings.ts';
import { lookAgain } from '../data/day.ts';
import type { DaySlot } from '../data/slots.ts';
import { further } from '../words/follow-up.ts';
import { listDates } from './dates.ts';

export type Result = Schemas['BookedDate'];

/** The outcome of a booked series. */
export interface Made {
  results: readonly Result[];
  time: string;
}

type Sent = Parameters<typeof api.v1.bookings.series.$post>[0]['json'];
export type OnConflict = NonNullable<Sent['on_conflict']>;

const numberIn = (text: string, most: number): number | null => {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= most ? number : null;
};

/** The state of a series for a patient from a slot on: the input, its dates, and its booking. */
export const useSeries = (patientId: string, date: string, slot: DaySlot | null) => {
  const text = further.value.series;
  const made = useSignal<Made | null>(null);
  const sent = useSignal<{ time: string; text: string; passes: boolean } | null>(null);
  const form = useForm(
    { pattern: 'every', every_days: '7', weekdays: '', count: '4', on_conflict: 'fail', notes: '' },
    {
      pattern: text.how,
      every_days: text.days,
      weekdays: text.weekdays,
      count: text.count,
      on_conflict: text.onConflict,
      notes: text.notes,
    },
    async () => {},
  );
  const asked = useRef<Sent | null>(null);
  // The same key until an answer came, whatever was changed since: there are never two series.
  const attempt = useAttempt(async (key) => {
    const json = asked.current;
    if (json === null) return;
    const { data } = await take(api.v1.bookings.series.$post({ json, header: { 'Idempotency-Key': key } }));
    made.value = { results: data.results, time: json.schedule_time };
    void lookAgain();
    afterAct(data.id);
  });
  const { values } = form;
  const every = numberIn(values.every_days, 92);
  const count = numberIn(values.count, 26);
  const days = values.weekdays.split(',').filter(Boolean).map(Number);
  const isWeekly = values.pattern === 'weekdays';
  const why =
    slot === null
      ? text.needSlot
      : count === null
        ? text.needCount
        : isWeekly && days.length === 0
          ? text.needWeekday
          : !isWeekly && every === null
            ? text.needDays
            : null;
  const isWhole = count !== null && (isWeekly ? days.length > 0 : every !== null);
  const dates = isWhole
    ? listDates({ first: date, every: every ?? 1, weekdays: isWeekly ? days : null, count })
    : [];
  const body =
    slot === null || count === null || why !== null
      ? null
      : {
          doctor_id: slot.doctor_id,
          session_id: slot.session_id,
          schedule_date: date,
          schedule_time: slot.schedule_time,
          ...(isWeekly ? { weekdays: days } : { every_days: every ?? 7 }),
          count,
          notes: values.notes,
          patient_id: patientId,
        };
  const send = (onConflict = values.on_conflict as OnConflict, passesLimits = false): void => {
    if (body === null) return;
    form.set({ on_conflict: onConflict });
    const text = JSON.stringify(body);
    // What the desk decided holds until the input is changed.
    const passes = passesLimits || (sent.peek()?.passes === true && sent.peek()?.text === text);
    sent.value = { time: body.schedule_time, text, passes };
    asked.current = { ...body, on_conflict: onConflict, ...(passes && { override_limits: true }) };
    void attempt.run();
  };
  const failure = attempt.failure.value;
  const conflict = failure instanceof Refused ? failure.as('series_conflict') : null;
  const refused =
    conflict === null
      ? null
      : {
          results: conflict.results,
          wished: sent.value?.time ?? '',
          /** Whether nothing was changed since. */
          isPresent: sent.value?.text === JSON.stringify(body),
        };
  return { form, attempt, made, dates, why, send, failure, refused };
};

export type SeriesForm = ReturnType<typeof useSeries>['form'];
