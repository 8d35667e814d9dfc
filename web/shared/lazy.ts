import { type ComponentType, h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

// A stylesheet that did not come is never asked for again by Vite, and its page would stand there without it.
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

/** What stands there for a part that could not be loaded, and how it is tried again. */
export type Instead = ComponentType<{ again: () => void }>;

/**
 * Parts of a program that are loaded when they are opened; until then the router shows the page before. One that did not
 * come is forgotten: it is asked for anew by the next visit, by the connection that comes back, and by a press.
 */
export const lazyOr =
  (Broken: Instead) =>
  <P extends object>(load: Load<P>): ComponentType<P> => {
    let part: ComponentType<P> | undefined;
    let coming: Promise<void> | undefined;

    const come = (): Promise<void> => {
      coming ??= Promise.all([...lost].map(askAnew))
        .then(load)
        .then((loaded) => {
          part = 'default' in loaded ? loaded.default : loaded;
        })
        .finally(() => {
          coming = undefined;
        });
      return coming;
    };

    const Failed = ({ show }: { show: () => void }) => {
      // Without a connection there is nothing to load anew; with one, the part may be of a version that is gone.
      const reload = (): void => {
        if (navigator.onLine) location.reload();
      };
      useEffect(() => {
        const tryAlone = () => void come().then(show, () => {});
        addEventListener('online', tryAlone);
        return () => removeEventListener('online', tryAlone);
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
