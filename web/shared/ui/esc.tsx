import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { common } from '../words.ts';
import { Banner } from './States.tsx';

/** Fields of texts; a password, a code or a search is soon typed again. */
const texts =
  'textarea, input:not([type=password], [type=search], [type=checkbox], [type=radio], [autocomplete=one-time-code])';

const Kept = ({ isPage }: { isPage: boolean }) => {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={box}>
      <Banner role="status">{isPage ? common.value.unsavedPage : common.value.unsaved}</Banner>
    </div>
  );
};

/** What is open now. */
const open = new Set<(isReplaced: boolean) => boolean>();

/** Whether anything stays open for a text that was typed; it says so. */
export const staysOpen = (isReplaced = true): boolean =>
  [...open].filter((keep) => keep(isReplaced)).length > 0;

// The browser asks once: pressed again without anything in between, back goes back. One without this goes back at once.
globalThis.navigation?.addEventListener('navigate', (event) => {
  if (event.navigationType === 'traverse' && event.cancelable && !event.hashChange && staysOpen(false))
    event.preventDefault();
});

/** The link that is pressed, if it leads elsewhere in this tab. */
const findLink = ({ target, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) => {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return null;
  const isElsewhere =
    link?.origin === location.origin && link.target === '' && !link.hasAttribute('download');
  return isElsewhere && !link.getAttribute('href')?.startsWith('#') ? link : null;
};

// Before the router, which follows it by itself. A link in what is open is one of its buttons.
globalThis.addEventListener?.(
  'click',
  (event) => {
    const link = findLink(event);
    if (link === null || link.closest('aside, dialog') !== null || !staysOpen()) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);

/** Opens an entry beside its list; one in which a text was typed that is not being saved stays, and says so. */
export const openBeside = <T,>(beside: Signal<T>, entry: T): void => {
  if (!staysOpen()) beside.value = entry;
};

type Text = HTMLInputElement | HTMLTextAreaElement;

/**
 * Neither Esc nor the button or gesture for back closes anything in which a text was typed, and it says so; its buttons
 * close it all the same. `isChanged`: it has such a text from before it was drawn; `isSent`: it is being saved;
 * `isPage`: it has no such button, so that what is pressed again leaves it.
 */
export const useKept = ({ isChanged = false, isSent = false, isPage = false } = {}) => {
  const typed = useRef(new Set<Text>()).current;
  const isKept = useSignal(false);
  /** Whether it stays open. */
  const keep = (isReplaced = false): boolean =>
    (isKept.value =
      !(isReplaced && isSent) &&
      !(isPage && isKept.peek()) &&
      (isChanged || [...typed].some(({ isConnected, value }) => isConnected && value !== '')));
  useLayoutEffect(() => {
    open.add(keep);
    return () => {
      open.delete(keep);
    };
  });
  return {
    onInput: ({ target }: Event): void => {
      if (isPage) isKept.value = false;
      else if (target instanceof Element && target.matches(texts)) typed.add(target as Text);
    },
    keep,
    kept: isKept.value && (isChanged || !isPage) && <Kept isPage={isPage} />,
  };
};
