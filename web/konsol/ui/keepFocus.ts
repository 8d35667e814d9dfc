import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/**
 * Where the button that was pressed is drawn no more, the focus stays in its box: on the first of these, which comes next
 * there. Call it in the component that draws the box.
 */
export const useKeptFocus = (box: RefObject<HTMLElement | null>, next: string): void => {
  // While a component renders, its previous elements are still in the page.
  const hadFocus = box.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body)
      box.current?.querySelector<HTMLElement>(next)?.focus();
  });
};
