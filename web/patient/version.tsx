import { signal } from '@preact/signals';
import { RefreshCw } from 'lucide';
import { registerWorker } from '../shared/trusted-types.ts';
import { Button } from '../shared/ui/Button.tsx';
import { Banner } from '../shared/ui/States.tsx';
import { common } from '../shared/words.ts';
import style from './version.module.css';

const waiting = signal<ServiceWorker | null>(null);

const keepers: (() => boolean)[] = [];

/** Registers unsaved input outside of the screens: no new version takes over while there is any. */
export const keepsTyped = (isKept: () => boolean): void => void keepers.push(isKept);

/** The controls that a person has changed: a control itself does not show whether a person or the program has filled it. */
const changed = new WeakSet<EventTarget>();
const noteChange = ({ target }: Event): void => void (target !== null && changed.add(target));

/** Whether a reload would lose something: unsent input, or a message that is shown once. */
const isInUse = (): boolean =>
  // The code is in another app: a person who looks it up there has not left this page.
  document.querySelector('[autocomplete="one-time-code"], #kode-pemulihan') !== null ||
  keepers.some((isKept) => isKept()) ||
  [...document.querySelectorAll('input, textarea, select')].some((control) => changed.has(control));

const take = (): void => waiting.peek()?.postMessage({ type: 'SKIP_WAITING' });

/**
 * Registers the service worker, and notices a waiting new one. It takes over on request, or while the page is hidden.
 */
export const watchVersion = (): void => {
  if (!('serviceWorker' in navigator)) return;
  const hadOne = navigator.serviceWorker.controller !== null;
  let isReloading = false;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (!hadOne || isReloading) return;
    isReloading = true;
    location.reload();
  });
  for (const kind of ['input', 'change']) addEventListener(kind, noteChange, true);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' && !isInUse()) take();
  });
  addEventListener('load', () => {
    void registerWorker('pasien')
      .then((registration) => {
        if (registration === undefined) return;
        if (registration.waiting !== null && hadOne) waiting.value = registration.waiting;
        registration.addEventListener('updatefound', () => {
          const found = registration.installing;
          found?.addEventListener('statechange', () => {
            if (found.state === 'installed' && navigator.serviceWorker.controller !== null)
              waiting.value = found;
          });
        });
      })
      .catch(() => {});
  });
};

export const NewVersion = () => {
  if (waiting.value === null) return null;
  const words = common.value;
  return (
    <div class={style.version}>
      <Banner
        icon={RefreshCw}
        role="status"
        action={
          <Button small onClick={take}>
            {words.reload}
          </Button>
        }
      >
        {words.newVersion}
      </Banner>
    </div>
  );
};
