import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { api } from '../../shared/api/clients.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { DateField } from '../../shared/dates/DateField.tsx';
import { TimeField } from '../../shared/dates/TimeField.tsx';
import { fullName } from '../../shared/doctor.ts';
import { useForm, wrongFields } from '../../shared/form.ts';
import { addDays } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Select } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { today, useDoctors, useSessions } from '../data/clinic.ts';
import { usePatient } from '../data/patient.ts';
import { waitlistChanged } from '../data/waitlist.ts';
import { SidePanel } from '../ui/EditPanel.tsx';
import look from '../ui/page.module.css';
import { Shown, whyNot } from '../ui/Shown.tsx';
import { Candidates } from '../walk-in/Candidates.tsx';
import type { Chosen } from '../walk-in/chosen.ts';
import { createPatient } from '../walk-in/create.ts';
import { emptyPatient, type Fresh, PatientPicker, patientLabels } from '../walk-in/Patient.tsx';
import { further } from '../words/follow-up.ts';

interface Props {
  /** The patient to add, if already known; else empty. */
  patientId: string;
  sessionId: string | undefined;
  onAdded: (name: string) => void;
  onClose: () => void;
}

const timeIn = (typed: string): string | null => (typed === '' ? null : `${typed}:00`.slice(0, 8));

const Wish = ({ known, sessionId, onAdded, onClose }: WishProps) => {
  const text = further.value.waitlist;
  const sessions = useSessions().value.data ?? [];
  const doctors = useDoctors().value.data ?? [];
  const chosen = useSignal<Chosen | null>(known);
  const fresh = useSignal<Fresh>(emptyPatient);
  const isOther = useSignal(false);
  const only = sessions.length === 1 ? sessions[0]?.id : undefined;
  const start = { session_id: sessionId ?? only ?? '', doctor_id: '' };
  const form = useForm(
    { ...start, from: today(), to: addDays(today(), 13), earliest_time: '', latest_time: '' },
    {
      session_id: text.session,
      doctor_id: text.doctor,
      from: text.from,
      to: text.to,
      earliest_time: text.earliest,
      latest_time: text.latest,
    },
    async ({ earliest_time, latest_time, doctor_id, ...values }, _changes, key) => {
      const patient = chosen.peek() ?? (await createPatient(fresh.peek(), isOther.peek(), `${key}-p`));
      // From here on the patient exists, even if the entry fails.
      chosen.value = patient;
      await take(
        api.v1.waitlist.$post({
          json: {
            ...values,
            doctor_id: doctor_id || null,
            earliest_time: timeIn(earliest_time),
            latest_time: timeIn(latest_time),
            patient_id: patient.id,
          },
          header: { 'Idempotency-Key': `${key}-${patient.id}` },
        }),
      );
      onAdded(patient.name);
      await waitlistChanged();
      onClose();
    },
  );
  const { attempt, bind } = form;
  const failure = attempt.failure.value;
  const alike =
    failure instanceof Refused ? (failure.as('possible_duplicate') ?? failure.as('patient_exists')) : null;
  const hasPatient = chosen.value !== null || fresh.value.name.trim() !== '';
  useEffect(() => {
    isOther.value = false;
  }, [fresh.value]);
  const focusWish = (): void => document.querySelector<HTMLElement>('#keinginan select')?.focus();
  useLayoutEffect(() => {
    if (known !== null) focusWish();
  }, []);
  return (
    <form class={look.form} onSubmit={form.onSubmit}>
      {alike === null && <FormFailure failure={failure} labels={{ ...patientLabels(), ...form.labels }} />}
      <PatientPicker chosen={chosen} fresh={fresh} fields={wrongFields(attempt)} onReady={focusWish} />
      {alike !== null && (
        <Candidates
          candidates={alike.candidates}
          onChoose={(one) => {
            chosen.value = one;
            attempt.clear();
            focusWish();
          }}
          onDifferent={
            alike.code === 'possible_duplicate'
              ? () => {
                  isOther.value = true;
                  void attempt.run();
                }
              : undefined
          }
        />
      )}
      <div id="keinginan" class={look.form}>
        <Select {...bind('session_id')} required>
          <option value="">{text.pickSession}</option>
          {sessions.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </Select>
        <Select {...bind('doctor_id')}>
          <option value="">{text.anyDoctor}</option>
          {doctors.map((one) => (
            <option key={one.id} value={one.id}>
              {fullName(one)}
            </option>
          ))}
        </Select>
        <div class={look.fields}>
          <DateField {...bind('from')} required min={today()} />
          <DateField {...bind('to')} required min={form.values.from} />
          <TimeField {...bind('earliest_time')} optional />
          <TimeField {...bind('latest_time')} optional />
        </div>
      </div>
      <Button
        look="primary"
        type="submit"
        busy={attempt.busy.value}
        why={whyNot() ?? (hasPatient ? null : text.needPatient)}
      >
        {text.submit}
      </Button>
    </form>
  );
};
type WishProps = Omit<Props, 'patientId'> & { known: Chosen | null };

/** Puts a patient on the waitlist, one who is known or a new one. */
export const Add = ({ patientId, ...props }: Props) => {
  const patient = usePatient(patientId).value;
  const sessions = useSessions().value;
  return (
    <SidePanel title={further.value.waitlist.add} onClose={props.onClose}>
      <Shown of={sessions}>
        {() =>
          patientId === '' ? (
            <Wish {...props} known={null} />
          ) : (
            <Shown of={patient}>{(known) => <Wish {...props} known={known} />}</Shown>
          )
        }
      </Shown>
    </SidePanel>
  );
};
