import { fullName } from '../../shared/doctor.ts';
import { Select } from '../../shared/ui/Field.tsx';
import type { Schemas } from '../data/bookings.ts';
import { setup } from '../words/settings.ts';

export const roles = ['admin', 'staff', 'doctor', 'patient'] as const;
export type Role = (typeof roles)[number];

type Bound = Pick<Parameters<typeof Select>[0], 'label' | 'value' | 'errors' | 'onInput'>;

interface Props {
  role: Bound;
  doctor: Bound;
  of: readonly Role[];
  doctors: readonly Schemas['AdminDoctor'][];
}

/** A person's role; for a doctor's account also which doctor it is. */
export const RoleFields = ({ role, doctor, of, doctors }: Props) => (
  <>
    <Select {...role}>
      {of.map((one) => (
        <option key={one} value={one}>
          {setup.value.people.roles[one]}
        </option>
      ))}
    </Select>
    {role.value === 'doctor' && (
      <Select {...doctor}>
        {doctors.map((one) => (
          <option key={one.id} value={one.id}>
            {fullName(one)}
          </option>
        ))}
      </Select>
    )}
  </>
);
