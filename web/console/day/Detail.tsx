import { X } from 'lucide';
import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { phoneWord } from '../../../src/core/search/phone-rules.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { clockTime, nearDate, timeOf, zoneName } from '../../shared/time.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { StateBadge } from '../../shared/ui/StateBadge.tsx';
import { Banner, Pending, Sentence } from '../../shared/ui/States.tsx';
import { TicketNumber } from '../../shared/ui/TicketNumber.tsx';
import { common } from '../../shared/words.ts';
import { notes } from '../data/act.ts';
import { type Booking, findPrimary, findSince, formatPhone, hasSlip, toState } from '../data/bookings.ts';
import { isDesk, now, today } from '../data/clinic.ts';
import { heldBooking } from '../data/day.ts';
import { useRead } from '../data/read.ts';
import { OfSeries } from '../series/OfSeries.tsx';
import { SlipButton } from '../slip/SlipButton.tsx';
import { ActButton } from '../ui/ActButton.tsx';
import { conflictText, perform } from '../ui/Ask.tsx';
import { Further } from '../ui/Further.tsx';
import { otherSystemFacts } from '../ui/OtherSystem.tsx';
import { Held } from '../waitlist/Held.tsx';
import { words } from '../words.ts';
import { Answers } from './Answers.tsx';
import { Confirmed } from './Confirmed.tsx';
import style from './Detail.module.css';
import { Events } from './Events.tsx';
import { StaffNotes } from './StaffNotes.tsx';

const readDetail = async (id: string) => (await take(api.v1.bookings[':id'].$get({ param: { id } }))).data;

/** Where a series is booked with the doctor, session and time of this booking. */
const seriesLike = (booking: Booking): string => {
  const { doctor_id, session_id, schedule_time, schedule_date } = booking;
  const query = new URLSearchParams({ dokter: doctor_id, layanan: session_id, jam: schedule_time });
  if (schedule_date > today()) query.set('tanggal', schedule_date);
  return `/konsol/rangkaian/${booking.patient.id}?${query}`;
};

/** One booking beside the list: patient, time, notes, and history. */
export const Detail = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const text = words.value;
  const heading = useRef<HTMLHeadingElement>(null);
  const detail = useRead({
    queryKey: ['janji', id, 'rincian'],
    queryFn: () => readDetail(id),
    staleTime: 2_000,
  }).value;
  const held = heldBooking(id);
  const booking: Booking | undefined = held ?? detail.data;
  useLayoutEffect(() => {
    heading.current?.focus();
  }, [id]);
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ['janji', id, 'rincian'] });
  }, [held?.version]);
  const primary = booking === undefined ? null : findPrimary(booking, now.value);
  const since = booking === undefined ? null : findSince(booking);
  const note = notes.value.get(id);
  const cause = text.detail.causes[booking?.cancellation?.reason_code ?? ''];
  return (
    <aside class={style.panel} aria-label={text.detail.title}>
      <div class={style.top}>
        <h2 tabIndex={-1} ref={heading}>
          {booking?.patient.name ?? text.detail.title}
        </h2>
        <button type="button" class={style.close} aria-label={common.value.close} onClick={onClose}>
          <Icon of={X} />
        </button>
      </div>
      {booking === undefined ? (
        <Pending rows={4} height={40} error={detail.error} again={detail.refetch} />
      ) : (
        <>
          <div class={style.line}>
            {booking.queue_label !== '' && <TicketNumber label={booking.queue_label} size="middle" />}
            <StateBadge
              state={toState(booking)}
              word={
                booking.held_until !== null && booking.status === 'waiting'
                  ? text.held.until(timeOf(booking.held_until))
                  : text.short[toState(booking)]
              }
              more={since === null ? undefined : timeOf(since)}
            />
          </div>
          {note?.failure && (
            <Banner kind="warning" role="alert">
              {note.conflict ? conflictText(note.conflict) : <Sentence failure={note.failure} />}
            </Banner>
          )}
          {booking.held_until === null ? (
            <div class={style.line}>
              {primary !== null && (
                <ActButton
                  look="primary"
                  busy={note?.busy === primary}
                  onPress={() => perform(booking, primary)}
                >
                  {text.verbs[primary]}
                </ActButton>
              )}
              {hasSlip(booking) && <SlipButton id={booking.id} />}
              {booking.visit !== null && (
                <ButtonLink small href={`/konsol/kontrol/${booking.id}`}>
                  {text.followUp}
                </ButtonLink>
              )}
              <Further booking={booking} />
            </div>
          ) : (
            <Held booking={booking} until={booking.held_until} />
          )}
          <Confirmed booking={booking} />
          <dl class={style.facts}>
            <dt>{text.detail.when}</dt>
            <dd>
              {nearDate(booking.schedule_date, today())}, {clockTime(booking.schedule_time)}{' '}
              {zoneName(booking.starts_at)}
            </dd>
            <dt>{text.detail.doctor}</dt>
            <dd>
              {booking.doctor_name} · {booking.session_name}
              {detail.data?.room && ` · ${detail.data.room}`}
            </dd>
            <dt>{text.detail.phone}</dt>
            <dd>
              {booking.patient.phone_number === '' ? (
                '–'
              ) : (
                <a
                  href={`tel:+${phoneWord(booking.patient.phone_country_code, booking.patient.phone_number)}`}
                >
                  {formatPhone(booking.patient)}
                </a>
              )}
            </dd>
            <dt>{text.detail.code}</dt>
            <dd class="tnum">{booking.booking_code}</dd>
            {otherSystemFacts(booking).map(([name, value]) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </Fragment>
            ))}
            {detail.data?.ahead != null && (
              <>
                <dt>{text.nav.antrean}</dt>
                <dd>
                  {text.detail.ahead(detail.data.ahead)}
                  {detail.data.estimated_at &&
                    ` · ${text.detail.estimated(timeOf(detail.data.estimated_at))}`}
                </dd>
              </>
            )}
          </dl>
          {booking.series_id !== null && (
            <OfSeries key={booking.series_id} booking={booking} seriesId={booking.series_id} />
          )}
          {cause && <p>{cause}</p>}
          {booking.cancellation?.reason && <p>{text.detail.reason(booking.cancellation.reason)}</p>}
          <section>
            <h3 class={style.part}>{text.detail.notes}</h3>
            <p class={style.written}>{booking.notes === '' ? text.detail.noNotes : booking.notes}</p>
          </section>
          {booking.to_answer !== null && <Answers key={id} booking={booking} />}
          <StaffNotes key={id} booking={booking} version={booking.version} />
          <Events id={id} version={booking.version} />
          {isDesk() && (
            <div class={style.line}>
              <ButtonLink small href={`/konsol/pasien/${booking.patient.id}`}>
                {text.detail.person}
              </ButtonLink>
              <ButtonLink small href={seriesLike(booking)}>
                {text.series.make}
              </ButtonLink>
            </div>
          )}
        </>
      )}
    </aside>
  );
};
