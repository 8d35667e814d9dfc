import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The meaning of a text: the value, if it is valid, and the fault. */
interface Judged {
  value: string;
  wrong: string | null;
}
type Typed = { currentTarget: { value: string } };

export interface Given {
  /** As the service writes it, or nothing. */
  value: string;
  /** Called at each key with the text's present value, or nothing while it is invalid. */
  onInput?: ((typed: Typed) => void) | undefined;
  /** Called with the final value: the field was left, Enter was pressed, or it was picked. */
  onDone?: ((value: string) => void) | undefined;
  inputRef?: RefObject<HTMLInputElement | null>;
}

interface Kind {
  write: (value: string) => string;
  /** `isMeant`: no further key is awaited. */
  judge: (text: string, isMeant: boolean) => Judged;
}

const nothing: Judged = { value: '', wrong: null };

/** A field whose text is written as people write it, while its value is as the service writes it. */
export const useTyped = ({ value, onInput, onDone, inputRef }: Given, { write, judge }: Kind) => {
  /** The typed text, while it differs from the value. */
  const draft = useSignal<string | null>(null);
  const isLeft = useSignal(true);
  const own = useRef<HTMLInputElement>(null);
  const input = inputRef ?? own;
  const read = (text: string, isMeant: boolean): Judged =>
    text.trim() === '' ? nothing : judge(text, isMeant);
  const text = draft.value ?? write(value);
  const judged = read(text, isLeft.value);
  // If the value changes from outside, it replaces a text that was left.
  useLayoutEffect(() => {
    if (document.activeElement !== input.current) draft.value = null;
  }, [value]);
  // Like the browser's own fields, an invalid value prevents sending the form.
  useLayoutEffect(() => input.current?.setCustomValidity(judged.wrong ?? ''));
  const give = (next: string): void => {
    if (next === value) return;
    onInput?.({ currentTarget: { value: next } });
    onDone?.(next);
  };
  const leave = (): void => {
    isLeft.value = true;
    const typed = draft.peek();
    if (typed === null) return;
    const meant = read(typed, true);
    if (meant.wrong === null) draft.value = null;
    else if (meant.value !== '') draft.value = write(meant.value);
    if (meant.value !== '') give(meant.value);
  };
  return {
    input,
    ...judged,
    isWrongShown: isLeft.value && judged.wrong !== null,
    /** Takes a value that was not typed. */
    take: (picked: string): void => {
      draft.value = null;
      give(picked);
    },
    typing: {
      value: text,
      onInput: ({ currentTarget }: Typed): void => {
        isLeft.value = false;
        draft.value = currentTarget.value;
        onInput?.({ currentTarget: { value: read(currentTarget.value, false).value } });
      },
      onBlur: leave,
      onKeyDown: (event: KeyboardEvent): void => {
        if (event.key === 'Enter') leave();
      },
      onInvalid: leave,
    },
  };
};
