import { useSignal } from '@preact/signals';
import { QrCode } from 'lucide';
import { useEffect, useRef } from 'preact/hooks';
import { serviceNow, serviceTime } from '../../shared/clock.ts';
import { clockTime, duration, nearDateShort, timeOf, zoneName } from '../../shared/time.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { StateBadge } from '../../shared/ui/StateBadge.tsx';
import { TicketNumber } from '../../shared/ui/TicketNumber.tsx';
import { today } from '../clinic.ts';
import { words } from '../words.ts';
import type { Booking, HistoryItem } from './asked.ts';
import { isComing, type Queue, toState } from './booking.ts';
import { estimateCall } from './place.ts';
import style from './Ticket.module.css';

type Shown = HistoryItem & Partial<Pick<Booking, 'room' | 'ahead' | 'estimated_at' | 'notice'>>;

interface Live {
  state: ReturnType<typeof toState>;
  ahead: number | null;
  minutes: number | null;
  /** Whether the call is near: the doctor has begun, and the visit's time has come. */
  isNear: boolean;
  now: string | null;
  /** How often this patient was called. */
  calls: number;
}

/** The patient's position: from the queue, which is polled often, and else from the booking. */
const computeLive = (booking: Shown, queue: Queue | undefined): Live => {
  const state = toState(booking);
  const label = booking.queue_label;
  const calls = booking.visit?.call_count ?? 0;
  if (queue === null || queue === undefined) {
    const at = booking.estimated_at ? (Date.parse(booking.estimated_at) - serviceNow()) / 60_000 : null;
    return { state, ahead: booking.ahead ?? null, minutes: at, isNear: false, now: null, calls };
  }
  const place = queue.waiting.findIndex((one) => one.label === label);
  const isCalled = queue.now?.label === label && place < 0;
  const ahead = place < 0 ? null : place;
  const { minutes, isNear } =
    ahead === null
      ? { minutes: null, isNear: false }
      : estimateCall({
          ahead,
          startsAt: Date.parse(booking.starts_at),
          delayMinutes: queue.notice?.delay_minutes ?? 0,
          minutesPerVisit: queue.minutes_per_visit,
          hasBegun: queue.calls.length > 0,
          now: serviceNow(),
        });
  const isThere = place >= 0 && queue.waiting[place]?.is_there === true;
  const shown = isCalled ? 'called' : isThere && state === 'approved' ? 'checked_in' : state;
  return {
    state: shown,
    ahead,
    minutes,
    isNear,
    now: queue.now?.label ?? null,
    calls: isCalled ? (queue.now?.call_count ?? calls) : calls,
  };
};

/** How many are ahead, in words; the next patient sees that they are next only when the call is near. */
const placeText = ({ ahead, isNear }: Pick<Live, 'ahead' | 'isNear'>): string => {
  const w = words.value;
  return ahead === null ? '' : ahead === 0 && isNear ? w.next : w.ahead(ahead);
};

/** Whether others moved ahead since the position last improved: it is shown with the reason. */
const useWentBack = (ahead: number | null): boolean => {
  const seen = useRef(ahead);
  const isBack = useRef(false);
  if (ahead !== null) {
    if (seen.current !== null && ahead !== seen.current) isBack.current = ahead > seen.current;
    seen.current = ahead;
  }
  return isBack.current && ahead !== null;
};

interface Announced {
  text: string;
  /** A new element for each announcement: the same words are announced again when they are true again. */
  nth: number;
}

/** One polite announcement when the position changes, at most every half minute; a short vibration at each call. */
const useAnnounced = (live: Live, room: string, isBack: boolean): Announced => {
  const { state, ahead, calls } = live;
  const said = useSignal<Announced>({ text: '', nth: 0 });
  const last = useRef({ what: '', at: 0 });
  const w = words.value;
  const isCalled = state === 'called';
  const place = ahead === null ? '' : `${placeText(live)}${isBack ? `. ${w.moved}` : ''}`;
  const text = isCalled ? `${w.youAreCalled}. ${w.comeIn(room)}` : place;
  const what = isCalled ? `${calls} ${text}` : text;
  useEffect(() => {
    if (text === '' || what === last.current.what) return;
    const isFirst = last.current.what === '';
    const wait = isFirst || isCalled ? 0 : Math.max(0, last.current.at + 30_000 - Date.now());
    const timer = setTimeout(() => {
      last.current = { what, at: Date.now() };
      if (isFirst) return;
      said.value = { text, nth: said.peek().nth + 1 };
      if (isCalled) navigator.vibrate?.(200);
    }, wait);
    return () => clearTimeout(timer);
  }, [what]);
  return said.value;
};

const Position = ({ live, room, isBack }: { live: Live; room: string; isBack: boolean }) => {
  const w = words.value;
  if (live.state === 'called')
    return (
      <>
        <p class={style.called}>{w.youAreCalled}</p>
        <p class={style.estimate}>{w.comeIn(room)}</p>
      </>
    );
  if (live.ahead === null) return null;
  const { minutes } = live;
  // A time that depends on a doctor who has not begun is unknown.
  const when =
    minutes === null ? null : minutes >= 2 ? w.about(duration(minutes)) : live.isNear ? w.aboutNow : null;
  return (
    <>
      <p class={style.ahead}>{placeText(live)}</p>
      {isBack && <p class={style.small}>{w.moved}</p>}
      <p class={style.estimate}>
        {when && <span>{when} </span>}
        {live.now === null ? (
          <span>{w.nobodyCalled}</span>
        ) : (
          <span>
            {w.calledNow} <strong class="tnum">{live.now}</strong>
          </span>
        )}
      </p>
    </>
  );
};

/** The progress bar fills as patients ahead are called. It repeats the sentence above. */
const Nearness = ({ live }: { live: Live }) => {
  const first = useRef(live.ahead);
  if (live.ahead !== null && (first.current === null || live.ahead > first.current))
    first.current = live.ahead;
  if (live.ahead === null || live.state === 'called' || live.now === null) return null;
  const most = Math.max(first.current ?? 0, 6);
  return (
    <div class={style.track} aria-hidden="true">
      <div class={style.done} style={{ '--share': String(1 - live.ahead / (most + 1)) }} />
    </div>
  );
};

const Delay = ({ notice }: { notice: Booking['notice'] | undefined }) => {
  const w = words.value;
  if (!notice) return null;
  return (
    <p class={style.notice}>
      <strong>{w.noticeFrom}:</strong> {notice.delay_minutes > 0 && w.delayed(duration(notice.delay_minutes))}{' '}
      {notice.message}
    </p>
  );
};

/** The ticket that a patient watches while waiting. */
export const TicketCard = ({
  booking,
  queue,
  opens,
}: {
  booking: Shown;
  queue?: Queue | undefined;
  /** Whether the whole ticket, with its QR code, is at another address. */
  opens?: boolean;
}) => {
  const w = words.value;
  const room = queue?.room || booking.room || '';
  const live = computeLive(booking, queue);
  const isBack = useWentBack(queue ? live.ahead : null);
  const announced = useAnnounced(live, room, isBack);
  const isLive = isComing(booking);
  const hint =
    live.state === 'waiting'
      ? w.waitingText
      : live.state === 'approved' && live.ahead === null
        ? w.approvedText
        : null;
  return (
    <section class={`${style.card} ${live.state === 'called' ? style.isCalled : ''}`} aria-label={w.ticket}>
      <div class={style.top}>
        <div class={style.line}>
          <StateBadge state={live.state} />
          {opens ? (
            <a class={`${style.code} ${style.opens}`} href={`/pasien/tiket/${booking.id}`}>
              <Icon of={QrCode} />
              <span>
                <span class="aloud">{w.openTicket}: </span>
                {booking.booking_code}
              </span>
            </a>
          ) : (
            <span class={style.code}>
              <span class="aloud">{w.code}: </span>
              {booking.booking_code}
            </span>
          )}
        </div>
        <p class={style.number}>
          <span class="aloud">{w.yourNumber}: </span>
          <TicketNumber label={booking.queue_label} />
        </p>
        {isLive && <Position live={live} room={room} isBack={isBack} />}
        {isLive && hint && <p class={style.estimate}>{hint}</p>}
        {isLive && <Nearness live={live} />}
        <Delay notice={queue?.notice ?? booking.notice} />
        <p class="aloud" role="status">
          <span key={announced.nth}>{announced.text}</span>
        </p>
      </div>
      <dl class={style.facts}>
        <div>
          <dt>{w.doctor}</dt>
          <dd>{booking.doctor_name}</dd>
        </div>
        <div>
          <dt>{w.room}</dt>
          <dd>{room === '' ? '–' : room}</dd>
        </div>
        <div>
          <dt>{nearDateShort(booking.schedule_date, today())}</dt>
          <dd>
            <span class="tnum">
              {clockTime(booking.schedule_time)} {zoneName(booking.starts_at, booking.time_zone)}
            </span>{' '}
            <span>{booking.session_name}</span>
          </dd>
        </div>
        <div>
          <dt>{w.for}</dt>
          <dd>{booking.patient.name}</dd>
        </div>
      </dl>
    </section>
  );
};

/** When the shown data was read. */
export const Updated = ({ at }: { at: number }) => (
  <p class={style.updated}>
    {words.value.updated(timeOf(serviceTime(at)))} · {words.value.kept}
  </p>
);
