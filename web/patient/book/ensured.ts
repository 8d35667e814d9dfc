import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Unreached } from '../../shared/api/take.ts';

/** After a lost answer the same request is sent again, with the same key, until an answer comes. */
export const useEnsured = (failure: Error | null, again: () => unknown): boolean => {
  const tries = useSignal(0);
  const isLost = failure instanceof Unreached;
  useEffect(() => {
    if (!isLost) {
      if (failure !== null) tries.value = 0;
      return;
    }
    const retry = () => {
      tries.value += 1;
      again();
    };
    const timer = setTimeout(retry, Math.min(2_000 * 2 ** tries.peek(), 30_000));
    addEventListener('online', retry, { once: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('online', retry);
    };
  }, [failure]);
  return isLost;
};
