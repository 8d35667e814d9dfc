import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Empty, Pending } from '../../shared/ui/States.tsx';
import { BookingLink } from '../home/Home.tsx';
import { NeedsLogin } from '../login/NeedsLogin.tsx';
import { Screen } from '../screen.tsx';
import { useUpcoming } from '../ticket/booking.ts';
import { arriveWords } from '../words/arrive.ts';
import { words } from '../words.ts';
import { awaitsArrival, poster, takePoster } from './poster.ts';

const toHome = () => <ButtonLink href="/pasien/">{words.value.toHome}</ButtonLink>;

/** The bookings of today; the only one opens by itself, with the button on its ticket. */
const Today = () => {
  const text = arriveWords.value;
  const { route } = useLocation();
  const { data, error, refetch } = useUpcoming(true).value;
  const waiting = data?.filter(awaitsArrival) ?? [];
  const only = waiting.length === 1 ? waiting[0] : undefined;
  useEffect(() => {
    if (only !== undefined) route(`/pasien/tiket/${only.id}`, true);
  }, [only?.id]);
  if (data === undefined) return <Pending rows={2} height={96} error={error} again={refetch} />;
  if (waiting.length === 0) return <Empty action={toHome()}>{text.none}</Empty>;
  return (
    <>
      <p>{text.choose}</p>
      {waiting.map((booking) => (
        <BookingLink key={booking.id} booking={booking} />
      ))}
    </>
  );
};

/** Where the poster of the clinic leads: to the ticket of today, which then has a button to check in. */
const Arrive = () => {
  const text = arriveWords.value;
  useEffect(takePoster, []);
  return (
    <Screen title={text.title} back="/pasien/">
      {poster.value === null ? (
        <Empty action={toHome()}>{text.noPoster}</Empty>
      ) : (
        <NeedsLogin say={text.login}>
          <Today />
        </NeedsLogin>
      )}
    </Screen>
  );
};

export default Arrive;
