import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Refused } from '../../shared/api/take.ts';
import { lazyOr, onceWanted } from '../../shared/lazy.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Empty, Freshness, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { awaitsArrival, poster } from '../arrive/poster.ts';
import { NeedsLogin } from '../login/NeedsLogin.tsx';
import { PartFailure, Screen } from '../screen.tsx';
import { useWaitlistParts } from '../waitlist/waiting.ts';
import { words } from '../words.ts';
import { Deadline, PrintButton, TicketActions, WillCome } from './actions.tsx';
import type { Booking } from './asked.ts';
import { useBooking, useQueue } from './booking.ts';
import style from './Ticket.module.css';
import { TicketCard, Updated } from './TicketCard.tsx';
import { TicketCode } from './TicketCode.tsx';

/** For whom has scanned the poster of the clinic; nobody else loads it. */
const HereButton = lazyOr(PartFailure)(() => import('../arrive/HereButton.tsx'));

/** Who ended it and why, in words. */
export const ended = ({ cancellation }: Pick<Booking, 'cancellation'>): string | null => {
  const w = words.value;
  if (cancellation === null) return null;
  const { by, reason_code, reason } = cancellation;
  const causes: Partial<Record<typeof reason_code, string>> = {
    rejected: w.rejectedBy,
    closure: w.closureBy,
    unconfirmed: w.unconfirmedBy,
  };
  const who = causes[reason_code] ?? w.canceledBy[by];
  return reason ? `${who}. ${w.reason(reason)}` : who;
};

/** Where to book the same again. */
export const againAt = ({ doctor_id, session_id }: Pick<Booking, 'doctor_id' | 'session_id'>): string =>
  `/pasien/dokter/${doctor_id}?layanan=${session_id}`;

/** A seat that is held, or was: no ticket, but what can be answered. */
const Held = ({ booking }: { booking: Booking }) => {
  const parts = useWaitlistParts(true);
  if (!parts)
    return parts === null ? <Empty>{common.value.unreachable}</Empty> : <Skeleton rows={1} height={372} />;
  return <parts.OfferTicket booking={booking} />;
};

const useQuestionsPart = onceWanted(() => import('../questions/Questions.tsx'));

/** The questions before the visit; nothing where none are asked. */
const Asked = ({ booking }: { booking: Booking }) => {
  const isAsked = booking.to_answer !== null;
  const part = useQuestionsPart(isAsked);
  if (!isAsked) return null;
  if (!part)
    return part === null ? <Empty>{common.value.unreachable}</Empty> : <Skeleton rows={2} height={60} />;
  return <part.Questions booking={booking} />;
};

type Kind = 'ticket' | 'offerOfSeat';

const Ticket = ({ id, onRead }: { id: string; onRead: (kind: Kind) => void }) => {
  const booking = useBooking(id);
  const { data, error, dataUpdatedAt, isError, refetch } = booking.value;
  const kind = data && (data.held_until === null ? 'ticket' : 'offerOfSeat');
  useLayoutEffect(() => {
    if (kind !== undefined) onRead(kind);
  }, [kind]);
  const queue = useQueue(data);
  if (data === undefined)
    return error === null ? (
      <Skeleton rows={1} height={372} />
    ) : error instanceof Refused && error.code === 'not_found' ? (
      <Empty action={<ButtonLink href="/pasien/">{words.value.toHome}</ButtonLink>}>{error.message}</Empty>
    ) : (
      <ReadFailure failure={error} again={refetch} />
    );
  if (data.held_until !== null)
    return (
      <>
        <Freshness at={dataUpdatedAt} isStale={isError} />
        <Held booking={data} />
      </>
    );
  const seenAt = Math.max(dataUpdatedAt, queue.value.dataUpdatedAt);
  const reason = ended(data);
  return (
    <>
      <Freshness at={seenAt} isStale={isError || queue.value.isError} />
      <TicketCard booking={data} queue={queue.value.data} />
      {reason && <p class={style.notes}>{reason}</p>}
      <WillCome booking={data} />
      {poster.value !== null && awaitsArrival(data) && <HereButton booking={data} />}
      <Asked booking={data} />
      <TicketActions booking={data} />
      <Deadline booking={data} />
      {data.notes !== '' && (
        <section>
          <h2>{words.value.notes}</h2>
          <p class={style.notes}>{data.notes}</p>
        </section>
      )}
      {data.status === 'canceled' ||
      data.visit?.status === 'completed' ||
      data.visit?.status === 'no_show' ? (
        <ButtonLink look="primary" wide href={againAt(data)}>
          {words.value.bookAgain}
        </ButtonLink>
      ) : (
        <>
          {data.status === 'approved' && data.visit === null && <TicketCode code={data.booking_code} />}
          <Updated at={seenAt} />
          <PrintButton />
        </>
      )}
    </>
  );
};

/** A ticket, or the offer of a seat: its heading is neither until it is known. */
const TicketPage = () => {
  const { id = '' } = useRoute().params as { id?: string };
  const kind = useSignal<Kind | 'visit'>('visit');
  return (
    <Screen title={words.value[kind.value]} back="/pasien/">
      <NeedsLogin>
        <Ticket id={id} key={id} onRead={(read) => (kind.value = read)} />
      </NeedsLogin>
    </Screen>
  );
};

export default TicketPage;
