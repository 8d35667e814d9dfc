import { useRef } from 'preact/hooks';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { doctorFields } from '../../shared/doctor.ts';
import { useForm } from '../../shared/form.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Field, Select } from '../../shared/ui/Field.tsx';
import { doctorLabels, ofEachDoctorField } from '../catalog/doctor-fields.ts';
import { countSeats } from '../catalog/preview.ts';
import type { Schemas } from '../data/bookings.ts';
import { setupChanged } from '../data/catalog.ts';
import { EditPanel } from '../ui/EditPanel.tsx';
import look from '../ui/page.module.css';
import { beginning } from '../words/first-run.ts';
import { setup } from '../words/settings.ts';
import { type Template, templates, weekOf } from './templates.ts';

const minutes = [10, 15, 20, 30, 45, 60];

interface Props {
  sessions: readonly Schemas['AdminSession'][];
  onClose: () => void;
}

/** A doctor, and the whole week by one choice. */
export const DoctorForm = ({ sessions, onClose }: Props) => {
  const text = beginning.value.hours;
  const w = setup.value;
  // If only the schedule was refused, the doctor exists already: the next press adds only the schedule.
  const made = useRef<{ typed: string; id: string; added: number } | null>(null);
  const form = useForm(
    {
      ...ofEachDoctorField(() => ''),
      title: 'dr.',
      hours: sessions.length === 0 ? 'none' : 'morning',
      session_id: sessions[0]?.id ?? '',
      slot_minutes: '15',
      room: '',
    },
    {
      ...doctorLabels(),
      hours: text.label,
      session_id: w.schedules.session,
      slot_minutes: w.schedules.minutes,
      room: w.schedules.room,
    },
    async ({ hours, session_id, slot_minutes, room, ...doctor }, _changes, key) => {
      const typed = JSON.stringify(doctor);
      if (made.current?.typed !== typed) {
        const header = { 'Idempotency-Key': key };
        const { data } = await take(api.v1.admin.doctors.$post({ json: doctor, header }));
        made.current = { typed, id: data.id, added: 0 };
      }
      const { current } = made;
      const own = {
        doctor_id: current.id,
        session_id,
        slot_minutes: Number(slot_minutes),
        capacity: 1,
        room,
      };
      for (const times of weekOf(hours as Template).slice(current.added)) {
        const header = { 'Idempotency-Key': `${key}-${current.added}` };
        await take(api.v1.admin.schedules.$post({ json: { ...own, ...times }, header }));
        current.added += 1;
      }
      await setupChanged();
      onClose();
    },
  );
  const { bind, values } = form;
  const plan = weekOf(values.hours as Template).map((times) => ({
    ...times,
    slot_minutes: Number(values.slot_minutes),
    capacity: 1,
  }));
  const { slots, seats } = countSeats(plan);
  return (
    <EditPanel title={w.doctors.add} attempt={form.attempt} labels={form.labels} onClose={onClose}>
      {doctorFields.map((field) => (
        <Field
          key={field}
          {...bind(field)}
          maxLength={100}
          {...(field === 'name' ? { required: true } : { optional: true })}
        />
      ))}
      {sessions.length === 0 ? (
        <div class={look.line}>
          <p class={look.soft}>{text.needsSession}</p>
          <ButtonLink small href="/mulai/layanan">
            {text.toSessions}
          </ButtonLink>
        </div>
      ) : (
        <Select {...bind('hours')}>
          {templates.map((one) => (
            <option key={one} value={one}>
              {text[one]}
            </option>
          ))}
        </Select>
      )}
      {values.hours !== 'none' && (
        <>
          <Select {...bind('session_id')}>
            {sessions.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </Select>
          <Select {...bind('slot_minutes')}>
            {minutes.map((one) => (
              <option key={one} value={String(one)}>
                {text.minutesOf(one)}
              </option>
            ))}
          </Select>
          <Field {...bind('room')} optional maxLength={100} />
          <p class={look.strong} aria-live="polite">
            {w.schedules.preview(slots, seats)}
          </p>
        </>
      )}
    </EditPanel>
  );
};
