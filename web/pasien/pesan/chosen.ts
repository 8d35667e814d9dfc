import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Where another time is chosen on the same screen, what was said of the one before is forgotten, and the focus goes to
 * what shows the new one: the link that had it is gone.
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
