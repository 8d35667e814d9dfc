import { pino } from 'pino';
import type { Logger } from '../../../core/log.ts';
import type { Config } from '../../../core/settings/config.ts';

/** Writes one JSON line per call to standard error; standard output is for people. */
export const pinoLogger = (level: Config['LOG_LEVEL']): Logger => {
  const log = pino({ level: level ?? 'info', base: null }, pino.destination(2));
  return {
    debug: (message, fields = {}) => log.debug(fields, message),
    info: (message, fields = {}) => log.info(fields, message),
    warn: (message, fields = {}) => log.warn(fields, message),
    error: (message, fields = {}) => log.error(fields, message),
  };
};
