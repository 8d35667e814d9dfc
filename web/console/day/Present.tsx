import { useRef } from 'preact/hooks';
import { duration } from '../../shared/time.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Sentence } from '../../shared/ui/States.tsx';
import { TicketNumber } from '../../shared/ui/TicketNumber.tsx';
import { notes } from '../data/act.ts';
import { type Booking, listActions } from '../data/bookings.ts';
import { now } from '../data/clinic.ts';
import { callNext, queueId, queueNotes } from '../data/queue.ts';
import { ActButton } from '../ui/ActButton.tsx';
import { perform } from '../ui/Ask.tsx';
import { apart } from '../ui/apart.ts';
import { useKeptFocus } from '../ui/keepFocus.ts';
import { NotDone } from '../ui/NotDone.tsx';
import { words } from '../words.ts';
import style from './Present.module.css';

const Patient = ({ booking }: { booking: Booking }) => {
  const text = words.value;
  const actions = listActions(booking, now.value);
  const minutes = Math.floor((now.value - Date.parse(booking.visit?.called_at ?? '')) / 60_000);
  const note = notes.value.get(booking.id);
  return (
    <div class={style.patient}>
      <TicketNumber label={booking.queue_label} size="middle" />
      <div class={style.about}>
        <p class={style.name}>{booking.patient.name}</p>
        <p class={style.since}>
          {[booking.session_name, minutes < 1 ? text.day.justNow : text.day.since(duration(minutes))]
            .filter(Boolean)
            .join(apart)}
        </p>
        {booking.notes !== '' && <p class={style.note}>{booking.notes}</p>}
        {booking.staff_notes && <p class={style.note}>{booking.staff_notes}</p>}
        <NotDone id={booking.id} />
      </div>
      <div class={style.actions}>
        {actions.has('complete') && (
          <ActButton
            look="primary"
            busy={note?.busy === 'complete'}
            label={`${text.verbs.complete}: ${booking.patient.name}`}
            onPress={() => perform(booking, 'complete')}
          >
            {text.verbs.complete}
          </ActButton>
        )}
        {actions.has('call') && (
          <ActButton
            label={`${text.callAgain}: ${booking.patient.name}`}
            busy={note?.busy === 'call'}
            onPress={() => perform(booking, 'call')}
          >
            {text.callAgain}
          </ActButton>
        )}
        {actions.has('skip') && (
          <ActButton
            label={`${text.verbs.skip}: ${booking.patient.name}`}
            busy={note?.busy === 'skip'}
            onPress={() => perform(booking, 'skip')}
          >
            {text.verbs.skip}
          </ActButton>
        )}
        <ButtonLink
          small
          href={`/konsol/kontrol/${booking.id}`}
          aria-label={`${text.followUp}: ${booking.patient.name}`}
        >
          {text.followUp}
        </ButtonLink>
      </div>
    </div>
  );
};

/** The part above a doctor's own list: who is in the room, and the next patient. */
export const Present = ({ bookings }: { bookings: readonly Booking[] }) => {
  const text = words.value.day;
  const present = bookings.filter(({ visit }) => visit?.status === 'called');
  const waiting = bookings.filter(({ visit }) => visit?.status === 'checked_in');
  const queues = [...new Map(waiting.map((one) => [queueId(one), one])).values()];
  const box = useRef<HTMLElement>(null);
  useKeptFocus(box, 'button, h2');
  return (
    <section ref={box} class={style.present} aria-label={text.present}>
      <h2 class={style.heading} tabIndex={-1}>
        {text.present}
      </h2>
      {present.length === 0 && <p class={style.nobody}>{text.noPresent}</p>}
      {present.map((booking) => (
        <Patient key={booking.id} booking={booking} />
      ))}
      {queues.map((queue) => {
        const note = queueNotes.value.get(queueId(queue));
        const here = waiting.filter((one) => queueId(one) === queueId(queue));
        return (
          <div key={queueId(queue)} class={style.next}>
            <ActButton
              look={present.length === 0 ? 'primary' : 'plain'}
              busy={note?.busy === true}
              label={`${text.callNext}: ${queue.session_name}`}
              onPress={() => callNext(queue, here.map(({ id }) => id).join(' '))}
            >
              {text.callNext}
            </ActButton>
            <span>{[queue.session_name, text.here(here.length)].filter(Boolean).join(apart)}</span>
            {note?.failure && (
              <span role="alert">
                <Sentence failure={note.failure} />
              </span>
            )}
          </div>
        );
      })}
    </section>
  );
};
