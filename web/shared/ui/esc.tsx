import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { common } from '../words.ts';
import { Banner } from './States.tsx';

/** Fields of texts; a password, a code or a search is soon typed again. */
const texts =
  'textarea, input:not([type=password], [type=search], [type=checkbox], [type=radio], [autocomplete=one-time-code])';

const Kept = () => {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={box}>
      <Banner role="status">{common.value.unsaved}</Banner>
    </div>
  );
};

/** Esc closes nothing in which a text was typed, and says so; the buttons close it all the same. */
export const useKeptOnEsc = () => {
  const typed = useRef(new Set<Element>()).current;
  const isKept = useSignal(false);
  return {
    onInput: ({ target }: Event): void => {
      if (target instanceof Element && target.matches(texts)) typed.add(target);
    },
    /** Whether it stays open. */
    keep: (): boolean => (isKept.value = [...typed].some(({ isConnected }) => isConnected)),
    kept: isKept.value && <Kept />,
  };
};
