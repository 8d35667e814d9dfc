import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { timeOf } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Banner, Sentence } from '../../shared/ui/States.tsx';
import { type Booking, toConfirmation } from '../data/bookings.ts';
import { now } from '../data/clinic.ts';
import { heldBooking, putBooking } from '../data/day.ts';
import { whyNot } from '../ui/Shown.tsx';
import { words } from '../words.ts';
import style from './Detail.module.css';

/** What a patient answered whom a reminder asked, and the desk's button for one who says so on the telephone. */
export const Confirmed = ({ booking }: { booking: Booking }) => {
  const text = words.value;
  const confirmation = toConfirmation(booking);
  const confirm = useAttempt(async (key) => {
    const { data } = await take(
      api.v1.bookings[':id'].confirm.$post({
        param: { id: booking.id },
        json: {},
        header: { 'Idempotency-Key': key },
      }),
    );
    putBooking({ ...(heldBooking(booking.id) ?? booking), ...data });
    void queries.invalidateQueries({ queryKey: ['janji', booking.id] });
  });
  if (confirmation === null) return null;
  return (
    <>
      {confirm.failure.value !== null && (
        <Banner kind="danger" role="alert">
          <Sentence failure={confirm.failure.value} />
        </Banner>
      )}
      <div class={style.line}>
        <span>
          {text.confirmation[confirmation]}
          {booking.confirmed_at !== null && ` · ${timeOf(booking.confirmed_at)}`}
        </span>
        {confirmation === 'unanswered' && Date.parse(booking.starts_at) > now.value && (
          <Button small busy={confirm.busy.value} why={whyNot()} onClick={() => void confirm.run()}>
            {text.willCome}
          </Button>
        )}
      </div>
    </>
  );
};
