import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/**
 * Where what had the focus is taken away, as a row is by its own button, the title of the page gets it: else the next
 * press of a key would begin at the top of the document.
 */
export const useLostFocus = (
  page: RefObject<HTMLElement | null>,
  title: RefObject<HTMLElement | null>,
): void => {
  useEffect(() => {
    const element = page.current;
    if (element === null) return;
    let last: HTMLElement | null = null;
    const note = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement) last = target;
    };
    // If the element that loses the focus stays in the page, the person moved the focus themselves.
    const left = ({ target }: FocusEvent): void =>
      queueMicrotask(() => {
        if (last === target && last?.isConnected && document.activeElement !== last) last = null;
      });
    const watch = new MutationObserver(() => {
      if (last === null || last.isConnected) return;
      last = null;
      if (document.activeElement === document.body) title.current?.focus();
    });
    element.addEventListener('focusin', note);
    element.addEventListener('focusout', left);
    watch.observe(element, { childList: true, subtree: true });
    return () => {
      watch.disconnect();
      element.removeEventListener('focusin', note);
      element.removeEventListener('focusout', left);
    };
  }, []);
};
