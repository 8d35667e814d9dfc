import { useLocation, useRoute } from 'preact-iso';
import { understood } from '../../shared/address.ts';
import { Screen } from '../screen.tsx';
import { words } from '../words.ts';
import { confirmAt, waitAt } from './addresses.ts';
import { DoctorHead } from './DoctorHead.tsx';
import { Picker } from './Picker.tsx';

const PickTime = () => {
  const { id = '' } = useRoute().params as { id?: string };
  const { path, query, route } = useLocation();
  const { layanan = '', tanggal } = understood(query);
  return (
    <Screen title={words.value.pickTime} back="/pasien/dokter">
      <DoctorHead id={id} />
      <Picker
        key={id}
        whose={{ doctor: id }}
        session={layanan}
        from={tanggal}
        hrefOf={(slot) => confirmAt(id, slot)}
        waitAt={(session, from, to) => waitAt(id, session, from, to)}
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
