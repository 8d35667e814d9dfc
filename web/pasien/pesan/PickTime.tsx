import { useLocation, useRoute } from 'preact-iso';
import { ReadFailure } from '../../shared/ui/States.tsx';
import { initials } from '../cari/Search.tsx';
import { titled, useDoctor } from '../clinic.ts';
import { Screen } from '../screen.tsx';
import { words } from '../words.ts';
import { Picker } from './Picker.tsx';
import style from './PickTime.module.css';
import type { Slot } from './slots.ts';

/** Who it is with: shown on every step of a booking. */
export const DoctorHead = ({ id, more }: { id: string; more?: string }) => {
  const { data, error, refetch } = useDoctor(id);
  if (error !== null && data === undefined) return <ReadFailure failure={error} again={refetch} />;
  return (
    <div class={style.head}>
      <span class={style.initials} aria-hidden="true">
        {data ? initials(data.name) : ''}
      </span>
      <div>
        <p class={style.name}>{data ? titled(data) : '…'}</p>
        <p class={style.more}>{more ?? data?.specialty}</p>
      </div>
    </div>
  );
};

/** The address of the confirmation of a slot. */
export const confirmAt = (
  doctor: string,
  { session_id, schedule_date, schedule_time }: Omit<Slot, 'reason'>,
): string =>
  `/pasien/konfirmasi?${new URLSearchParams({ dokter: doctor, layanan: session_id, tanggal: schedule_date, jam: schedule_time.slice(0, 5) })}`;

const PickTime = () => {
  const { id = '' } = useRoute().params as { id?: string };
  const { path, query, route } = useLocation();
  const { layanan = '', tanggal } = query as { layanan?: string; tanggal?: string };
  return (
    <Screen title={words.value.pickTime} back="/pasien/dokter">
      <DoctorHead id={id} />
      <Picker
        key={id}
        doctor={id}
        session={layanan}
        from={tanggal}
        hrefOf={(slot) => confirmAt(id, slot)}
        onMove={({ session = layanan, date = tanggal }) => {
          const next = new URLSearchParams({
            ...(session && { layanan: session }),
            ...(date && { tanggal: date }),
          });
          route(`${path}?${next}`, true);
        }}
      />
    </Screen>
  );
};

export default PickTime;
