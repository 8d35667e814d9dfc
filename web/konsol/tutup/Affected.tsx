import { clockTime } from '../../shared/time.ts';
import { today } from '../data/clinic.ts';
import look from '../ui/page.module.css';
import { shortDate } from '../ui/when.ts';
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

/** Whose bookings lie under a closure, each with the way to move it. */
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
