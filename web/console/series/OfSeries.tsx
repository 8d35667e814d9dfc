import { useSignal } from '@preact/signals';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { afterAct } from '../data/act.ts';
import type { Booking, Detail } from '../data/bookings.ts';
import { now, today } from '../data/clinic.ts';
import { dayKey, lookAgain } from '../data/day.ts';
import { useRead } from '../data/read.ts';
import look from '../ui/page.module.css';
import { shortDate } from '../ui/when.ts';
import { words } from '../words.ts';

/** All bookings of a series: those of the patient, as far back as there are any of it. */
const readSeries = async (patientId: string, seriesId: string): Promise<Detail[]> => {
  const found: Detail[] = [];
  let cursor: string | null = null;
  do {
    const query: { limit: number; cursor?: string } =
      cursor === null ? { limit: 100 } : { limit: 100, cursor };
    const { data, meta } = await take(
      api.v1.patients[':id'].bookings.$get({ param: { id: patientId }, query }),
    );
    found.push(...data.filter((one) => one.series_id === seriesId));
    cursor = meta.next_cursor;
  } while (cursor !== null);
  return found.reverse();
};

const isToCome = (one: Detail): boolean =>
  one.status !== 'canceled' && one.visit === null && Date.parse(one.starts_at) > now.value;

/** Shows that a booking belongs to a series, and cancels the series' upcoming bookings. */
export const OfSeries = ({ booking, seriesId }: { booking: Booking; seriesId: string }) => {
  const text = words.value.series;
  const { name, id: patientId } = booking.patient;
  const all = useRead({
    queryKey: ['pasien-janji', patientId, seriesId],
    queryFn: () => readSeries(patientId, seriesId),
  }).value.data;
  const isAsking = useSignal(false);
  const said = useSignal('');
  const coming = all?.filter(isToCome) ?? [];
  const place = all?.findIndex(({ id }) => id === booking.id) ?? -1;
  const cancel = async (key: string): Promise<void> => {
    const { data } = await take(
      api.v1.bookings.series[':id'].cancel.$post({
        param: { id: seriesId },
        json: {},
        header: { 'Idempotency-Key': key },
      }),
    );
    said.value = text.canceled(data.filter(({ result }) => result === 'canceled').length);
    for (const { booking_id, schedule_date } of data) {
      afterAct(booking_id);
      void queries.invalidateQueries({ queryKey: dayKey(schedule_date) });
    }
    await lookAgain();
  };
  return (
    <section>
      <h3>{text.title}</h3>
      <p>
        {all === undefined || place < 0 ? text.partPlain : text.part(place + 1, all.length)}{' '}
        {all !== undefined && text.coming(coming.length)}
      </p>
      <p role="status">{said.value}</p>
      {coming.length > 0 && (
        <div class={look.line}>
          <Button small look="danger" onClick={() => (isAsking.value = true)}>
            {text.cancel(coming.length)}
          </Button>
        </div>
      )}
      {isAsking.value && (
        <Confirm
          title={text.ask(coming.length, name)}
          text={text.askText(coming.map((one) => shortDate(one.schedule_date, today())).join(', '))}
          verb={text.cancel(coming.length)}
          work={cancel}
          onClose={() => (isAsking.value = false)}
        />
      )}
    </section>
  );
};
