import { shortDoctor } from '../../shared/doctor.ts';
import { clockTime, timeOf } from '../../shared/time.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { StateBadge } from '../../shared/ui/StateBadge.tsx';
import { phoneTail } from '../data/bookings.ts';
import type { Offered } from '../data/waitlist.ts';
import style from '../day/List.module.css';
import { words } from '../words.ts';

interface Props {
  of: Offered;
  isOpen: boolean;
  onOpen: (id: string) => void;
}

/** A seat of the day that is held for an entry of the waitlist: it is not a booking, so it has no actions here. */
export const OfferRow = ({ of: { patient, offer, session_name }, isOpen, onOpen }: Props) => {
  const text = words.value;
  return (
    <tr class={`${style.row} ${isOpen ? style.open : ''}`} data-offer={offer.booking_id}>
      <td class={style.time}>{clockTime(offer.schedule_time)}</td>
      <td class={style.label}>–</td>
      <td class={style.patient}>
        <button
          type="button"
          id={`janji-${offer.booking_id}`}
          class={style.name}
          data-stop="name"
          tabIndex={-1}
          onClick={() => onOpen(offer.booking_id)}
        >
          {patient.name}
        </button>
        <span class={style.phone}>{phoneTail(patient)}</span>
      </td>
      <td class={style.doctor}>
        {shortDoctor(offer.doctor_name)} · {session_name}
      </td>
      <td class={style.state}>
        <StateBadge state="waiting" word={text.held.until(timeOf(offer.held_until))} />
      </td>
      <td class={style.action}>
        <ButtonLink
          small
          href="/konsol/tunggu"
          data-stop="primary"
          aria-label={`${text.held.toList}: ${patient.name}`}
        >
          {text.nav.tunggu}
        </ButtonLink>
      </td>
    </tr>
  );
};
