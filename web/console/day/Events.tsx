import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { dateOf, timeOf } from '../../shared/time.ts';
import { Pending } from '../../shared/ui/States.tsx';
import { today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { words } from '../words.ts';
import style from './Detail.module.css';

const readEvents = async (id: string) =>
  (await take(api.v1.bookings[':id'].events.$get({ param: { id }, query: { limit: 100 } }))).data;

/** " · 22/11" of an instant that is not today at the clinic. */
const onAnotherDay = (at: string): string => {
  const date = dateOf(at);
  return date === today() ? '' : ` · ${date.slice(8)}/${date.slice(5, 7)}`;
};

/** The history of a booking, latest first. */
export const Events = ({ id, version }: { id: string; version: number }) => {
  const events = useRead({
    queryKey: ['janji', id, 'riwayat', version],
    queryFn: () => readEvents(id),
  }).value;
  const text = words.value.detail;
  return (
    <section>
      <h3 class={style.part}>{text.events}</h3>
      {events.data === undefined ? (
        <Pending rows={3} height={20} error={events.error} again={events.refetch} />
      ) : (
        <ol class={style.events}>
          {[...events.data].reverse().map((event) => (
            <li key={event.version + event.type}>
              <span class="tnum">{timeOf(event.at)}</span>{' '}
              {text.eventNames[event.type.replace('booking.', '')] ?? event.type}
              <span class={style.by}>
                {' '}
                · {event.by_name ?? text.by[event.by]}
                {onAnotherDay(event.at)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
};
