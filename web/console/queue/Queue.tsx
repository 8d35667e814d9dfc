import { useRef } from 'preact/hooks';
import { paper } from '../../shared/slip/paper.ts';
import { dayAndMonth, duration, timeOf } from '../../shared/time.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { ReadFailure, Sentence, Skeleton } from '../../shared/ui/States.tsx';
import { TicketNumber } from '../../shared/ui/TicketNumber.tsx';
import { common } from '../../shared/words.ts';
import { clearNote, notes, said } from '../data/act.ts';
import { useAddress } from '../data/address.ts';
import { type Booking, listActions, type Schemas } from '../data/bookings.ts';
import { now, queuesMs, role, today, useQueues } from '../data/clinic.ts';
import { useDay } from '../data/day.ts';
import { callNext, queueId, queueNotes } from '../data/queue.ts';
import { Page } from '../shell/Page.tsx';
import { SlipButton } from '../slip/SlipButton.tsx';
import { ActButton, offlineId } from '../ui/ActButton.tsx';
import { perform } from '../ui/Ask.tsx';
import { apart } from '../ui/apart.ts';
import { EmptyBookings } from '../ui/EmptyBookings.tsx';
import { useKeptFocus } from '../ui/keepFocus.ts';
import { NotDone } from '../ui/NotDone.tsx';
import look from '../ui/page.module.css';
import { Age } from '../ui/Shown.tsx';
import { desk } from '../words/desk.ts';
import { words } from '../words.ts';
import { Notice } from './Notice.tsx';
import style from './Queue.module.css';

type Queue = Schemas['Queue'];

const Called = ({ booking, calls }: { booking: Booking; calls: number }) => {
  const text = words.value;
  const actions = listActions(booking, now.value);
  const note = notes.value.get(booking.id);
  return (
    <div class={style.called}>
      <TicketNumber label={booking.queue_label} size="middle" />
      <div class={style.who}>
        <p class={look.strong}>{booking.patient.name}</p>
        <p class={look.soft}>
          {desk.value.queue.calledAt(timeOf(booking.visit?.called_at ?? ''))}
          {calls > 1 && ` · ${desk.value.queue.times(calls)}`}
        </p>
      </div>
      <div class={look.line}>
        {(['complete', 'call', 'skip'] as const).map(
          (verb) =>
            actions.has(verb) && (
              <ActButton
                key={verb}
                busy={note?.busy === verb}
                label={`${verb === 'call' ? text.callAgain : text.verbs[verb]}: ${booking.patient.name}`}
                onPress={() => perform(booking, verb)}
              >
                {verb === 'call' ? text.callAgain : text.verbs[verb]}
              </ActButton>
            ),
        )}
        <ButtonLink
          small
          href={`/konsol/kontrol/${booking.id}`}
          aria-label={`${text.followUp}: ${booking.patient.name}`}
        >
          {text.followUp}
        </ButtonLink>
      </div>
      <NotDone id={booking.id} />
    </div>
  );
};

/** Approved, and not there at the time. */
const isMissed = ({ status, visit, starts_at }: Booking): boolean =>
  status === 'approved' && visit === null && Date.parse(starts_at) < now.value;

/** Another desk was first: the row stays until the message was read. */
const isOvertaken = ({ id, visit }: Booking): boolean =>
  notes.value.get(id)?.conflict !== undefined && visit?.status !== 'called';

const Late = ({ booking }: { booking: Booking }) => {
  const note = notes.value.get(booking.id);
  const isOpen = listActions(booking, now.value).has('check-in');
  return (
    <li>
      <div class={`${look.line} ${look.spread}`}>
        <span>
          <b>{booking.queue_label}</b> {booking.patient.name}{' '}
          {isMissed(booking) && (
            <span class={look.soft}>
              {desk.value.queue.late(duration((now.value - Date.parse(booking.starts_at)) / 60_000))}
            </span>
          )}
        </span>
        {isOpen && (
          <ActButton
            label={`${words.value.verbs['check-in']}: ${booking.patient.name}`}
            busy={note?.busy !== undefined}
            onPress={() => perform(booking, 'check-in')}
          >
            {words.value.verbs['check-in']}
          </ActButton>
        )}
      </div>
      <NotDone id={booking.id} />
      {!isOpen && note?.conflict && (
        <Button small onClick={() => clearNote(booking.id)}>
          {common.value.close}
        </Button>
      )}
    </li>
  );
};

/** Who was checked in last at this desk gets the slip by one press. */
const Arrived = ({ queue }: { queue: Queue }) => {
  const last = said.value;
  if (paper.value === null || last?.verb !== 'check-in') return null;
  const { id, doctor_id, session_id, queue_label, patient } = last.booking;
  if (doctor_id !== queue.doctor_id || session_id !== queue.session_id) return null;
  return (
    <div class={`${look.line} ${look.spread}`}>
      <span>
        <b>{queue_label}</b> {patient.name}
      </span>
      <SlipButton key={id} id={id} name={patient.name} />
    </div>
  );
};

const Card = ({ queue, bookings, date }: { queue: Queue; bookings: readonly Booking[]; date: string }) => {
  const text = desk.value.queue;
  const own = bookings.filter(
    (one) => one.doctor_id === queue.doctor_id && one.session_id === queue.session_id,
  );
  const called = own.filter(({ visit }) => visit?.status === 'called');
  const here = queue.waiting.filter(({ is_there }) => is_there);
  const findPatientName = (label: string) => own.find((one) => one.queue_label === label)?.patient.name ?? '';
  const late = own.filter((one) => isMissed(one) || isOvertaken(one));
  const note = queueNotes.value.get(queueId(queue));
  const box = useRef<HTMLElement>(null);
  useKeptFocus(box, 'button, summary');
  return (
    <section
      ref={box}
      class={look.card}
      aria-label={`${queue.doctor_name}, ${queue.session_name}`}
      data-queue={queue.prefix}
    >
      <div class={`${look.line} ${look.spread}`}>
        <div>
          <h2>{queue.doctor_name}</h2>
          <p class={look.soft}>{[queue.session_name, queue.room].filter(Boolean).join(apart)}</p>
        </div>
        {queue.notice && <span class={style.delay}>{words.value.day.delay(queue.notice.delay_minutes)}</span>}
      </div>
      {called.length === 0 ? (
        <p class={look.soft}>{text.nobodyNow}</p>
      ) : (
        called.map((booking) => (
          <Called key={booking.id} booking={booking} calls={booking.visit?.call_count ?? 1} />
        ))
      )}
      <div class={style.next}>
        <h3 class={look.soft}>{text.next}</h3>
        {here.length === 0 ? (
          <p>{text.nobodyHere}</p>
        ) : (
          <ol class={style.three}>
            {here.slice(0, 3).map(({ label }) => (
              <li key={label}>
                <b>{label}</b> {findPatientName(label)}
              </li>
            ))}
          </ol>
        )}
      </div>
      <Arrived queue={queue} />
      {here.length > 0 && (
        <ActButton
          look="primary"
          busy={note?.busy === true}
          label={`${text.callNext}: ${queue.doctor_name}, ${queue.session_name}`}
          onPress={() => callNext(queue, here[0]?.label)}
        >
          {text.callNext}
        </ActButton>
      )}
      {note?.failure && (
        <p role="alert">
          <Sentence failure={note.failure} />
        </p>
      )}
      {late.length > 0 && (
        <div class={style.late}>
          <h3 class={look.soft}>{text.notHere}</h3>
          <ul class={look.list}>
            {late.map((booking) => (
              <Late key={booking.id} booking={booking} />
            ))}
          </ul>
          <p class={look.soft}>{text.lateHint}</p>
        </div>
      )}
      <Notice queue={queue} date={date} />
    </section>
  );
};

/** Every queue of the day: who is called, who is next, who is late. */
const Queues = () => {
  const date = today();
  const { query } = useAddress();
  const day = useDay(date).value;
  const queues = useQueues(date).value;
  const text = desk.value.queue;
  const bookings = day.data?.bookings ?? [];
  const mine = new Set(bookings.map((one) => one.doctor_id));
  const shown = (queues.data ?? [])
    .filter((one) => role() !== 'doctor' || mine.has(one.doctor_id))
    .filter((one) => !query.dokter || one.doctor_id === query.dokter);
  const failure = queues.data === undefined ? queues.error : day.data === undefined ? day.error : null;
  return (
    <Page title={words.value.nav.antrean} beside={<span class={look.soft}>{dayAndMonth(date)}</span>}>
      <p class="aloud" role="status">
        {said.value === null ? '' : words.value.done[said.value.verb](said.value.booking.patient.name)}
      </p>
      <div id={offlineId}>
        <Age of={queues} everyMs={queuesMs} />
      </div>
      <div class={look.body}>
        {failure !== null ? (
          <ReadFailure failure={failure} again={() => Promise.all([queues.refetch(), day.refetch()])} />
        ) : queues.data === undefined || day.data === undefined ? (
          <Skeleton rows={3} height={180} />
        ) : shown.length === 0 ? (
          <EmptyBookings>{text.empty}</EmptyBookings>
        ) : (
          <div class={look.cards}>
            {shown.map((queue) => (
              <Card key={queueId(queue)} queue={queue} bookings={bookings} date={date} />
            ))}
          </div>
        )}
      </div>
    </Page>
  );
};

export default Queues;
