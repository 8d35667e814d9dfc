import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Refused } from '../../shared/api/take.ts';
import { clockTime, nearDate, zoneName } from '../../shared/time.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { common } from '../../shared/words.ts';
import { today } from '../clinic.ts';
import form from '../form.module.css';
import { words } from '../words.ts';
import { confirmAt, waitAt } from './addresses.ts';
import style from './Confirm.module.css';

interface Props {
  failure: Refused;
  doctor: string;
  session: string;
  date: string;
  /** Where an alternative leads; to its confirmation unless given. */
  hrefOf?: typeof confirmAt;
}

/** Why a time is not available, and the alternatives. The input stays. */
export const Conflict = ({ failure, doctor, session, date, hrefOf = confirmAt }: Props) => {
  const w = words.value;
  const box = useRef<HTMLDivElement>(null);
  const { query } = useLocation();
  useLayoutEffect(() => box.current?.focus(), [failure]);
  const full = failure.as('slot_full');
  const busy = failure.as('patient_busy');
  const closed = failure.as('slot_unavailable');
  const times = `/pasien/dokter/${doctor}?${new URLSearchParams({ layanan: session, tanggal: date })}`;
  return (
    <div class={style.conflict} role="alert" tabIndex={-1} ref={box} key={JSON.stringify(query)}>
      <p class={form.strong}>{full ? w.slotFull : failure.message}</p>
      {closed && <p>{common.value.closed[closed.reason]}</p>}
      {full && (
        <>
          <p>{full.alternatives.length > 0 ? w.alternatives : w.noAlternatives}</p>
          <ul class={style.options}>
            {full.alternatives.map((slot) => (
              <li key={`${slot.doctor_id}${slot.schedule_date}${slot.schedule_time}`}>
                <ButtonLink class={style.option ?? ''} wide href={hrefOf(slot.doctor_id, slot)}>
                  <span>
                    {nearDate(slot.schedule_date, today())},{' '}
                    <span class="tnum">
                      {clockTime(slot.schedule_time)} {zoneName(slot.ends_at)}
                    </span>
                  </span>
                  {slot.doctor_id !== doctor && <span class={form.small}>{slot.doctor_name}</span>}
                </ButtonLink>
              </li>
            ))}
          </ul>
        </>
      )}
      {busy?.booking_id && <ButtonLink href={`/pasien/tiket/${busy.booking_id}`}>{w.seeBooking}</ButtonLink>}
      {failure.code === 'email_unproved' && <ButtonLink href="/pasien/akun/email">{w.proveFirst}</ButtonLink>}
      {full && hrefOf === confirmAt && (
        <a class={form.link} href={waitAt(doctor, session, date)}>
          {w.letMeKnow}
        </a>
      )}
      {(full || closed) && (
        <a class={form.link} href={times}>
          {w.otherTimes}
        </a>
      )}
    </div>
  );
};

const known = ['slot_full', 'slot_unavailable', 'patient_busy', 'too_many_bookings', 'email_unproved'];
Conflict.knows = (failure: Refused): boolean => known.includes(failure.code);
