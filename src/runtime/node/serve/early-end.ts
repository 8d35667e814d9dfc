const end = (signal: NodeJS.Signals): void => process.exit(signal === 'SIGINT' ? 130 : 0);

/**
 * Until the service can stop in order, a signal ends it at once. Without a handler, Linux would not deliver it to the first
 * process of a container.
 */
export const endAtSignal = (): void => {
  dontEndAtSignal();
  process.on('SIGTERM', end).on('SIGINT', end);
};

export const dontEndAtSignal = (): void => void process.off('SIGTERM', end).off('SIGINT', end);
