import { signal } from '@preact/signals';
import { RefreshCw } from 'lucide';
import { registerWorker } from '../shared/trusted-types.ts';
import { Button } from '../shared/ui/Button.tsx';
import { Banner } from '../shared/ui/States.tsx';
import { common } from '../shared/words.ts';
import style from './version.module.css';

const waiting = signal<ServiceWorker | null>(null);

/** What would go with the page: a word in a field that nobody has sent, and what is shown this once. */
const isInUse = (): boolean =>
  // The code comes from another app, and who looks it up there has not left.
  document.querySelector('[autocomplete="one-time-code"], #kode-pemulihan') !== null ||
  [...document.querySelectorAll<HTMLInputElement>('input, textarea')].some(
    ({ value, defaultValue }) => value !== defaultValue,
  );

const take = (): void => waiting.peek()?.postMessage({ type: 'SKIP_WAITING' });

/** Registers the service worker, and notes when a new one waits. It takes over when asked to, or while nobody looks. */
export const watchVersion = (): void => {
  if (!('serviceWorker' in navigator)) return;
  const hadOne = navigator.serviceWorker.controller !== null;
  let isReloading = false;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (!hadOne || isReloading) return;
    isReloading = true;
    location.reload();
  });
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
