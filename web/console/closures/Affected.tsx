import { clockTime } from '../../shared/time.ts';
import { Banner } from '../../shared/ui/States.tsx';
import { today } from '../data/clinic.ts';
import look from '../ui/page.module.css';
import { shortDate } from '../ui/when.ts';
import { setup } from '../words/settings.ts';
import { words } from '../words.ts';
import style from './Affected.module.css';

interface One {
  id: string;
  patient_name?: string;
  patient?: { name: string };
  doctor_name: string;
  schedule_date: string;
  schedule_time: string;
}

/** The bookings that a closure or a change affects, each with a link to move it. */
export const Affected = ({ bookings }: { bookings: readonly One[] }) => (
  <ul class={style.people}>
    {bookings.slice(0, 20).map((one) => {
      const name = one.patient?.name ?? one.patient_name ?? '';
      return (
        <li key={one.id} class={`${look.line} ${look.spread}`}>
          <span>
            <b>{name}</b>{' '}
            <span class={look.soft}>
              {shortDate(one.schedule_date, today())} {clockTime(one.schedule_time)} · {one.doctor_name}
            </span>
          </span>
          <a href={`/konsol/pindah/${one.id}`} aria-label={`${words.value.reschedule}: ${name}`}>
            {words.value.reschedule}
          </a>
        </li>
      );
    })}
    {bookings.length > 20 && <li class={look.soft}>+{bookings.length - 20}</li>}
  </ul>
);

/** Bookings that stay after a change of the catalogue, although their slots are no longer offered. */
export interface LeftStanding {
  affected_bookings: readonly One[];
  affected_total: number;
}

/** How many bookings stay after a change, and whose. */
export const AffectedBanner = ({ of }: { of: LeftStanding | null }) =>
  of === null || of.affected_total === 0 ? null : (
    <>
      <Banner role="status">{setup.value.affected(of.affected_total)}</Banner>
      <Affected bookings={of.affected_bookings} />
    </>
  );
