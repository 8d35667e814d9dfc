import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

type Part = typeof import('./Questions.tsx');
const loaded = signal<Part | null | undefined>(undefined);

/** The form of the questions, once a ticket asks some: undefined while it loads, null if it cannot be loaded. */
export const useQuestionsPart = (isWanted: boolean): Part | null | undefined => {
  useEffect(() => {
    if (!isWanted || loaded.peek()) return;
    import('./Questions.tsx').then(
      (part) => (loaded.value = part),
      () => (loaded.value = null),
    );
  }, [isWanted]);
  return loaded.value;
};
