import { clockTime } from '../../shared/time.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { StateBadge } from '../../shared/ui/StateBadge.tsx';
import { listActions, toState } from '../data/bookings.ts';
import { now } from '../data/clinic.ts';
import look from '../ui/page.module.css';
import { calendarWords } from '../words/calendar.ts';
import style from './Calendar.module.css';
import type { Calendar } from './data.ts';
import { type CellOf, describeRest } from './Grid.tsx';
import type { Column } from './model.ts';

/** Times that are past and were booked by nobody: on a phone they would push today out of sight. */
const isOver = ({ bookings, held, slots }: CellOf): boolean =>
  bookings.length + held.length === 0 && slots.every(({ reason }) => reason === 'past');

/** The same where there is no room for a grid: a booking is moved on its page. */
export const List = ({
  model,
  formatHead,
}: {
  model: Calendar;
  formatHead: (column: Column) => { text: string };
}) => {
  const text = calendarWords.value;
  const listed = model.columns.map((column) => ({
    column,
    all: model.times.flatMap((time) => {
      const cell = model.cellAt(column, time);
      return cell === undefined ? [] : [{ time, cell, rest: describeRest(cell) }];
    }),
  }));
  const isPast = listed.every(({ all }) => all.every(({ cell }) => isOver(cell)));
  return (
    <div class={look.form}>
      {listed.map(({ column, all }) => {
        const cells = isPast ? all : all.filter(({ cell }) => !isOver(cell));
        if (cells.length === 0) return null;
        return (
          <section key={`${column.doctor} ${column.date}`} class={look.card}>
            <h2>{formatHead(column).text}</h2>
            <ul class={style.list}>
              {cells.map(({ time, cell, rest }) => (
                <li key={time} class={style.item}>
                  <b class="tnum">{clockTime(time)}</b>
                  <div class={style.what}>
                    {cell.bookings.map((booking) => (
                      <div key={booking.id} class={`${look.line} ${look.spread}`}>
                        <span>
                          <a href={`/konsol/?tanggal=${booking.schedule_date}&janji=${booking.id}`}>
                            {booking.patient.name}
                          </a>{' '}
                          <StateBadge state={toState(booking)} />
                        </span>
                        {listActions(booking, now.value).has('reschedule') && (
                          <ButtonLink
                            small
                            href={`/konsol/pindah/${booking.id}`}
                            aria-label={text.moveOf(booking.patient.name)}
                          >
                            {text.move}
                          </ButtonLink>
                        )}
                      </div>
                    ))}
                    {rest !== null && <span class={`${style.rest} ${style[rest.kind]}`}>{rest.text}</span>}
                  </div>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
};
