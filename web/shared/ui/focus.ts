import { useRef } from 'preact/hooks';

/**
 * Gives the focus back to where it was when this was first drawn: later a field within has it, since the effects of
 * children come first. It stays where somebody else has taken it meanwhile, as the title of the next page does.
 */
export const useFocusBack = (): ((box: Element | null, close?: () => void) => void) => {
  const before = useRef(document.activeElement).current;
  return (box, close) => {
    const { activeElement, body } = document;
    const isOurs = activeElement === body || box?.contains(activeElement);
    close?.();
    if (isOurs && before instanceof HTMLElement && before.isConnected) before.focus();
  };
};
