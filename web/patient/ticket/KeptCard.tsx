import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { queries } from '../../shared/api/resource.ts';
import { deviceTime } from '../../shared/clock.ts';
import { clinicZone, clockTime, dateOf, dayAndMonth, longDate, timeOf, zoneName } from '../../shared/time.ts';
import { Freshness } from '../../shared/ui/States.tsx';
import { TicketNumber } from '../../shared/ui/TicketNumber.tsx';
import { words } from '../words.ts';
import { type KeptTicket, readTicket } from './kept.ts';
import style from './Ticket.module.css';

/** The ticket stored on this phone: undefined while it is read, null if there is none. */
export const useKept = (): KeptTicket | null | undefined => {
  const kept = useSignal<KeptTicket | null | undefined>(undefined);
  useEffect(() => {
    void readTicket().then((ticket) => {
      // Until the clinic's zone is loaded, the ticket's zone is used.
      if (ticket !== undefined && queries.getQueryData(['clinic']) === undefined)
        clinicZone.value = ticket.zone;
      kept.value = ticket ?? null;
    });
  }, []);
  return kept.value;
};

/** The ticket without a connection: its fixed data, and when it was read. */
export const KeptCard = ({ ticket }: { ticket: KeptTicket }) => {
  const w = words.value;
  return (
    <>
      <Freshness at={deviceTime(ticket.keptAt)} isStale />
      <section class={style.card} aria-label={w.ticket}>
        <div class={style.top}>
          <div class={style.line}>
            <strong>{w.nextBooking}</strong>
            <span class={style.code}>
              <span class="aloud">{w.code}: </span>
              {ticket.code}
            </span>
          </div>
          <p class={style.number}>
            <span class="aloud">{w.yourNumber}: </span>
            <TicketNumber label={ticket.label} />
          </p>
          <p class={style.estimate}>{w.comeOnTime}</p>
        </div>
        <dl class={style.facts}>
          <div>
            <dt>{w.doctor}</dt>
            <dd>{ticket.doctor}</dd>
          </div>
          <div>
            <dt>{w.room}</dt>
            <dd>{ticket.room === '' ? '–' : ticket.room}</dd>
          </div>
          <div>
            <dt>{longDate(ticket.date)}</dt>
            <dd>
              <span class="tnum">
                {clockTime(ticket.time)} {zoneName(ticket.startsAt, ticket.zone)}
              </span>{' '}
              <span>{ticket.session}</span>
            </dd>
          </div>
        </dl>
      </section>
      <p class={style.updated}>
        {w.updated(`${dayAndMonth(dateOf(ticket.keptAt))}, ${timeOf(ticket.keptAt)}`)} · {w.kept}
      </p>
    </>
  );
};
