import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { Field, Select } from '../../shared/ui/Field.tsx';
import type { Schemas } from '../data/bookings.ts';
import { fullName } from '../data/catalog.ts';
import { confirmedly } from '../shell/reauth.tsx';
import { EditPanel, fieldsOf } from '../ui/EditPanel.tsx';
import { setup } from '../words/atur.ts';
import { Setup } from './Setup.tsx';

const kinds = ['staff', 'doctor', 'admin'] as const;

/** Somebody new: a mail asks them to set a password, or a link is handed over. */
export const Invite = ({
  doctors,
  onClose,
}: {
  doctors: readonly Schemas['AdminDoctor'][];
  onClose: () => void;
}) => {
  const text = setup.value.people;
  const name = useSignal('');
  const email = useSignal('');
  const role = useSignal<(typeof kinds)[number]>('staff');
  const doctor = useSignal(doctors[0]?.id ?? '');
  const made = useSignal<Schemas['PasswordSetup'] | null>(null);
  const attempt = useAttempt(async () => {
    const { meta } = await confirmedly(() =>
      take(
        api.v1.admin.people.$post({
          json: {
            name: name.peek(),
            email: email.peek(),
            role: role.peek(),
            ...(role.peek() === 'doctor' && { doctor_id: doctor.peek() }),
          },
        }),
      ),
    );
    made.value = meta.password_setup;
    name.value = '';
    email.value = '';
    await queries.invalidateQueries({ queryKey: ['orang'] });
  });
  const labels = { name: text.name, email: text.email, role: text.roleOf, doctor_id: text.linked };
  const errors = fieldsOf(attempt);
  return (
    <EditPanel
      title={text.add}
      attempt={attempt}
      labels={labels}
      submit={text.add}
      onClose={onClose}
      more={<Setup setup={made.value} />}
    >
      <Field
        label={text.name}
        required
        value={name.value}
        errors={errors.name}
        onInput={(event) => (name.value = event.currentTarget.value)}
      />
      <Field
        label={text.email}
        type="email"
        required
        value={email.value}
        errors={errors.email}
        onInput={(event) => (email.value = event.currentTarget.value)}
      />
      <Select
        label={text.roleOf}
        value={role.value}
        onChange={(event) => (role.value = kinds.find((one) => one === event.currentTarget.value) ?? 'staff')}
      >
        {kinds.map((one) => (
          <option key={one} value={one}>
            {text.roles[one]}
          </option>
        ))}
      </Select>
      {role.value === 'doctor' && (
        <Select
          label={text.linked}
          value={doctor.value}
          errors={errors.doctor_id}
          onChange={(event) => (doctor.value = event.currentTarget.value)}
        >
          {doctors.map((one) => (
            <option key={one.id} value={one.id}>
              {fullName(one)}
            </option>
          ))}
        </Select>
      )}
    </EditPanel>
  );
};
