interface Lockable {
  wakeLock?: { request: (kind: 'screen') => Promise<unknown> };
}

/** Keeps the device from sleeping, if it allows that; again whenever the page becomes visible. */
export const stayAwake = (): void => {
  const ask = (): void => {
    const { wakeLock } = navigator as Lockable;
    if (document.visibilityState === 'visible') wakeLock?.request('screen').catch(() => {});
  };
  document.addEventListener('visibilitychange', ask);
  ask();
};

/** Needs a user gesture; a browser in kiosk mode fills the screen already. */
export const fillScreen = (): void => {
  const root = document.documentElement as { requestFullscreen?: () => Promise<void> };
  if (document.fullscreenElement === null) root.requestFullscreen?.().catch(() => {});
};
