import { Clock, MapPin, Plus, Search } from 'lucide';
import { session } from '../../shared/api/session.ts';
import { clockTime, nearDate, zoneName } from '../../shared/time.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { StateBadge } from '../../shared/ui/StateBadge.tsx';
import { Freshness, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import { today, useClinic } from '../clinic.ts';
import { NeedsLogin, Unknown } from '../login/NeedsLogin.tsx';
import { Screen } from '../screen.tsx';
import { Deadline, TicketActions, WillCome } from '../ticket/actions.tsx';
import type { HistoryItem } from '../ticket/asked.ts';
import { isComing, toState, useBooking, useQueue, useUpcoming } from '../ticket/booking.ts';
import { KeptCard, useKept } from '../ticket/KeptCard.tsx';
import { TicketCard, Updated } from '../ticket/TicketCard.tsx';
import { useWaiting } from '../waitlist/waiting.ts';
import { otherName } from '../whose.ts';
import { words } from '../words.ts';
import style from './Home.module.css';
import { useToday } from './today.ts';

const Today = () => {
  const hours = useToday();
  // Its line is reserved, so that nothing moves when it appears.
  if (hours === null) return <p />;
  return (
    <p>
      <Icon of={Clock} /> {hours}
    </p>
  );
};

/** Where the clinic is, and whether it is open today. */
const About = () => {
  const clinic = useClinic();
  if (!clinic) return null;
  return (
    <div class={style.about}>
      {clinic.address !== '' && (
        <p>
          <Icon of={MapPin} /> {clinic.address}
        </p>
      )}
      <Today />
    </div>
  );
};

const Invitation = () => {
  const w = words.value;
  return (
    <section class={style.welcome}>
      <h2 class={style.question}>{w.welcome}</h2>
      <p>{w.welcomeText}</p>
      <ButtonLink look="primary" icon={Search} wide href="/pasien/dokter">
        {w.findDoctor}
      </ButtonLink>
      {session.value.kind !== 'in' && (
        <p class={style.account}>
          {w.haveAccount} <a href="/pasien/masuk">{w.logIn}</a>
        </p>
      )}
    </section>
  );
};

const Welcome = () => (
  <>
    <Invitation />
    <About />
  </>
);

/** A booking as one line of a list. */
export const BookingLink = ({ booking }: { booking: HistoryItem }) => (
  <a class={style.row} href={`/pasien/tiket/${booking.id}`}>
    <span class={style.when}>
      {nearDate(booking.schedule_date, today())} ·{' '}
      <span class="tnum">
        {clockTime(booking.schedule_time)} {zoneName(booking.starts_at, booking.time_zone)}
      </span>
    </span>
    <span class={style.who}>{booking.doctor_name}</span>
    <span class={style.more}>
      {booking.session_name} · {booking.patient.name}
    </span>
    <span>
      <StateBadge state={toState(booking)} />
    </span>
  </a>
);

/** That the clinic still needs answers before the visit, with the way to them. */
const ToAnswer = ({ booking }: { booking: Pick<HistoryItem, 'id' | 'to_answer' | 'patient'> }) =>
  booking.to_answer ? (
    <ButtonLink wide href={`/pasien/tiket/${booking.id}`}>
      {words.value.toAnswer(booking.to_answer, otherName(booking))}
    </ButtonLink>
  ) : null;

const Next = ({ first }: { first: HistoryItem }) => {
  const booking = useBooking(first.id);
  const { data, dataUpdatedAt, isError } = booking.value;
  const queue = useQueue(data);
  const seenAt = Math.max(dataUpdatedAt, queue.value.dataUpdatedAt);
  return (
    <>
      <Freshness at={seenAt} isStale={isError || queue.value.isError} />
      <TicketCard booking={data ?? first} queue={queue.value.data} opens />
      <WillCome booking={data ?? first} />
      <ToAnswer booking={data ?? first} />
      <TicketActions booking={data ?? first} />
      {seenAt > 0 && <Updated at={seenAt} />}
      <ButtonLink look="primary" icon={Plus} wide href="/pasien/dokter">
        {words.value.newBooking}
      </ButtonLink>
      <Deadline booking={data ?? first} />
    </>
  );
};

const Bookings = () => {
  const w = words.value;
  const { data, error, refetch, dataUpdatedAt, isError } = useUpcoming(true).value;
  const { waitlist, entries, parts, isComing: isAsked } = useWaiting();
  const kept = useKept();
  if (data === undefined) {
    if (error === null) return <Skeleton rows={1} height={372} />;
    return kept ? <KeptCard ticket={kept} /> : <ReadFailure failure={error} again={refetch} />;
  }
  // Offers are above the ticket; the page waits for them, so that nothing moves under a finger.
  if (isAsked) return <Skeleton rows={1} height={372} />;
  const [first, ...others] = data.filter(isComing);
  return (
    <>
      {first === undefined && (
        <Freshness
          at={entries.length > 0 ? Math.min(dataUpdatedAt, waitlist.dataUpdatedAt) : dataUpdatedAt}
          isStale={isError || (entries.length > 0 && waitlist.isError)}
        />
      )}
      {parts && <parts.Offers entries={entries} />}
      {first === undefined ? <Invitation /> : <Next first={first} key={first.id} />}
      {others.length > 0 && (
        <section class={style.others}>
          <h2>{w.otherBookings}</h2>
          <ul class={style.list}>
            {others.map((booking) => (
              <li key={booking.id}>
                <BookingLink booking={booking} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {waitlist.isLoadingError && <ReadFailure failure={waitlist.error} again={waitlist.refetch} />}
      {parts && entries.length > 0 && <parts.Waiting entries={entries} />}
      <About />
    </>
  );
};

const Stranger = () => {
  const kept = useKept();
  if (session.value.kind === 'out') return <Welcome />;
  if (kept === undefined) return <Skeleton rows={1} height={372} />;
  return kept === null ? <Unknown /> : <KeptCard ticket={kept} />;
};

export const Home = () => {
  const now = session.value;
  const title = now.kind === 'in' ? words.value.hello(now.user.name.split(' ')[0] ?? '') : words.value.home;
  return (
    <Screen title={title} isQuiet>
      {now.kind === 'in' || (now.kind === 'out' && now.ended) ? (
        <NeedsLogin>
          <Bookings />
        </NeedsLogin>
      ) : (
        <Stranger />
      )}
    </Screen>
  );
};
