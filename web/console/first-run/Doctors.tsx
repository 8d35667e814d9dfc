import { api } from '../../shared/api/clients.ts';
import { readAll } from '../../shared/api/pages.ts';
import { take } from '../../shared/api/take.ts';
import { fullName } from '../../shared/doctor.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { countSeats } from '../catalog/preview.ts';
import { useAllDoctors, useAllSessions } from '../data/catalog.ts';
import { useRead } from '../data/read.ts';
import { Shown } from '../ui/Shown.tsx';
import { beginning } from '../words/first-run.ts';
import { setup } from '../words/settings.ts';
import { DoctorForm } from './DoctorForm.tsx';
import { Adding, Names } from './few.tsx';

/** The doctors with their weeks, and another one by a template of hours. */
export const Doctors = () => {
  const text = beginning.value.hours;
  const sessions = useAllSessions().value;
  const schedules = useRead({
    queryKey: ['atur', 'jadwal', 'semua'],
    queryFn: () => readAll((page) => take(api.v1.admin.schedules.$get({ query: page }))),
  }).value;
  const formatWeek = (id: string): string => {
    const own = (schedules.data ?? []).filter((one) => one.active && one.doctor_id === id);
    return own.length === 0 ? text.noHours : text.week(countSeats(own).slots);
  };
  const offered = (sessions.data ?? []).filter((one) => one.active);
  return (
    <Shown of={useAllDoctors().value}>
      {(all) => {
        const active = all.filter((one) => one.active);
        return (
          <>
            <Names
              of={active.map((one) => ({
                id: one.id,
                text: (
                  <>
                    <span>
                      {fullName(one)} · {formatWeek(one.id)}
                    </span>
                    <ButtonLink
                      small
                      look="quiet"
                      href={`/konsol/jadwal?dokter=${one.id}`}
                      aria-label={`${setup.value.doctors.schedule}: ${fullName(one)}`}
                    >
                      {setup.value.doctors.schedule}
                    </ButtonLink>
                  </>
                ),
              }))}
            />
            {sessions.data !== undefined && (
              <Adding
                label={setup.value.doctors.add}
                isOpen={active.length === 0}
                form={(onClose) => <DoctorForm sessions={offered} onClose={onClose} />}
              />
            )}
          </>
        );
      }}
    </Shown>
  );
};
