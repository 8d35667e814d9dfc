import { ChevronLeft, ChevronRight } from 'lucide';
import { useRef } from 'preact/hooks';
import { DateField } from '../../shared/dates/DateField.tsx';
import { addDays } from '../../shared/time.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { words } from '../words.ts';
import style from './DateNav.module.css';

interface Props {
  date: string;
  today: string;
  onChange: (date: string) => void;
}

/** The day before, the day after, any day, and the way back to today. */
export const DateNav = ({ date, today, onChange }: Props) => {
  const text = words.value;
  const field = useRef<HTMLInputElement>(null);
  return (
    <div class={style.nav}>
      <button
        type="button"
        class={style.arrow}
        aria-label={text.dayBefore}
        onClick={() => onChange(addDays(date, -1))}
      >
        <Icon of={ChevronLeft} />
      </button>
      <button
        type="button"
        class={style.arrow}
        aria-label={text.dayAfter}
        onClick={() => onChange(addDays(date, 1))}
      >
        <Icon of={ChevronRight} />
      </button>
      <div class={style.date}>
        <DateField inBar label={text.date} inputRef={field} value={date} onDone={onChange} />
      </div>
      {date !== today && (
        <button
          type="button"
          class={style.today}
          onClick={() => {
            // The button disappears on today's date, and the focus would be lost with it.
            field.current?.focus();
            onChange(today);
          }}
        >
          {text.goToday}
        </button>
      )}
    </div>
  );
};
