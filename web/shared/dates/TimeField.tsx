import type { InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';
import { clockTime } from '../time.ts';
import field from '../ui/Field.module.css';
import { described, Frame, type Own } from '../ui/Field.tsx';
import { words } from '../words/tanggal.ts';
import style from './dates.module.css';
import { readTime } from './readTime.ts';
import { type Given, useTyped } from './useTyped.ts';

interface Props extends Own, Given {
  required?: boolean;
  readOnly?: boolean;
}

/** An hour of the day: 08.30 in Indonesian, 08:30 in English. Its value is HH:MM. */
export const TimeField = ({ label, hint, errors, optional, required, readOnly, ...given }: Props) => {
  const w = words.value;
  const id = useId();
  const typed = useTyped(given, {
    write: clockTime,
    judge: (text, isMeant) => {
      const value = readTime(text, isMeant);
      return value === null ? { value: '', wrong: w.unreadTime } : { value, wrong: null };
    },
  });
  const own = { label, hint, errors, optional, says: true, isWrong: typed.isWrongShown };
  return (
    <Frame id={id} {...own}>
      <input
        {...(described(id, own) as InputHTMLAttributes<HTMLInputElement>)}
        {...typed.typing}
        ref={typed.input}
        class={field.input}
        inputMode="numeric"
        autocomplete="off"
        placeholder={w.timeForm}
        required={required}
        readOnly={readOnly}
      />
      <div id={`${id}-kata`} class={`${field.error} ${style.unsaid}`} aria-live="polite">
        {typed.isWrongShown ? typed.wrong : ''}
      </div>
    </Frame>
  );
};
