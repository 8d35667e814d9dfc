import { signal } from '@preact/signals';
import { type ComponentType, h } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { untilWords } from './words.ts';

// Vite never retries a stylesheet that failed to load, and the page would be shown without it.
const lost = new Set<HTMLLinkElement>();
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lost.add(target);
  },
  true,
);

const askAnew = (link: HTMLLinkElement): Promise<unknown> => {
  lost.delete(link);
  const anew = link.cloneNode() as HTMLLinkElement;
  const come = new Promise((resolve, reject) => {
    anew.onload = resolve;
    anew.onerror = reject;
  });
  link.replaceWith(anew);
  return come;
};

type Loaded<P> = ComponentType<P> | { default: ComponentType<P> };
type Load<P> = () => Promise<Loaded<P>>;

const firstPauseMs = 500;
const longestPauseMs = 16_000;

/** The placeholder for a part that failed to load, and how to retry. */
type Instead = ComponentType<{ again: () => void }>;

/**
 * Parts of a program that are loaded when opened; until then the router shows the previous page. A failed load is
 * discarded: the next visit, the returning connection, or a press loads it again.
 */
export const lazyOr =
  (Broken: Instead) =>
  <P extends object>(load: Load<P>): ComponentType<P> => {
    let part: ComponentType<P> | undefined;
    let coming: Promise<void> | undefined;
    let wasAskedOffline = false;

    const come = (): Promise<void> => {
      wasAskedOffline = !navigator.onLine;
      coming ??= Promise.all([...lost].map(askAnew))
        .then(load)
        .then(async (loaded) => {
          await untilWords();
          part = 'default' in loaded ? loaded.default : loaded;
        })
        .finally(() => {
          coming = undefined;
        });
      return coming;
    };

    const Failed = ({ show }: { show: () => void }) => {
      // Without a connection there is nothing to load again; with one, the part may be of a version that is gone.
      const reload = (): void => {
        if (navigator.onLine) location.reload();
      };
      useLayoutEffect(() => {
        let pauseMs = firstPauseMs;
        let timer: ReturnType<typeof setTimeout> | undefined;
        let isLeft = false;
        // A browser says that it is connected a moment before it is.
        const tryAlone = (): void =>
          void come().then(show, () => {
            if (isLeft || !navigator.onLine || pauseMs > longestPauseMs) return;
            timer = setTimeout(tryAlone, pauseMs);
            pauseMs *= 2;
          });
        const begin = (): void => {
          clearTimeout(timer);
          pauseMs = firstPauseMs;
          tryAlone();
        };
        addEventListener('online', begin);
        // The connection may have returned before this is rendered.
        if (wasAskedOffline && navigator.onLine) begin();
        return () => {
          isLeft = true;
          clearTimeout(timer);
          removeEventListener('online', begin);
        };
      }, []);
      return h(Broken, { again: () => void come().then(show, reload) });
    };

    return (props) => {
      const waiting = useRef<Promise<void> | undefined>(undefined);
      const [, update] = useState(0);
      const isBroken = useRef(false);
      if (part !== undefined) return h(part, props);
      const show = (): void => update((before) => before + 1);
      if (isBroken.current) return h(Failed, { show });
      const settle = (): void => {
        isBroken.current = part === undefined;
        show();
      };
      waiting.current ??= come().then(settle, settle);
      throw waiting.current;
    };
  };

/** Makes the hook of parts that are loaded once wanted: undefined while they load, null if they cannot be loaded. */
export const onceWanted = <P extends object>(load: () => Promise<P>) => {
  const loaded = signal<P | null | undefined>(undefined);
  return (isWanted: boolean): P | null | undefined => {
    useEffect(() => {
      if (!isWanted || loaded.peek()) return;
      load().then(
        (parts) => untilWords().then(() => (loaded.value = parts)),
        () => (loaded.value = null),
      );
    }, [isWanted]);
    return loaded.value;
  };
};
