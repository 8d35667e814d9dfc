import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/**
 * If the pressed button is no longer rendered, the focus stays in its box: on the next of these elements. Call it in
 * the component that renders the box.
 */
export const useKeptFocus = (box: RefObject<HTMLElement | null>, next: string): void => {
  // While a component renders, its previous elements are still in the page.
  const hadFocus = box.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body)
      box.current?.querySelector<HTMLElement>(next)?.focus();
  });
};
