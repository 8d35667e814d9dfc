import { useSignal } from '@preact/signals';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { useForm } from '../../shared/form.ts';
import { Field } from '../../shared/ui/Field.tsx';
import { confirmedly } from '../../shared/ui/reauth.tsx';
import type { Schemas } from '../data/bookings.ts';
import { EditPanel } from '../ui/EditPanel.tsx';
import { setup } from '../words/settings.ts';
import { RoleFields } from './RoleFields.tsx';
import { Setup } from './Setup.tsx';

const kinds = ['staff', 'doctor', 'admin'] as const;
type Kind = (typeof kinds)[number];

/** A new person: they set a password by a mail, or by a link that the admin gives them. */
export const Invite = ({
  doctors,
  onClose,
}: {
  doctors: readonly Schemas['AdminDoctor'][];
  onClose: () => void;
}) => {
  const text = setup.value.people;
  const made = useSignal<Schemas['PasswordSetup'] | null>(null);
  const form = useForm(
    { name: '', email: '', role: 'staff', doctor_id: doctors[0]?.id ?? '' },
    { name: text.name, email: text.email, role: text.roleOf, doctor_id: text.linked },
    async ({ name, email, role, doctor_id }) => {
      const json = { name, email, role: role as Kind, ...(role === 'doctor' && { doctor_id }) };
      const { meta } = await confirmedly(() => take(api.v1.admin.people.$post({ json })));
      made.value = meta.password_setup;
      form.clear();
      await queries.invalidateQueries({ queryKey: ['orang'] });
    },
  );
  return (
    <EditPanel
      title={text.add}
      attempt={form.attempt}
      labels={form.labels}
      submit={text.add}
      onClose={onClose}
      more={<Setup setup={made.value} />}
    >
      <Field {...form.bind('name')} required maxLength={100} />
      <Field {...form.bind('email')} type="email" required />
      <RoleFields role={form.bind('role')} doctor={form.bind('doctor_id')} of={kinds} doctors={doctors} />
    </EditPanel>
  );
};
