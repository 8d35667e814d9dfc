import { clockTime } from '../../shared/time.ts';
import { common } from '../../shared/words.ts';
import { type DaySlot, slotId } from '../data/slots.ts';
import { desk } from '../words/desk.ts';
import { apart } from './apart.ts';
import style from './SlotGrid.module.css';

interface Props {
  label: string;
  slots: readonly DaySlot[];
  chosen: string | null;
  onChoose: (slot: DaySlot) => void;
  /** Whether full ones can be pressed, for a seat beyond the capacity. */
  withFull?: boolean;
}

/** Takes the focus to the times of the page: to the one that is chosen, or to the first. */
export const toTimes = (): void => {
  const times = '#jam input[type=radio]';
  const chosen = document.querySelector<HTMLElement>(`${times}:checked`);
  (chosen ?? document.querySelector<HTMLElement>(times))?.focus();
};

/** Doctors and their times: arrow keys move among all of them, as among radio buttons. */
export const SlotGrid = ({ label, slots, chosen, onChoose, withFull }: Props) => {
  const shown = slots.filter((slot) => slot.reason === undefined || (withFull && slot.reason === 'full'));
  const rows = new Map<string, DaySlot[]>();
  for (const slot of shown) {
    const key = `${slot.doctor_id} ${slot.session_id}`;
    rows.set(key, [...(rows.get(key) ?? []), slot]);
  }
  return (
    <fieldset class={style.grid}>
      <legend class="aloud">{label}</legend>
      {[...rows].map(([key, all]) => (
        <div key={key} class={style.row}>
          <div class={style.who}>
            <p class={style.doctor}>{all[0]?.doctor_name}</p>
            <p class={style.session}>{[all[0]?.session_name, all[0]?.room].filter(Boolean).join(apart)}</p>
          </div>
          <div class={style.times}>
            {all.map((slot) => {
              const id = slotId(slot);
              const seats =
                slot.reason === 'full' ? common.value.closed.full : desk.value.walkIn.seats(slot.remaining);
              return (
                <label key={id} class={style.slot}>
                  <input
                    type="radio"
                    name="jam"
                    class={style.radio}
                    checked={chosen === id}
                    aria-label={`${slot.doctor_name}, ${slot.session_name}, ${clockTime(slot.schedule_time)}, ${seats}`}
                    onChange={() => onChoose(slot)}
                  />
                  <b>{clockTime(slot.schedule_time)}</b>
                  <span class={style.seats}>{seats}</span>
                </label>
              );
            })}
          </div>
        </div>
      ))}
    </fieldset>
  );
};
