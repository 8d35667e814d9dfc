import { duration } from '../../shared/time.ts';
import { Sentence } from '../../shared/ui/States.tsx';
import { TicketNumber } from '../../shared/ui/TicketNumber.tsx';
import type { Booking } from '../data/bookings.ts';
import { useQueues } from '../data/clinic.ts';
import { callNext, queueId, queueNotes } from '../data/queue.ts';
import { ActButton } from '../ui/ActButton.tsx';
import { apart } from '../ui/apart.ts';
import { words } from '../words.ts';
import style from './Queues.module.css';

/** Each doctor's queue: now, next, and the call. */
export const Queues = ({ bookings, date }: { bookings: readonly Booking[]; date: string }) => {
  const queues = useQueues(date).value.data ?? [];
  const text = words.value.day;
  const paces = queues.map((one) => one.minutes_per_visit).filter((minutes) => minutes > 0);
  const pace = paces.length === 0 ? null : paces.reduce((sum, one) => sum + one, 0) / paces.length;
  return (
    <aside class={style.column} aria-label={text.queueNow}>
      <h2 class={style.heading}>{text.queueNow}</h2>
      {queues.map((queue) => {
        const here = queue.waiting.filter(({ is_there }) => is_there);
        const note = queueNotes.value.get(queueId(queue));
        const come = bookings.filter(
          (one) =>
            one.doctor_id === queue.doctor_id &&
            one.session_id === queue.session_id &&
            one.visit?.status === 'checked_in',
        ).length;
        return (
          <section
            key={queueId(queue)}
            class={style.card}
            aria-label={`${queue.doctor_name}, ${queue.session_name}`}
          >
            <div class={style.now}>
              <TicketNumber label={queue.now?.label ?? '–'} size="middle" />
              <div class={style.who}>
                <p class={style.doctor}>{queue.doctor_name}</p>
                <p class={style.room}>
                  {[queue.room, queue.session_name, text.here(come)].filter(Boolean).join(apart)}
                </p>
              </div>
            </div>
            <div class={style.next}>
              <p class={style.labels}>
                {here.length === 0 ? (
                  text.nobody
                ) : (
                  <>
                    {text.next} <b>{here[0]?.label}</b>
                    {here[1] && (
                      <>
                        {' · '}
                        <span>{here[1].label}</span>
                      </>
                    )}
                  </>
                )}
              </p>
              {queue.notice && <span class={style.delay}>{text.delay(queue.notice.delay_minutes)}</span>}
              {here.length > 0 && (
                <ActButton
                  look="primary"
                  busy={note?.busy === true}
                  label={`${text.callNext}: ${queue.doctor_name}, ${queue.session_name}`}
                  onPress={() => callNext(queue, here[0]?.label)}
                >
                  {words.value.verbs.call}
                </ActButton>
              )}
            </div>
            {note?.failure && (
              <p class={style.failure} role="alert">
                <Sentence failure={note.failure} />
              </p>
            )}
          </section>
        );
      })}
      {pace !== null && <p class={style.pace}>{text.pace(duration(pace))}</p>}
    </aside>
  );
};
