import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { newKey, toFailure } from '../../shared/api/attempt.ts';
import { Refused, type Unreached } from '../../shared/api/take.ts';
import { online } from '../../shared/online.ts';
import { clockTime, nearDate } from '../../shared/time.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { useKept } from '../../shared/ui/esc.tsx';
import { Check, Field } from '../../shared/ui/Field.tsx';
import { Banner, FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { afterAct } from '../data/act.ts';
import { useAddress } from '../data/address.ts';
import { today } from '../data/clinic.ts';
import { lookAgain } from '../data/day.ts';
import { slotId, slotsMs, useSlots } from '../data/slots.ts';
import { Page } from '../shell/Page.tsx';
import { DateNav } from '../ui/DateNav.tsx';
import { EmptyBookings } from '../ui/EmptyBookings.tsx';
import { PassLimit } from '../ui/PassLimit.tsx';
import look from '../ui/page.module.css';
import { Age, Shown } from '../ui/Shown.tsx';
import { SlotGrid, toTimes } from '../ui/SlotGrid.tsx';
import parts from '../ui/twoParts.module.css';
import { desk } from '../words/desk.ts';
import { Candidates } from './Candidates.tsx';
import type { Chosen } from './chosen.ts';
import { createPatient } from './create.ts';
import { Done, type Made } from './Done.tsx';
import { emptyPatient, type Fresh, PatientPicker, patientLabels } from './Patient.tsx';
import { bookSeat, isDefinite, isStill, readLabel, type Sent, seatFor } from './seat.ts';

/** Registers a walk-in at the desk: the patient, the next free time, and one press. */
const WalkIn = () => {
  const { query, set } = useAddress();
  const date = query.tanggal ?? today();
  const isToday = date === today();
  const text = desk.value.walkIn;
  const slots = useSlots(date).value;
  const chosen = useSignal<Chosen | null>(null);
  const fresh = useSignal<Fresh>(emptyPatient);
  /** The time that was chosen by hand, of which day, and whether it was known to be full. */
  const picked = useSignal<{ date: string; id: string; isFull: boolean } | null>(null);
  const sent = useSignal<Sent | null>(null);
  const withFull = useSignal(false);
  const notes = useSignal('');
  const busy = useSignal(false);
  const failure = useSignal<Refused | Unreached | null>(null);
  const made = useSignal<Made | null>(null);
  const tap = useRef<string | null>(null);

  // While the day and the patient are those of the sent request, its time stays as sent.
  const lost = isStill(sent.value, date, chosen.value) ? sent.value : null;
  const all = (slots.data ?? []).map((one) =>
    lost !== null && slotId(one) === slotId(lost.slot) ? lost.slot : one,
  );
  const open = all.filter((one) => one.reason === undefined);
  const offered = all.filter((one) => one.reason === undefined || (withFull.value && one.reason === 'full'));
  const earliest = [...open].sort((a, b) => a.schedule_time.localeCompare(b.schedule_time))[0];
  const own = picked.value?.date === date ? picked.value : null;
  // A time chosen by hand is never replaced automatically.
  const free =
    own === null
      ? earliest
      : offered.find((one) => slotId(one) === own.id && (own.isFull || one.reason === undefined));
  const slot = lost?.slot ?? free ?? null;
  const hasPatient = chosen.value !== null || fresh.value.name.trim() !== '';
  const why = !online.value
    ? common.value.offlineAction
    : !hasPatient
      ? text.needPatient
      : slot === null
        ? text.needSlot
        : null;

  const submit = async (confirm = false, passesLimits = false): Promise<void> => {
    if (busy.peek() || why !== null || slot === null) return;
    tap.current ??= newKey();
    const key = tap.current;
    busy.value = true;
    failure.value = null;
    try {
      const patient = chosen.peek() ?? (await createPatient(fresh.peek(), confirm, key));
      // From here on the patient exists, even if the booking fails.
      chosen.value = patient;
      tap.current = null;
      const seat =
        lost ??
        seatFor(slot, patient.id, {
          date,
          isToday,
          notes: notes.peek(),
          passesLimits,
        });
      sent.value = seat;
      const id = await bookSeat(seat);
      sent.value = null;
      made.value = { id, label: null, name: patient.name, slot };
      void lookAgain();
      afterAct(id);
      made.value = { ...made.value, label: await readLabel(id) };
    } catch (error) {
      if (made.peek() !== null) return;
      if (isDefinite(error)) tap.current = sent.value = null;
      failure.value = toFailure(error);
    } finally {
      busy.value = false;
    }
  };

  const isTyped = made.value === null && [notes.value, ...Object.values(fresh.value)].some(Boolean);
  const { onInput, kept } = useKept({ isPage: true, isChanged: isTyped, isSent: busy.value });

  useLayoutEffect(() => {
    if (made.value !== null) document.getElementById('berikutnya')?.focus();
  }, [made.value === null]);

  const reset = (): void => {
    made.value = null;
    chosen.value = null;
    fresh.value = emptyPatient;
    picked.value = null;
    notes.value = '';
    failure.value = null;
  };

  if (made.value !== null) {
    return <Done made={made.value} date={date} isToday={isToday} onNext={reset} />;
  }

  const error = failure.value;
  const duplicates =
    error instanceof Refused ? (error.as('possible_duplicate') ?? error.as('patient_exists')) : null;
  const full = error instanceof Refused ? error.as('slot_full') : null;
  const elsewhere = error instanceof Refused ? error.as('patient_busy') : null;
  return (
    <Page
      title={text.title}
      ownFocus
      beside={
        <DateNav
          date={date}
          today={today()}
          onChange={(next) => set({ tanggal: next === today() ? null : next })}
        />
      }
    >
      <Age of={slots} everyMs={slotsMs} />
      <form
        class={parts.form}
        onInput={onInput}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void submit();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <section class={parts.part} aria-labelledby="datang-siapa">
          <h2 id="datang-siapa">{text.who}</h2>
          <PatientPicker
            chosen={chosen}
            fresh={fresh}
            fields={error instanceof Refused ? error.fields : {}}
            onReady={toTimes}
          />
          {duplicates !== null && (
            <Candidates
              candidates={duplicates.candidates}
              onChoose={(one) => {
                chosen.value = one;
                failure.value = null;
              }}
              onDifferent={duplicates.code === 'possible_duplicate' ? () => void submit(true) : undefined}
            />
          )}
          {kept}
        </section>
        <section class={parts.part} id="jam" aria-labelledby="datang-jam">
          <div class={`${look.line} ${look.spread}`}>
            <h2 id="datang-jam">{text.slot}</h2>
            <Check
              label={text.fullSlots}
              checked={withFull.value}
              onChange={(event) => (withFull.value = event.currentTarget.checked)}
            />
          </div>
          {slots.data !== undefined && own !== null && slot === null && (
            <Banner kind="warning" role="alert">
              <p>{text.taken}</p>
            </Banner>
          )}
          <Shown of={slots} rows={3} height={56}>
            {() =>
              offered.length === 0 ? (
                <EmptyBookings>{text.noSlots}</EmptyBookings>
              ) : (
                <SlotGrid
                  label={text.slots}
                  slots={all}
                  chosen={slot === null ? null : slotId(slot)}
                  onChoose={(one) => {
                    sent.value = null;
                    picked.value = { date, id: slotId(one), isFull: one.reason === 'full' };
                  }}
                  withFull={withFull.value}
                />
              )
            }
          </Shown>
        </section>
        <div class={parts.foot}>
          <Field
            label={text.notes}
            optional
            maxLength={1000}
            readOnly={lost !== null}
            value={notes.value}
            onInput={(event) => (notes.value = event.currentTarget.value)}
          />
          {error !== null && duplicates === null && (
            <FormFailure failure={error} labels={{ ...patientLabels(), notes: text.notes }} />
          )}
          <PassLimit failure={error} busy={busy.value} onPass={() => void submit(false, true)} />
          {full !== null && (
            <Banner kind="note">
              <p>{text.alternatives}</p>
              <div class={look.line}>
                {full.alternatives.map((one) => (
                  <Button
                    small
                    key={`${one.schedule_date}${slotId(one)}`}
                    onClick={() => {
                      if (one.schedule_date !== date) set({ tanggal: one.schedule_date });
                      picked.value = { date: one.schedule_date, id: slotId(one), isFull: false };
                      failure.value = null;
                    }}
                  >
                    {nearDate(one.schedule_date, today())} {clockTime(one.schedule_time)}, {one.doctor_name}
                  </Button>
                ))}
              </div>
            </Banner>
          )}
          {elsewhere?.booking_id && (
            <ButtonLink small href={`/konsol/?janji=${elsewhere.booking_id}`}>
              {text.openOther}
            </ButtonLink>
          )}
          <Button look="primary" type="submit" busy={busy.value} why={why}>
            {isToday ? text.submit : text.submitLater}
          </Button>
        </div>
      </form>
    </Page>
  );
};

export default WalkIn;
