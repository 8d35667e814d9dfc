import { consoleLogger, type Logger } from '../../core/log.ts';
import { type Mailer, noMailer } from '../../core/mailer.ts';
import type { Config } from '../../core/settings/config.ts';

/** Says at the start what an operator should not overlook. */
export const warnAtStart = (config: Config, mailer: Mailer, log: Logger): void => {
  // Whatever LOG_LEVEL says.
  if (config.RATE_LIMIT === 'off')
    consoleLogger('warn').warn('RATE_LIMIT is off: passwords can be guessed without limit.');
  if (mailer === noMailer) log.warn('MAIL_API_URL is not set: no mail is sent.');
  else if (config.MAIL_API_URL === undefined)
    log.warn('MAIL_TO_LOG is on: mails go to the log, with the secrets in them.');
  else if (config.PUBLIC_URL === undefined)
    log.warn('PUBLIC_URL is not set: no notice of a booking is mailed.');
};

/** A Worker starts many times a day, so it makes no set-up link at its start: each would invalidate the one before. */
export const warnOfNoAdmin = (log: Logger): void =>
  log.warn(
    'The clinic has no admin yet: `janji setup-link --d1 --remote` prints the link that makes the first one.',
  );
