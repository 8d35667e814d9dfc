import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { clockTime, nearDateWithin } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { common } from '../../shared/words.ts';
import { afterAct } from '../data/act.ts';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import { lookAgain } from '../data/day.ts';
import { useRead } from '../data/read.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { Age, Shown } from '../ui/Shown.tsx';
import { further } from '../words/follow-up.ts';
import { words } from '../words.ts';
import { Booked } from './Booked.tsx';
import { WhenForm } from './WhenForm.tsx';

const read = async (id: string) => (await take(api.v1.bookings[':id'].$get({ param: { id } }))).data;

/** The next visit of the same patient: in how long, or between which dates; the service takes the first time that suits. */
const FollowUp = () => {
  const id = useRoute().params.id ?? '';
  const { route } = useLocation();
  const text = further.value.followUp;
  const visit = useRead({ queryKey: ['janji', id, 'rincian'], queryFn: () => read(id) }).value;
  const made = useSignal<Schemas['Booking'] | null>(null);
  const label = useSignal<string | null>(null);
  const book = (booking: Schemas['Booking']): void => {
    made.value = booking;
    label.value = null;
    void lookAgain();
    afterAct(booking.id);
    void read(booking.id).then(
      ({ queue_label }) => (label.value = queue_label),
      () => {},
    );
  };
  useLayoutEffect(() => {
    if (made.value !== null) document.getElementById('kembali')?.focus();
  }, [made.value === null]);
  const goBack = (): void => (history.length > 1 ? history.back() : route('/konsol/'));
  return (
    <Page title={words.value.followUp} ownFocus>
      <Age of={visit} />
      <div class={look.body}>
        <Shown of={visit} height={56}>
          {(booking) => {
            const when = `${nearDateWithin(booking.schedule_date, today())}, ${clockTime(booking.schedule_time)}`;
            return (
              <section class={look.card} aria-label={booking.patient.name}>
                <div>
                  <h2>{booking.patient.name}</h2>
                  <p class={look.soft}>
                    {text.about(`${when} · ${booking.doctor_name} · ${booking.session_name}`)}
                  </p>
                </div>
                {made.value !== null ? (
                  <Booked
                    booking={made.value}
                    label={label.value}
                    onBack={goBack}
                    onAgain={() => (made.value = null)}
                  />
                ) : booking.status === 'canceled' ? (
                  <>
                    <p>{text.canceled}</p>
                    <div class={look.line}>
                      <Button onClick={goBack}>{common.value.back}</Button>
                    </div>
                  </>
                ) : (
                  <WhenForm visit={booking} onBooked={book} onBack={goBack} />
                )}
              </section>
            );
          }}
        </Shown>
      </div>
    </Page>
  );
};

export default FollowUp;
