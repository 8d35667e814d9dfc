interface Lockable {
  wakeLock?: { request: (kind: 'screen') => Promise<unknown> };
}

/** Keeps the tablet from sleeping, if it allows that; again whenever the page becomes visible. */
export const stayAwake = (): void => {
  const ask = (): void => {
    const { wakeLock } = navigator as Lockable;
    if (document.visibilityState === 'visible') wakeLock?.request('screen').catch(() => {});
  };
  document.addEventListener('visibilitychange', ask);
  ask();
};
