import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

/** Of the worker's global scope. */
declare function skipWaiting(): Promise<void>;
declare const SHELL: { url: string; revision: string | null }[];

// The shell alone: what is asked of the service is personal or of this moment, and is never kept here.
precacheAndRoute(SHELL);
cleanupOutdatedCaches();
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/pasien/index.html'), { allowlist: [/^\/pasien\//] }),
);

addEventListener('message', (event) => {
  if ((event as MessageEvent<{ type?: string }>).data?.type === 'SKIP_WAITING') void skipWaiting();
});
