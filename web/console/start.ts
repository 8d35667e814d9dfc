import { signal } from '@preact/signals';

/** Why the session could not begin: the service was not reached. */
export const startFailure = signal<Error | null>(null);

/** The token of the set-up link that opened the page, until it was used. */
export const setupToken = signal<string | null>(null);

/** Takes the token out of the address at once, so that neither the history nor a bookmark keeps it. */
export const takeSetupToken = (): void => {
  const { pathname, hash } = location;
  if (!pathname.startsWith('/mulai') || !/^#[\w-]{20,}$/.test(hash)) return;
  setupToken.value = hash.slice(1);
  history.replaceState(null, '', pathname);
};
