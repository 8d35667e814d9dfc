import { cleanupOutdatedCaches, type PrecacheEntry, precacheAndRoute } from 'workbox-precaching';

/** Written by the build: the page, its script, its styles, its face, its recorded words. */
declare const SHELL: PrecacheEntry[];

interface Worker {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  addEventListener(name: 'message', heard: (event: { data: unknown }) => void): void;
  addEventListener(
    name: 'activate',
    heard: (event: { waitUntil: (work: Promise<void>) => void }) => void,
  ): void;
}
const worker = globalThis as typeof globalThis & Worker;

cleanupOutdatedCaches();
// The settings are in the address: whatever they are, it is the same page.
precacheAndRoute(SHELL, { ignoreURLParametersMatching: [/./] });

worker.addEventListener('message', ({ data }) => {
  if (data === 'take over') void worker.skipWaiting();
});
// A page that was loaded before its worker was active is served by it from now on, too.
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));
