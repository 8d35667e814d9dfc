import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { type DoctorField, doctorFields, fullName } from '../../shared/doctor.ts';
import { useForm } from '../../shared/form.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Field as TextField } from '../../shared/ui/Field.tsx';
import type { Schemas } from '../data/bookings.ts';
import { allDoctors, createReread, setupChanged, useAllDoctors } from '../data/catalog.ts';
import { isDesk } from '../data/clinic.ts';
import { uponRead } from '../data/overtaken.ts';
import { EditPanel } from '../ui/EditPanel.tsx';
import { OtherSystem } from '../ui/OtherSystem.tsx';
import { setup } from '../words/settings.ts';
import { words } from '../words.ts';
import { Catalog, type EditProps } from './Catalog.tsx';
import { doctorLabels, ofEachDoctorField } from './doctor-fields.ts';
import { Prefix } from './Prefix.tsx';

type Doctor = Schemas['AdminDoctor'];
type Change = Partial<Pick<Doctor, DoctorField | 'active'>>;

const patch = (doctor: Doctor, change: Change) =>
  uponRead(
    'doctor_changed',
    () =>
      take(
        api.v1.admin.doctors[':id'].$patch({
          param: { id: doctor.id },
          json: { ...change, version: doctor.version },
        }),
      ),
    createReread(allDoctors, doctor.id),
  );

const Edit = ({ entry, onClose }: EditProps<Doctor>) => {
  const text = setup.value.doctors;
  const form = useForm(
    ofEachDoctorField((field) => entry?.[field] ?? ''),
    doctorLabels(),
    async (json, changes, key) => {
      if (entry === null)
        await take(api.v1.admin.doctors.$post({ json, header: { 'Idempotency-Key': key } }));
      else await patch(entry, changes);
      await setupChanged();
      onClose();
    },
  );
  return (
    <EditPanel
      title={entry === null ? text.add : setup.value.change(fullName(entry))}
      attempt={form.attempt}
      labels={form.labels}
      onClose={onClose}
      more={
        entry !== null && (
          <>
            <Prefix doctorId={entry.id} />
            <OtherSystem record={entry} />
          </>
        )
      }
    >
      {doctorFields.map((field) => (
        <TextField
          key={field}
          {...form.bind(field)}
          {...(field === 'name' ? { required: true } : { optional: true })}
        />
      ))}
    </EditPanel>
  );
};

const Doctors = () => {
  const text = setup.value.doctors;
  return (
    <Catalog
      title={words.value.nav.dokter}
      all={useAllDoctors().value}
      nameOf={fullName}
      text={text}
      columns={[
        { name: text.name, cell: fullName },
        ...doctorFields.slice(2).map((field) => ({ name: text[field], cell: (one: Doctor) => one[field] })),
      ]}
      setActive={async (doctor, active) => {
        const { meta } = await patch(doctor, { active });
        await setupChanged();
        return meta;
      }}
      Edit={Edit}
      more={(doctor) =>
        isDesk() && (
          <>
            <ButtonLink small look="quiet" href={`/konsol/jadwal?dokter=${doctor.id}`}>
              {text.schedule}
            </ButtonLink>
            <ButtonLink
              small
              look="quiet"
              href={`/konsol/dokter/${doctor.id}/halaman`}
              aria-label={text.pageOf(fullName(doctor))}
            >
              {text.page}
            </ButtonLink>
          </>
        )
      }
    />
  );
};

export default Doctors;
