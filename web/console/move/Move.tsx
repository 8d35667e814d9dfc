import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { online } from '../../shared/online.ts';
import { clockTime, nearDate, timeOf } from '../../shared/time.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Check } from '../../shared/ui/Field.tsx';
import { Banner, FormFailure, Pending } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { afterAct, type Conflict, present } from '../data/act.ts';
import { useAddress } from '../data/address.ts';
import { listActions, type Schemas } from '../data/bookings.ts';
import { now, today } from '../data/clinic.ts';
import { putBooking } from '../data/day.ts';
import { useRead } from '../data/read.ts';
import { type DaySlot, slotId, slotsMs, useSlots } from '../data/slots.ts';
import { Page } from '../shell/Page.tsx';
import { DateNav } from '../ui/DateNav.tsx';
import { EmptyBookings } from '../ui/EmptyBookings.tsx';
import { PassLimit } from '../ui/PassLimit.tsx';
import look from '../ui/page.module.css';
import { Age } from '../ui/Shown.tsx';
import { SlotGrid } from '../ui/SlotGrid.tsx';
import { desk } from '../words/desk.ts';
import { words } from '../words.ts';

/** Another time for a booking: free times of all doctors, pressed. */
const Move = () => {
  const { params } = useRoute();
  const id = params.id ?? '';
  const { query, set } = useAddress();
  const { route } = useLocation();
  const text = desk.value.move;
  const held = useRead({
    queryKey: ['janji', id, 'rincian'],
    queryFn: async () => (await take(api.v1.bookings[':id'].$get({ param: { id } }))).data,
  }).value;
  const booking = held.data;
  const date =
    query.tanggal ?? (booking && booking.schedule_date > today() ? booking.schedule_date : today());
  const slots = useSlots(date).value;
  const picked = useSignal<DaySlot | null>(null);
  const isAny = useSignal(false);
  const conflict = useSignal<Conflict | null>(null);
  /** Its present slot, from the service's answer. */
  const moved = useSignal<Schemas['Booking'] | null>(null);
  const attempt = useAttempt(async (key: string, slot: DaySlot, version: number, passesLimits: boolean) => {
    conflict.value = null;
    try {
      const { data } = await take(
        api.v1.bookings[':id'].reschedule.$post({
          param: { id },
          json: {
            doctor_id: slot.doctor_id,
            session_id: slot.session_id,
            schedule_date: slot.schedule_date,
            schedule_time: slot.schedule_time,
            version,
            ...(passesLimits && { override_limits: true }),
          },
          header: { 'Idempotency-Key': key },
        }),
      );
      if (booking !== undefined) putBooking({ ...booking, ...data });
      afterAct(id);
      moved.value = data;
      picked.value = null;
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'version_mismatch') throw error;
      const found = await present(id);
      if (found === null) throw error;
      conflict.value = found.conflict;
      await queries.invalidateQueries({ queryKey: ['janji', id] });
    }
  });
  const isStillAhead = picked.value?.schedule_date === date && Date.parse(picked.value.ends_at) > now.value;
  const slot = isStillAhead ? picked.value : null;
  const isMovable = booking !== undefined && listActions(booking, now.value).has('reschedule');
  const shown = (slots.data ?? []).filter((one) => isAny.value || one.session_id === booking?.session_id);
  const formatWhen = (one: { schedule_date: string; schedule_time: string; doctor_name: string }): string =>
    `${nearDate(one.schedule_date, today())} ${clockTime(one.schedule_time)}, ${one.doctor_name}`;
  const full = attempt.failure.value instanceof Refused ? attempt.failure.value.as('slot_full') : null;
  return (
    <Page
      title={text.title}
      beside={<DateNav date={date} today={today()} onChange={(tanggal) => set({ tanggal })} />}
    >
      <Age of={{ ...slots, isError: slots.isError || held.isError }} everyMs={slotsMs} />
      <div class={look.body}>
        {booking === undefined ? (
          <Pending rows={4} height={56} error={held.error} again={held.refetch} />
        ) : (
          <>
            <section class={look.card} aria-label={text.now}>
              <p>
                <b>{booking.patient.name}</b> · {booking.queue_label} · {booking.session_name}
              </p>
              <p role="status">
                {moved.value === null
                  ? slot === null
                    ? `${text.now}: ${formatWhen(booking)}`
                    : text.from(formatWhen(booking), formatWhen(slot))
                  : text.done(formatWhen(moved.value))}
              </p>
              {conflict.value !== null && (
                <Banner kind="warning" role="alert">
                  {text.conflict(conflict.value.by ?? words.value.somebody, timeOf(conflict.value.at))}
                </Banner>
              )}
              <FormFailure failure={attempt.failure.value} />
              {slot !== null && (
                <PassLimit
                  failure={attempt.failure.value}
                  busy={attempt.busy.value}
                  onPass={() => void attempt.run(slot, booking.version, true)}
                />
              )}
              {full !== null && (
                <div class={look.line}>
                  {full.alternatives.map((one) => (
                    <Button
                      small
                      key={`${one.schedule_date}${slotId(one)}`}
                      onClick={() => {
                        picked.value = one;
                        attempt.clear();
                        if (one.schedule_date !== date) set({ tanggal: one.schedule_date });
                      }}
                    >
                      {formatWhen(one)}
                    </Button>
                  ))}
                </div>
              )}
              <div class={look.line}>
                {moved.value === null ? (
                  <Button
                    look="primary"
                    busy={attempt.busy.value}
                    why={
                      !online.value
                        ? common.value.offlineAction
                        : !isMovable
                          ? text.notAllowed
                          : slot === null
                            ? text.pick
                            : null
                    }
                    onClick={() => slot && void attempt.run(slot, booking.version, false)}
                  >
                    {text.submit}
                  </Button>
                ) : (
                  <ButtonLink
                    look="primary"
                    href={`/konsol/?tanggal=${moved.value.schedule_date}&janji=${id}`}
                  >
                    {text.toDay}
                  </ButtonLink>
                )}
                <Button onClick={() => (history.length > 1 ? history.back() : route('/konsol/'))}>
                  {common.value.back}
                </Button>
                <div class={look.apart}>
                  <Check
                    label={text.sessionOnly}
                    checked={!isAny.value}
                    onChange={(event) => (isAny.value = !event.currentTarget.checked)}
                  />
                </div>
              </div>
            </section>
            {slots.data === undefined ? (
              <Pending rows={3} height={56} error={slots.error} again={slots.refetch} />
            ) : shown.some((one) => one.reason === undefined) ? (
              <SlotGrid
                label={text.pick}
                slots={shown}
                chosen={slot === null ? null : slotId(slot)}
                onChoose={(one) => {
                  picked.value = one;
                  moved.value = null;
                }}
              />
            ) : (
              <EmptyBookings>{text.none}</EmptyBookings>
            )}
          </>
        )}
      </div>
    </Page>
  );
};

export default Move;
