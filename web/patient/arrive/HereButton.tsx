import { MapPinCheck } from 'lucide';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { said, toHeadingIfLost } from '../screen.tsx';
import type { Booking } from '../ticket/asked.ts';
import { refreshBookings } from '../ticket/booking.ts';
import { otherName } from '../whose.ts';
import { arriveWords } from '../words/arrive.ts';
import { poster } from './poster.ts';

/** "Saya sudah di sini": checks the own booking in, with the poster that was scanned. */
const HereButton = ({ booking }: { booking: Booking }) => {
  const text = arriveWords.value;
  const { id } = booking;
  const name = otherName(booking);
  const attempt = useAttempt(async () => {
    const json = { poster: poster.peek() ?? '' };
    await take(api.v1.bookings[':id'].arrive.$post({ param: { id }, json }));
  });
  const press = async (): Promise<void> => {
    if (!(await attempt.run())) return;
    said.value = text.done(name);
    await refreshBookings(id);
    // The pressed button is gone.
    toHeadingIfLost();
  };
  return (
    <>
      <FormFailure failure={attempt.failure.value} />
      <SendButton
        look="primary"
        icon={MapPinCheck}
        wide
        busy={attempt.busy.value}
        onClick={() => void press()}
      >
        {text.here(name)}
      </SendButton>
    </>
  );
};

export default HereButton;
