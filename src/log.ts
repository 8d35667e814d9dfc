import type { Logger } from './deps.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;

/** On Workers the platform keeps structured logs of whatever object goes to the console. */
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
