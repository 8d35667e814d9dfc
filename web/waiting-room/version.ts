import { registerWorker } from '../shared/trusted-types.ts';

const lookEveryMs = 15 * 60_000;

/** Registers the service worker, which keeps the page for a start without network, and watches for a newer version. */
export const watchVersion = () => {
  let waiting: ServiceWorker | null = null;
  let registration: ServiceWorkerRegistration | undefined;

  const note = (): void => {
    // The first service worker replaces nothing.
    if (registration?.waiting && registration.active) waiting = registration.waiting;
  };
  const register = async (): Promise<void> => {
    registration = await registerWorker('layar');
    if (registration === undefined) return;
    note();
    registration.addEventListener('updatefound', () => {
      registration?.installing?.addEventListener('statechange', note);
    });
    setInterval(() => void registration?.update().catch(() => {}), lookEveryMs);
  };
  register().catch(() => {
    // Without https there is none: the page then needs the network to start.
  });

  return {
    isOutdated: (): boolean => waiting !== null,
    /** Loads the page again, with the newer version if one waits. */
    reload: (): void => {
      if (waiting === null) {
        location.reload();
        return;
      }
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      waiting.postMessage('take over');
      // Requested once; if it fails, the page is loaded again at night.
      waiting = null;
    },
  };
};
