import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { online } from '../../shared/online.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Check, Field, Select, TextArea } from '../../shared/ui/Field.tsx';
import { Banner, FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import type { Schemas } from '../data/bookings.ts';
import look from '../ui/page.module.css';
import { desk } from '../words/meja.ts';
import { words } from '../words.ts';

type Patient = Schemas['PatientDetail'];
type Change = Partial<
  Record<
    | 'name'
    | 'phone_number'
    | 'phone_country_code'
    | 'email'
    | 'birth_date'
    | 'sex'
    | 'address'
    | 'national_id'
    | 'insurance_number'
    | 'medical_record_number'
    | 'staff_notes',
    string
  >
>;

const nullable = new Set(['email', 'birth_date', 'sex', 'address', 'national_id', 'insurance_number']);

/** Corrects a record: only what was changed is sent, upon the version that was read. */
export const Correct = ({ patient }: { patient: Patient }) => {
  const text = desk.value.people;
  const changes = useSignal<Change>({});
  const isConfirmed = useSignal(patient.numbers_confirmed);
  const isSaved = useSignal(false);
  const isOther = useSignal(false);
  const attempt = useAttempt(async () => {
    isOther.value = false;
    const json: Record<string, unknown> = { version: patient.version };
    for (const [name, value] of Object.entries(changes.peek()))
      json[name] = nullable.has(name) && value.trim() === '' ? null : value;
    if (isConfirmed.peek() !== patient.numbers_confirmed) json.numbers_confirmed = isConfirmed.peek();
    try {
      const { data } = await take(api.v1.patients[':id'].$patch({ param: { id: patient.id }, json }));
      queries.setQueryData(['pasien', patient.id], data);
      changes.value = {};
      isSaved.value = true;
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'version_mismatch') throw error;
      isOther.value = true;
      await queries.invalidateQueries({ queryKey: ['pasien', patient.id] });
    }
  });
  const fields = attempt.failure.value instanceof Refused ? attempt.failure.value.fields : {};
  const bind = (name: keyof Change) => ({
    value: changes.value[name] ?? patient[name] ?? '',
    onInput: (event: { currentTarget: { value: string } }) => {
      changes.value = { ...changes.value, [name]: event.currentTarget.value };
      isSaved.value = false;
    },
    errors: fields[name],
  });
  const isChanged = Object.keys(changes.value).length > 0 || isConfirmed.value !== patient.numbers_confirmed;
  return (
    <details>
      <summary class={look.summary}>{text.correct}</summary>
      <form
        class={look.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) void attempt.run();
        }}
      >
        <FormFailure failure={attempt.failure.value} />
        {isOther.value && (
          <Banner kind="warning" role="alert">
            {text.conflict}
          </Banner>
        )}
        <div class={look.fields}>
          <Field label={text.name} required maxLength={100} {...bind('name')} />
          <Field label={text.countryCode} inputMode="numeric" {...bind('phone_country_code')} />
          <Field label={text.phone} type="tel" {...bind('phone_number')} />
          <Field label={text.email} type="email" {...bind('email')} />
          <Field label={text.birth} type="date" {...bind('birth_date')} />
          <Select label={text.sex} {...bind('sex')}>
            <option value="">–</option>
            <option value="male">{text.sexes.male}</option>
            <option value="female">{text.sexes.female}</option>
          </Select>
          <Field label={text.rm} {...bind('medical_record_number')} />
          <Field label={text.nik} inputMode="numeric" {...bind('national_id')} />
          <Field label={text.bpjs} inputMode="numeric" {...bind('insurance_number')} />
        </div>
        <Field label={text.address} {...bind('address')} />
        <TextArea label={text.staffNotes} {...bind('staff_notes')} />
        <Check
          label={text.confirmed}
          checked={isConfirmed.value}
          onChange={(event) => (isConfirmed.value = event.currentTarget.checked)}
        />
        <div class={look.line}>
          <Button
            small
            look="primary"
            type="submit"
            busy={attempt.busy.value}
            why={online.value ? null : common.value.offlineAction}
          >
            {words.value.save}
          </Button>
          <span role="status">{isSaved.value && !isChanged ? text.saved : ''}</span>
        </div>
      </form>
    </details>
  );
};
