import { signal } from '@preact/signals';

/** Why the session could not begin: the service was not reached. */
export const startFailure = signal<Error | null>(null);
