import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** More than a window shows. */
const atOnce = 40;

/** How many of so many rows are drawn: a windowful at once, so that a press is answered, and all of them right after. */
export const useGradually = (total: number): number => {
  const drawn = useSignal(atOnce);
  useEffect(() => {
    if (total <= atOnce) drawn.value = atOnce;
    if (total <= drawn.peek()) return;
    const timer = setTimeout(() => (drawn.value = total));
    return () => clearTimeout(timer);
  }, [total]);
  return Math.min(total, drawn.value);
};
