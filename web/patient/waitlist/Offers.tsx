import { useSignal } from '@preact/signals';
import { Clock } from 'lucide';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { serviceNow } from '../../shared/clock.ts';
import { clockTime, nearDate, waitInWords, zoneName } from '../../shared/time.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { Banner, Empty, FormFailure, Pending } from '../../shared/ui/States.tsx';
import { useEnsured } from '../book/ensured.ts';
import { today } from '../clinic.ts';
import { said, sayOnNext, toHeadingIfLost } from '../screen.tsx';
import type { Booking } from '../ticket/asked.ts';
import { refreshBookings } from '../ticket/booking.ts';
import { otherName } from '../whose.ts';
import { words } from '../words/waitlist.ts';
import { words as own } from '../words.ts';
import { formatSeat, formatUntil } from './said.ts';
import style from './waitlist.module.css';
import { type Entry, noteOffer, type Offer, offersSeen, refreshWaitlist, useWaitlist } from './waitlist.ts';

const isGone = (failure: Error | null): boolean => failure instanceof Refused && failure.code === 'no_offer';

/** For how many seconds the seat is still held; above a minute rounded to the whole minutes that are shown. */
const useSecondsLeft = ({ held_until }: Offer): number => {
  const look = (): number => {
    const left = Math.max(0, Math.ceil((Date.parse(held_until) - serviceNow()) / 1_000));
    return left < 60 ? left : Math.ceil(left / 60) * 60;
  };
  const left = useSignal(look());
  useEffect(() => {
    left.value = look();
    const timer = setInterval(() => (left.value = look()), 1_000);
    return () => clearInterval(timer);
  }, [held_until]);
  return left.value;
};

const Decline = ({ entry, offer, onClose }: { entry: Entry; offer: Offer; onClose: () => void }) => {
  const w = words.value;
  const decline = async (key: string): Promise<void> => {
    const json = { booking_id: offer.booking_id };
    const header = { 'Idempotency-Key': key };
    try {
      await take(api.v1.waitlist[':id'].decline.$post({ param: { id: entry.id }, json, header }));
    } catch (error) {
      // It has lapsed meanwhile: it is not theirs either way.
      if (!isGone(error as Error)) throw error;
    }
  };
  return (
    <Confirm
      title={w.declineTitle}
      text={w.declineText(formatSeat(entry, offer))}
      verb={w.yesDecline}
      work={decline}
      onClose={(isDone) => {
        onClose();
        if (!isDone) return;
        noteOffer(entry.id, null);
        said.value = w.declined;
        void Promise.all([refreshWaitlist(), refreshBookings(offer.booking_id)]).then(toHeadingIfLost);
      }}
    />
  );
};

const Answers = ({ entry, offer, onGone }: { entry: Entry; offer: Offer; onGone: () => void }) => {
  const w = words.value;
  const { path, route } = useLocation();
  const isDeclining = useSignal(false);
  const accept = useAttempt((key: string, booking_id: string) =>
    take(
      api.v1.waitlist[':id'].accept.$post({
        param: { id: entry.id },
        json: { booking_id },
        header: { 'Idempotency-Key': key },
      }),
    ),
  );
  const run = async (): Promise<void> => {
    const isDone = await accept.run(offer.booking_id);
    if (isGone(accept.failure.peek())) onGone();
    if (!isDone) return;
    noteOffer(entry.id, null);
    await refreshBookings(offer.booking_id);
    const text = words.value.accepted(otherName(entry));
    const ticket = `/pasien/tiket/${offer.booking_id}`;
    if (path === ticket) {
      toHeadingIfLost();
      said.value = text;
    } else {
      sayOnNext(text);
      route(ticket);
    }
    void refreshWaitlist();
  };
  const failure = accept.failure.value;
  const isEnsuring = useEnsured(failure, () => void run());
  const isBusy = accept.busy.value || isEnsuring;
  return (
    <>
      {isEnsuring ? (
        <Banner kind="warning" role="alert">
          {w.ensuring}
        </Banner>
      ) : (
        <FormFailure failure={failure} />
      )}
      {failure instanceof Refused && failure.code === 'email_unproved' && (
        <ButtonLink href="/pasien/akun/email">{own.value.proveFirst}</ButtonLink>
      )}
      <div class={style.answers}>
        <SendButton look="primary" wide busy={isBusy} onClick={() => void run()}>
          {accept.busy.value ? w.accepting : w.accept}
        </SendButton>
        <SendButton wide busy={isBusy} onClick={() => (isDeclining.value = true)}>
          {w.decline}
        </SendButton>
      </div>
      {isDeclining.value && (
        <Decline entry={entry} offer={offer} onClose={() => (isDeclining.value = false)} />
      )}
    </>
  );
};

/**
 * The result of an offer that was not accepted in time: not an error, and the entry stays, unless it was the third in a
 * row.
 */
const Over = ({ entry, offer }: { entry: Entry; offer: Offer }) => {
  const w = words.value;
  return <Banner role="status">{(entry.ended_as ? w.overLast : w.over)(formatSeat(entry, offer))}</Banner>;
};

/** An offered seat: details, its end, and the two answers; after its end, a plain sentence. */
const OfferCard = ({ entry, offer }: { entry: Entry; offer: Offer }) => {
  const w = words.value;
  const left = useSecondsLeft(offer);
  const isRefused = useSignal(false);
  const isOver = left === 0 || isRefused.value;
  useEffect(() => noteOffer(entry.id, offer), [entry.id, offer.booking_id]);
  useEffect(() => {
    if (!isOver) return;
    const timer = setTimeout(() => {
      void refreshWaitlist();
      void refreshBookings(offer.booking_id);
    }, 1_500);
    return () => clearTimeout(timer);
  }, [isOver]);
  if (isOver) return <Over entry={entry} offer={offer} />;
  const title = `tawaran-${offer.booking_id}`;
  return (
    <section class={style.offer} aria-labelledby={title}>
      <h2 id={title} class={style.title}>
        {w.offer(otherName(entry))}
      </h2>
      <p>
        <strong class={style.day}>{nearDate(offer.schedule_date, today())}</strong>
        <strong class={`${style.hour} tnum`}>
          {clockTime(offer.schedule_time)} {zoneName(offer.ends_at)}
        </strong>
      </p>
      <p>
        {offer.doctor_name} · {entry.session_name}
        <br />
        {w.for(entry.patient.name)}
      </p>
      <p class={style.until}>
        <Icon of={Clock} />
        <span>
          <strong>{w.heldUntil(formatUntil(offer))}</strong> ({w.remaining(waitInWords(left))})
        </span>
      </p>
      <p class={style.soft}>{w.noNumberYet}</p>
      <Answers entry={entry} offer={offer} onGone={() => (isRefused.value = true)} />
    </section>
  );
};

/** All seats that are held now, the one that ends first on top, below those that were held on this page. */
export const Offers = ({ entries }: { entries: readonly Entry[] }) => {
  const open = entries
    .flatMap((entry) => (entry.offer ? [{ entry, offer: entry.offer }] : []))
    .sort((one, other) => one.offer.held_until.localeCompare(other.offer.held_until));
  const gone = entries.flatMap((entry) => {
    const seen = offersSeen.value.get(entry.id);
    return seen === undefined || entry.offer ? [] : [{ entry, offer: seen }];
  });
  return (
    <>
      <p class="aloud" role="status">
        {open.map(({ entry }) => words.value.offer(otherName(entry))).join('. ')}
      </p>
      {gone.map(({ entry, offer }) => (
        <Over key={offer.booking_id} entry={entry} offer={offer} />
      ))}
      {open.map(({ entry, offer }) => (
        <OfferCard key={offer.booking_id} entry={entry} offer={offer} />
      ))}
    </>
  );
};

/** The ticket page of a booking that is an offer, or was one that lapsed. */
export const OfferTicket = ({ booking }: { booking: Booking }) => {
  const w = words.value;
  const { data, error, refetch } = useWaitlist(booking.status === 'waiting');
  const entry = data?.find(({ offer }) => offer?.booking_id === booking.id);
  if (booking.status === 'waiting' && data === undefined)
    return <Pending rows={1} height={372} error={error} again={refetch} />;
  if (booking.status === 'waiting' && entry?.offer) return <OfferCard entry={entry} offer={entry.offer} />;
  const isDeclined = booking.cancellation?.reason_code === 'offer_declined';
  return (
    <Empty icon={Clock} action={<ButtonLink href="/pasien/">{own.value.toHome}</ButtonLink>}>
      {isDeclined ? w.declined : w.overTicket(otherName(booking))}
    </Empty>
  );
};
