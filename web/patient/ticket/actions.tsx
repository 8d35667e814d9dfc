import { useSignal } from '@preact/signals';
import { Printer } from 'lucide';
import { useEffect } from 'preact/hooks';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { serviceNow } from '../../shared/clock.ts';
import { clockTime, dateOf, nearDateWithin, timeOf, zoneName } from '../../shared/time.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Answers, Dialog } from '../../shared/ui/Dialog.tsx';
import { TextArea } from '../../shared/ui/Field.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { today } from '../clinic.ts';
import { said, toHeadingIfLost } from '../screen.tsx';
import { otherName } from '../whose.ts';
import { words } from '../words.ts';
import type { Booking, HistoryItem } from './asked.ts';
import { isComing, refreshBookings } from './booking.ts';
import style from './Ticket.module.css';

/** "Selasa, 1 Desember 2026, 10.30 WIB" */
export const formatWhen = (
  booking: Pick<HistoryItem, 'schedule_date' | 'schedule_time' | 'starts_at' | 'time_zone'>,
) =>
  `${nearDateWithin(booking.schedule_date, today())}, ${clockTime(booking.schedule_time)} ${zoneName(booking.starts_at, booking.time_zone)}`;

/** Opens the calendar file by its link, which the calendar of a phone can fetch without a token. */
const saveCalendar = async (id: string): Promise<void> => {
  const { data } = await take(api.v1.bookings[':id']['calendar-link'].$get({ param: { id } }));
  location.assign(data.path);
};

const CancelDialog = ({ booking, onClose }: { booking: HistoryItem; onClose: () => void }) => {
  const w = words.value;
  const name = otherName(booking);
  const reason = useSignal('');
  const cancel = useAttempt(async (key, version: number, given: string) => {
    const json = { version, ...(given && { reason: given }) };
    await take(
      api.v1.bookings[':id'].cancel.$post({
        param: { id: booking.id },
        json,
        header: { 'Idempotency-Key': key },
      }),
    );
  });
  const confirm = async () => {
    const isDone = await cancel.run(booking.version, reason.value.trim());
    const failure = cancel.failure.value;
    const isChanged =
      failure instanceof Refused && ['version_mismatch', 'invalid_transition'].includes(failure.code);
    if (isDone || isChanged) {
      said.value = isDone ? w.canceledNow(name) : w.somebodyChanged;
      onClose();
      await refreshBookings(booking.id);
      // The pressed button disappears after its action.
      if (isDone) toHeadingIfLost();
    }
  };
  // The answer was lost, and the ticket shows by now that it was done.
  useEffect(() => {
    if (booking.status !== 'canceled' || cancel.failure.peek() === null) return;
    said.value = w.canceledNow(name);
    onClose();
    void refreshBookings();
  }, [booking.status]);
  return (
    <Dialog title={w.cancelTitle} isChanged={reason.value !== ''} onClose={onClose}>
      <p>{w.cancelText(booking.doctor_name, formatWhen(booking), name)}</p>
      <FormFailure failure={cancel.failure.value} />
      <div class={style.reason}>
        <TextArea
          label={w.cancelReason}
          optional
          maxLength={500}
          value={reason.value}
          onInput={(event) => (reason.value = event.currentTarget.value)}
        />
      </div>
      <Answers>
        <Button look="primary" autoFocus onClick={onClose}>
          {w.keep}
        </Button>
        <SendButton look="danger" busy={cancel.busy.value} onClick={() => void confirm()}>
          {w.yesCancel}
        </SendButton>
      </Answers>
    </Dialog>
  );
};

/** The answer to a reminder that asks whether the patient comes. */
export const WillCome = ({ booking }: { booking: HistoryItem | Booking }) => {
  const w = words.value;
  const name = otherName(booking);
  const confirm = useAttempt(async (key) => {
    const header = { 'Idempotency-Key': key };
    await take(api.v1.bookings[':id'].confirm.$post({ param: { id: booking.id }, json: {}, header }));
    said.value = w.willComeNow(name);
    await refreshBookings(booking.id);
    toHeadingIfLost();
  });
  const isAsked = booking.asked_at !== null && isComing(booking) && booking.visit === null;
  if (!isAsked || Date.parse(booking.starts_at) < serviceNow()) return null;
  return booking.confirmed_at === null ? (
    <>
      <FormFailure failure={confirm.failure.value} />
      <SendButton look="primary" wide busy={confirm.busy.value} onClick={() => void confirm.run()}>
        {w.willCome(name)}
      </SendButton>
    </>
  ) : (
    <p class={style.small}>{w.willComeNow(name)}</p>
  );
};

/** The patient's actions on a booking, as the service allows them. */
export const TicketActions = ({ booking }: { booking: HistoryItem | Booking }) => {
  const w = words.value;
  const isCanceling = useSignal(false);
  const calendar = useAttempt(() => saveCalendar(booking.id));
  const may = (action: HistoryItem['allowed_actions'][number]): boolean =>
    booking.allowed_actions.includes(action);
  // Beside two other buttons one word fits.
  const isAlone = !may('reschedule') && !may('cancel');
  return (
    <>
      <div class={style.actions}>
        {may('reschedule') && (
          <ButtonLink href={`/pasien/tiket/${booking.id}/jadwal`}>{w.reschedule}</ButtonLink>
        )}
        {isComing(booking) && (
          <SendButton busy={calendar.busy.value} onClick={() => void calendar.run()}>
            {isAlone ? (
              w.calendarLong
            ) : (
              <>
                <span class="aloud">{w.calendarLong}</span>
                <span aria-hidden="true">{w.calendar}</span>
              </>
            )}
          </SendButton>
        )}
        {may('cancel') && (
          <SendButton look="danger" onClick={() => (isCanceling.value = true)}>
            {w.cancelBooking}
          </SendButton>
        )}
      </div>
      <FormFailure failure={calendar.failure.value} />
      {isCanceling.value && <CancelDialog booking={booking} onClose={() => (isCanceling.value = false)} />}
    </>
  );
};

/** Until when it can still be changed here, in words. */
export const Deadline = ({ booking }: { booking: HistoryItem | Booking }) => {
  const w = words.value;
  const { status, cancelable_until: until, allowed_actions, time_zone, visit } = booking;
  if (status === 'canceled') return null;
  const text =
    until !== null && allowed_actions.includes('cancel')
      ? w.cancelableUntil(`${nearDateWithin(dateOf(until, time_zone), today())}, ${timeOf(until, time_zone)}`)
      : visit === null
        ? w.notCancelable
        : w.comeOnTime;
  return <p class={style.small}>{text}</p>;
};

export const PrintButton = () => (
  <Button icon={Printer} look="quiet" onClick={() => print()}>
    {words.value.print}
  </Button>
);
