import { useSignal } from '@preact/signals';
import { typedPhone } from '../../../src/core/search/phone-rules.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { DateField } from '../../shared/dates/DateField.tsx';
import { useForm } from '../../shared/form.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Check, Field, Select, TextArea } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import { uponRead } from '../data/overtaken.ts';
import look from '../ui/page.module.css';
import { whyNot } from '../ui/Shown.tsx';
import { desk } from '../words/desk.ts';
import { words } from '../words.ts';

type Patient = Schemas['PatientDetail'];
const names = [
  'name',
  'phone_country_code',
  'phone_number',
  'email',
  'birth_date',
  'sex',
  'medical_record_number',
  'national_id',
  'insurance_number',
  'address',
  'staff_notes',
] as const;
type Name = (typeof names)[number];

const toTexts = (patient: Patient) =>
  Object.fromEntries(names.map((name) => [name, patient[name] ?? ''])) as Record<Name, string>;

const nullable = new Set(['email', 'birth_date', 'sex', 'address', 'national_id', 'insurance_number']);

/** Corrects a record: sends only changed fields, with the version that was read. */
export const Correct = ({ patient }: { patient: Patient }) => {
  const text = desk.value.people;
  // Null until the box is touched: another desk's change shows in it, and it is not sent.
  const ticked = useSignal<boolean | null>(null);
  const isConfirmed = ticked.value ?? patient.numbers_confirmed;
  const isSaved = useSignal(false);
  const reread = async (): Promise<Patient> => {
    const { data } = await take(api.v1.patients[':id'].$get({ param: { id: patient.id } }));
    queries.setQueryData(['pasien', patient.id], data);
    return data;
  };
  const form = useForm(
    toTexts(patient),
    {
      name: text.name,
      phone_country_code: text.countryCode,
      phone_number: text.phone,
      email: text.email,
      birth_date: text.birth,
      sex: text.sex,
      medical_record_number: text.rm,
      national_id: text.nik,
      insurance_number: text.bpjs,
      address: text.address,
      staff_notes: text.staffNotes,
    },
    async (_, changes) => {
      const json: Record<string, unknown> = { version: patient.version };
      for (const [name, value] of Object.entries(changes))
        json[name] = nullable.has(name) && value.trim() === '' ? null : value;
      const phone = changes.phone_number?.trim();
      if (phone?.startsWith('+')) {
        const { code, number } = typedPhone(phone);
        Object.assign(json, { phone_country_code: code, phone_number: number });
      }
      if (isConfirmed !== patient.numbers_confirmed) json.numbers_confirmed = isConfirmed;
      const { data } = await uponRead(
        'patient_changed',
        () => take(api.v1.patients[':id'].$patch({ param: { id: patient.id }, json })),
        reread,
      );
      queries.setQueryData(['pasien', patient.id], data);
      form.clear();
      ticked.value = null;
      isSaved.value = true;
    },
  );
  const { bind } = form;
  const isChanged = form.isChanged || isConfirmed !== patient.numbers_confirmed;
  return (
    <details>
      <summary class={look.summary}>{text.correct}</summary>
      <form
        class={look.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) void form.attempt.run();
        }}
      >
        <FormFailure failure={form.attempt.failure.value} labels={form.labels} />
        <div class={look.fields}>
          <Field required maxLength={100} {...bind('name')} />
          <Field inputMode="numeric" {...bind('phone_country_code')} />
          <Field type="tel" {...bind('phone_number')} />
          <Field type="email" {...bind('email')} />
          <DateField max={today()} {...bind('birth_date')} />
          <Select {...bind('sex')}>
            <option value="">–</option>
            <option value="male">{text.sexes.male}</option>
            <option value="female">{text.sexes.female}</option>
          </Select>
          <Field {...bind('medical_record_number')} />
          <Field inputMode="numeric" {...bind('national_id')} />
          <Field inputMode="numeric" {...bind('insurance_number')} />
        </div>
        <Field {...bind('address')} />
        <TextArea {...bind('staff_notes')} />
        <Check
          label={text.confirmed}
          checked={isConfirmed}
          onChange={(event) => (ticked.value = event.currentTarget.checked)}
        />
        <div class={look.line}>
          <Button small look="primary" type="submit" busy={form.attempt.busy.value} why={whyNot()}>
            {words.value.save}
          </Button>
          <span role="status">{isSaved.value && !isChanged ? text.saved : ''}</span>
        </div>
      </form>
    </details>
  );
};
