import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

/** Of the worker's global scope. */
declare function skipWaiting(): Promise<void>;
declare const SHELL: { url: string; revision: string | null }[];

// Caches the shell only: answers of the service are personal or momentary, and are never cached here.
precacheAndRoute(SHELL);
cleanupOutdatedCaches();
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/pasien/index.html'), { allowlist: [/^\/pasien\//] }),
);

addEventListener('message', (event) => {
  if ((event as MessageEvent<{ type?: string }>).data?.type === 'SKIP_WAITING') void skipWaiting();
});
