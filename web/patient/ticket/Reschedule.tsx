import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { understood } from '../../shared/address.ts';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { clockTime, nearDate, zoneName } from '../../shared/time.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { Empty, FormFailure, Pending } from '../../shared/ui/States.tsx';
import { Conflict } from '../book/Conflict.tsx';
import { useChosenTime } from '../book/chosen.ts';
import { DoctorHead } from '../book/DoctorHead.tsx';
import { Picker } from '../book/Picker.tsx';
import { today, useSessions } from '../clinic.ts';
import form from '../form.module.css';
import { NeedsLogin } from '../login/NeedsLogin.tsx';
import { Screen, sayOnNext } from '../screen.tsx';
import { words } from '../words.ts';
import { formatWhen } from './actions.tsx';
import type { Booking } from './asked.ts';
import { refreshBookings, useBooking } from './booking.ts';

interface Wished {
  doctor: string;
  date: string;
  time: string;
}

const Move = ({ booking, wished }: { booking: Booking; wished: Wished }) => {
  const w = words.value;
  const { route } = useLocation();
  const sessions = useSessions().data ?? [];
  const isAutomatic = sessions.find(({ id }) => id === booking.session_id)?.approval === 'automatic';
  const move = useAttempt(async (key, { doctor, date, time }: Wished, version: number) => {
    const json = {
      schedule_date: date,
      schedule_time: `${time}:00`,
      version,
      ...(doctor !== booking.doctor_id && { doctor_id: doctor }),
    };
    const param = { id: booking.id };
    await take(api.v1.bookings[':id'].reschedule.$post({ param, json, header: { 'Idempotency-Key': key } }));
  });
  const leave = (text: string): void => {
    sayOnNext(text);
    route(`/pasien/tiket/${booking.id}`, true);
  };
  const run = async () => {
    const isDone = await move.run(wished, booking.version);
    const failure = move.failure.peek();
    const isChanged =
      failure instanceof Refused && ['version_mismatch', 'invalid_transition'].includes(failure.code);
    if (!isDone && !isChanged) return;
    await refreshBookings(booking.id);
    leave(isDone ? w.moveDone : w.somebodyChanged);
  };
  // The answer was lost, and the ticket shows by now that it was done.
  const isThere =
    booking.doctor_id === wished.doctor &&
    booking.schedule_date === wished.date &&
    booking.schedule_time === `${wished.time}:00`;
  useEffect(() => {
    if (!isThere || move.failure.peek() === null) return;
    void refreshBookings();
    leave(w.moveDone);
  }, [isThere]);
  const failure = move.failure.value;
  const shown = useRef<HTMLParagraphElement>(null);
  useChosenTime(wished, move.clear, shown);
  return (
    <section class={form.card}>
      <div>
        <p class={form.small}>{w.newTime}</p>
        <p class={form.strong} tabIndex={-1} ref={shown}>
          {nearDate(wished.date, today())},{' '}
          <span class="tnum">
            {clockTime(wished.time)} {zoneName(`${wished.date}T12:00:00Z`, booking.time_zone)}
          </span>
        </p>
      </div>
      <p>{isAutomatic ? w.moveWarningAutomatic : w.moveWarning}</p>
      {failure instanceof Refused && Conflict.knows(failure) ? (
        <Conflict
          failure={failure}
          doctor={wished.doctor}
          session={booking.session_id}
          date={wished.date}
          hrefOf={(doctor, slot) => moveAt(booking.id, doctor, slot)}
        />
      ) : (
        <FormFailure failure={failure} />
      )}
      <SendButton look="primary" wide busy={move.busy.value} onClick={() => void run()}>
        {w.yesMove}
      </SendButton>
    </section>
  );
};

const moveAt = (id: string, doctor: string, slot: { schedule_date: string; schedule_time: string }): string =>
  `/pasien/tiket/${id}/jadwal?${new URLSearchParams({ dokter: doctor, tanggal: slot.schedule_date, jam: slot.schedule_time.slice(0, 5) })}`;

const Change = ({ id }: { id: string }) => {
  const w = words.value;
  const { path, query, route } = useLocation();
  const { tanggal, jam, dokter } = understood(query);
  const begun = useSignal(tanggal);
  const { data: booking, error, refetch } = useBooking(id).value;
  if (booking === undefined) return <Pending rows={2} height={120} error={error} again={refetch} />;
  const doctor = dokter ?? booking.doctor_id;
  const isMoved = booking.schedule_date === tanggal && booking.schedule_time === `${jam}:00`;
  // The deadline has passed, or the visit has begun; one that was just moved may be too near for another move.
  if (!booking.allowed_actions.includes('reschedule') && !isMoved)
    return (
      <Empty action={<ButtonLink href={`/pasien/tiket/${id}`}>{w.openTicket}</ButtonLink>}>
        {w.notCancelable}
      </Empty>
    );
  return (
    <>
      <DoctorHead id={doctor} more={`${booking.session_name} · ${booking.patient.name}`} />
      <div class={form.item}>
        <p class={form.small}>{w.oldTime}</p>
        <p class={`${form.strong} ${form.capital}`}>{formatWhen(booking)}</p>
      </div>
      {jam !== undefined && tanggal !== undefined ? (
        <>
          <Move booking={booking} wished={{ doctor, date: tanggal, time: jam }} />
          <a class={form.link} href={`${path}?tanggal=${tanggal}`}>
            {w.otherTimes}
          </a>
        </>
      ) : (
        <Picker
          whose={{ doctor: booking.doctor_id }}
          session={booking.session_id}
          from={begun.value}
          isSessionFixed
          hrefOf={(slot) => moveAt(id, booking.doctor_id, slot)}
          onMove={({ date }) => date !== undefined && route(`${path}?tanggal=${date}`, true)}
        />
      )}
    </>
  );
};

const Reschedule = () => {
  const { id = '' } = useRoute().params as { id?: string };
  return (
    <Screen title={words.value.reschedule} back={`/pasien/tiket/${id}`}>
      <NeedsLogin>
        <Change id={id} key={id} />
      </NeedsLogin>
    </Screen>
  );
};

export default Reschedule;
