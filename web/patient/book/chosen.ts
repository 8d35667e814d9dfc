import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * If another time is chosen on the same screen, the message about the previous one is cleared, and the focus moves to
 * the new choice, since the focused link is gone.
 */
export const useChosenTime = (
  { doctor, date, time }: Readonly<Record<'doctor' | 'date' | 'time', string>>,
  forget: () => void,
  shown: RefObject<HTMLElement | null>,
): void => {
  const chosen = `${doctor} ${date} ${time}`;
  const before = useRef(chosen);
  useLayoutEffect(() => {
    if (before.current === chosen) return;
    before.current = chosen;
    forget();
    shown.current?.focus();
  }, [chosen]);
};
