import { signal } from '@preact/signals';

/** Whether the browser believes that there is a network; a call may still fail. */
export const online = signal(navigator.onLine);
addEventListener('online', () => (online.value = true));
addEventListener('offline', () => (online.value = false));
