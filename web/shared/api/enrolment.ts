import { signal } from '@preact/signals';

/** Whether the service answers this login nothing until a second factor is set up. */
export const mustEnrol = signal(false);
