import { useSignal } from '@preact/signals';
import { Calendar as CalendarIcon } from 'lucide';
import type { InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';
import { serviceNow } from '../clock.ts';
import { dateOf, longDate } from '../time.ts';
import field from '../ui/Field.module.css';
import { described, Frame, type Own } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import { words } from '../words/tanggal.ts';
import { Calendar } from './Calendar.tsx';
import style from './dates.module.css';
import { firstDate, lastDate } from './month.ts';
import { readDate, writeDate, yearsAhead } from './readDate.ts';
import { type Given, useTyped } from './useTyped.ts';

interface Props extends Own, Given {
  /** The first and the last day that may be chosen. */
  min?: string;
  max?: string;
  required?: boolean;
  readOnly?: boolean;
  /** Where it is the person's own date of birth, which browsers may fill in. */
  autocomplete?: 'bday' | 'off';
  /** In a bar, where its label is visually hidden and the day is shown elsewhere. */
  inBar?: boolean;
}

/**
 * A date as people write it, 26/11/2026 in every language, with the day in words below it and a calendar to pick from. Its
 * value is YYYY-MM-DD. A year of two digits is the latest one that is neither after the last day nor more than twenty
 * years ahead.
 */
export const DateField = ({
  label,
  hint,
  errors,
  optional,
  inBar,
  required,
  readOnly,
  autocomplete = 'off',
  ...given
}: Props) => {
  const w = words.value;
  const id = useId();
  const isOpen = useSignal(false);
  const [min, max] = [given.min || firstDate, given.max || lastDate];
  const latestYear = Math.min(Number(dateOf(serviceNow()).slice(0, 4)) + yearsAhead, Number(max.slice(0, 4)));
  const typed = useTyped(given, {
    write: writeDate,
    judge: (text, isMeant) => {
      const read = readDate(text, isMeant ? latestYear : null);
      if ('wrong' in read) return { value: '', wrong: read.wrong === 'day' ? w.noSuchDay : w.unreadDate };
      const { date } = read;
      const wrong = date < min ? w.tooEarly(writeDate(min)) : date > max ? w.tooLate(writeDate(max)) : null;
      return { value: date, wrong };
    },
  });
  const own = { label, hint, errors, optional, says: true, isWrong: typed.isWrongShown };
  const box = (
    <span class={style.box}>
      <input
        {...(described(id, own) as InputHTMLAttributes<HTMLInputElement>)}
        {...typed.typing}
        ref={typed.input}
        class={field.input}
        aria-label={inBar ? label : undefined}
        inputMode="numeric"
        autocomplete={autocomplete}
        placeholder={w.dateForm}
        required={required}
        readOnly={readOnly}
      />
      <button
        type="button"
        class={style.open}
        aria-label={w.calendar}
        aria-describedby={inBar ? undefined : `${id}-nama`}
        disabled={readOnly}
        onClick={() => (isOpen.value = true)}
      >
        <Icon of={CalendarIcon} />
      </button>
    </span>
  );
  const wrong = typed.isWrongShown ? typed.wrong : null;
  const day = typed.wrong === null && typed.value !== '' && !inBar ? longDate(typed.value) : '';
  const says = (
    <div
      id={`${id}-kata`}
      class={`${wrong === null ? field.hint : field.error} ${inBar ? style.unsaid : style.said}`}
      aria-live="polite"
    >
      {wrong ?? day}
    </div>
  );
  const picker = isOpen.value && (
    <Calendar
      title={label}
      value={typed.value}
      min={min}
      max={max}
      onPick={(date) => {
        isOpen.value = false;
        typed.take(date);
      }}
      onClose={() => (isOpen.value = false)}
    />
  );
  if (inBar)
    return (
      <div class={style.bare}>
        {box}
        {says}
        {picker}
      </div>
    );
  return (
    <Frame id={id} {...own}>
      {box}
      {says}
      {picker}
    </Frame>
  );
};
