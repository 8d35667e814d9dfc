import { useLocation } from 'preact-iso';
import { understood } from '../../shared/address.ts';
import { Empty, Pending } from '../../shared/ui/States.tsx';
import { useSessions } from '../clinic.ts';
import { Screen } from '../screen.tsx';
import { words } from '../words.ts';
import { anyAt, confirmAt, waitAt } from './addresses.ts';
import { Picker } from './Picker.tsx';

/** A time with any doctor, whose name is beside it. */
const PickAnyTime = () => {
  const w = words.value;
  const { query, route } = useLocation();
  const { layanan = '', tanggal } = understood(query);
  const { data: offered, error, refetch } = useSessions();
  const session = offered?.find(({ id }) => id === layanan)?.id ?? offered?.[0]?.id ?? '';
  return (
    <Screen title={w.pickTime} back="/pasien/dokter">
      <p>{w.anyDoctorText}</p>
      {offered === undefined ? (
        <Pending rows={3} height={96} error={error} again={refetch} />
      ) : offered.length === 0 ? (
        <Empty>{w.noDoctorYet}</Empty>
      ) : (
        <Picker
          key={session}
          whose={{ anyOf: session }}
          offered={offered}
          session={session}
          from={tanggal}
          hrefOf={(slot) => confirmAt(slot.doctor_id ?? '', slot)}
          waitAt={(of, from, to) => waitAt('', of, from, to)}
          onMove={({ session: next = session, date = tanggal }) => route(anyAt(next, date), true)}
        />
      )}
    </Screen>
  );
};

export default PickAnyTime;
