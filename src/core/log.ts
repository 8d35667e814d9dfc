/** One structured line a call. Fields carry ids, codes and counts: never what a person typed. */
export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

const levels = ['debug', 'info', 'warn', 'error'] as const;

/** On Workers the platform stores any object that is written to the console as a structured log. */
export const consoleLogger = (min: (typeof levels)[number] | 'silent'): Logger => {
  const from = min === 'silent' ? levels.length : levels.indexOf(min);
  const at =
    (level: (typeof levels)[number]) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      // biome-ignore lint/suspicious/noConsole: the console is the Workers' log.
      if (levels.indexOf(level) >= from) console[level]({ level, message, ...fields });
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
};

/** A logger whose lines all have these fields as well. */
export const loggerWith = (log: Logger, own: Record<string, unknown>): Logger => ({
  debug: (message, fields) => log.debug(message, { ...own, ...fields }),
  info: (message, fields) => log.info(message, { ...own, ...fields }),
  warn: (message, fields) => log.warn(message, { ...own, ...fields }),
  error: (message, fields) => log.error(message, { ...own, ...fields }),
});

/** What a line of the log says of an error: never its message, which may quote what was stored. */
export const errorName = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
