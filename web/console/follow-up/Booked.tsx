import { clockTime, nearDate } from '../../shared/time.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { TicketNumber } from '../../shared/ui/TicketNumber.tsx';
import { common } from '../../shared/words.ts';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import look from '../ui/page.module.css';
import { further } from '../words/follow-up.ts';

interface Props {
  booking: Schemas['Booking'];
  /** The number, once it is read. */
  label: string | null;
  onBack: () => void;
  onAgain: () => void;
}

/** The details for the patient: day, time and number. */
export const Booked = ({ booking, label, onBack, onAgain }: Props) => {
  const text = further.value.followUp;
  return (
    <>
      <div role="status" class={look.form}>
        <p class={look.strong}>{text.done}</p>
        <p class={look.said}>
          {nearDate(booking.schedule_date, today())}, {clockTime(booking.schedule_time)}
        </p>
        <p>
          <TicketNumber label={label ?? '…'} size="large" />
        </p>
        <p class={look.soft}>
          {booking.doctor_name} · {booking.session_name}
        </p>
      </div>
      <div class={look.line}>
        <Button look="primary" id="kembali" onClick={onBack}>
          {common.value.back}
        </Button>
        <ButtonLink href={`/konsol/?tanggal=${booking.schedule_date}&janji=${booking.id}`}>
          {text.toDay}
        </ButtonLink>
        <Button onClick={onAgain}>{text.again}</Button>
      </div>
    </>
  );
};
