export type EndingSignal = 'SIGTERM' | 'SIGINT';

/** The exit code of a process that a person ends at the terminal. */
export const interruptedCode = 130;

let handle = (signal: EndingSignal): void => process.exit(signal === 'SIGINT' ? interruptedCode : 0);
let listens = false;

/**
 * Until the service can stop in order, a signal ends it at once. Without a listener, Linux would not deliver it to the first
 * process of a container.
 */
export const endAtSignal = (): void => {
  if (listens) return;
  listens = true;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => handle(signal));
};

/** Has signals handled in another way. Listeners are not exchanged for it: a signal that arrives meanwhile would be lost. */
export const handleSignals = (by: (signal: EndingSignal) => void): void => {
  endAtSignal();
  handle = by;
};
