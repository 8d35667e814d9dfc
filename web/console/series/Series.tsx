import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso';
import { clockTime } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Check, Field } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { useAddress } from '../data/address.ts';
import { today } from '../data/clinic.ts';
import { usePatient } from '../data/patient.ts';
import { slotId, useSlots } from '../data/slots.ts';
import { Page } from '../shell/Page.tsx';
import { DateNav } from '../ui/DateNav.tsx';
import { EmptyBookings } from '../ui/EmptyBookings.tsx';
import look from '../ui/page.module.css';
import { Age, Shown, whyNot } from '../ui/Shown.tsx';
import { SlotGrid } from '../ui/SlotGrid.tsx';
import parts from '../ui/twoParts.module.css';
import { further } from '../words/follow-up.ts';
import { words } from '../words.ts';
import { Conflict, Done } from './Outcome.tsx';
import { Pattern } from './Pattern.tsx';
import { useSeries } from './useSeries.ts';

/** The slot that the address names: a booking leads here with its doctor, session and time. */
const named = ({ dokter, layanan, jam }: Record<string, string | undefined>): string | null =>
  dokter && layanan && jam ? slotId({ doctor_id: dokter, session_id: layanan, schedule_time: jam }) : null;

/** Books the same time on several dates for a patient: the first slot, the recurrence, one press. */
const Series = () => {
  const id = useRoute().params.id ?? '';
  const { query, set } = useAddress();
  const date = query.tanggal ?? today();
  const text = further.value.series;
  const patient = usePatient(id).value;
  const slots = useSlots(date).value;
  const picked = useSignal(named(query));
  const withFull = useSignal(false);
  const slot = slots.data?.find((one) => slotId(one) === picked.value) ?? null;
  const series = useSeries(id, date, slot);
  const isFullShown = withFull.value || slot?.reason === 'full';
  const made = series.made.value;
  return (
    <Page
      title={words.value.series.title}
      beside={
        made === null && (
          <DateNav
            date={date}
            today={today()}
            onChange={(next) => set({ tanggal: next === today() ? null : next })}
          />
        )
      }
    >
      <Age of={slots} />
      {made !== null ? (
        <Done
          made={made}
          patientId={id}
          onAgain={() => {
            series.made.value = null;
            picked.value = null;
          }}
        />
      ) : (
        <>
          {series.refused !== null && (
            <Conflict {...series.refused} busy={series.attempt.busy.value} onSend={series.send} />
          )}
          <form
            class={parts.form}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              if (whyNot() === null) series.send();
            }}
            onSubmit={(event) => {
              event.preventDefault();
              if (whyNot() === null) series.send();
            }}
          >
            <section class={parts.part} aria-labelledby="rangkaian-pola">
              <Shown of={patient} rows={1} height={24}>
                {({ name }) => <p class={look.strong}>{text.forWhom(name)}</p>}
              </Shown>
              <h2 id="rangkaian-pola">{text.pattern}</h2>
              <Pattern form={series.form} dates={series.dates} />
            </section>
            <section class={parts.part} id="jam" aria-labelledby="rangkaian-jam">
              <div class={`${look.line} ${look.spread}`}>
                <h2 id="rangkaian-jam">{text.slot}</h2>
                <Check
                  label={text.withFull}
                  checked={withFull.value}
                  onChange={(event) => (withFull.value = event.currentTarget.checked)}
                />
              </div>
              <Shown of={slots} rows={3} height={56}>
                {(all) =>
                  all.some(({ reason }) => reason === undefined || (isFullShown && reason === 'full')) ? (
                    <SlotGrid
                      label={text.slots}
                      slots={all}
                      chosen={slot === null ? null : slotId(slot)}
                      onChoose={(one) => (picked.value = slotId(one))}
                      withFull={isFullShown}
                    />
                  ) : (
                    <EmptyBookings>{text.noSlots}</EmptyBookings>
                  )
                }
              </Shown>
            </section>
            <div class={parts.foot}>
              {series.refused === null && (
                <FormFailure failure={series.failure} labels={series.form.labels} />
              )}
              {slot !== null && (
                <p class={look.strong}>
                  {text.chosen(slot.doctor_name, slot.session_name, clockTime(slot.schedule_time))}
                </p>
              )}
              <Field {...series.form.bind('notes')} optional maxLength={1000} />
              <Button
                look="primary"
                type="submit"
                busy={series.attempt.busy.value}
                why={series.why ?? whyNot()}
              >
                {text.submit(series.dates.length)}
              </Button>
            </div>
          </form>
        </>
      )}
    </Page>
  );
};

export default Series;
