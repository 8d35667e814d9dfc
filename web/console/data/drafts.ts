import { type Signal, signal } from '@preact/signals';
import { onForget } from '../../shared/api/session.ts';

const drafts = new Map<string, Signal<unknown>>();
onForget((ended) => {
  if (!ended) drafts.clear();
});

/** What was typed and not saved: it outlives its form, and is there again with the next one for the same thing. */
export const findDraft = <T>(of: string): Signal<T | null> => {
  const found = drafts.get(of) ?? signal(null);
  drafts.set(of, found);
  return found as Signal<T | null>;
};
