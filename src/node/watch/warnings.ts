import type { Config } from '../../config.ts';
import type { Logger } from '../../log.ts';
import { type Mailer, noMailer } from '../../mailer.ts';
import { pinoLogger } from './log.ts';

/** Says at the start what an operator should not overlook. */
export const warnAtStart = (config: Config, mailer: Mailer, log: Logger): void => {
  if (config.WEBHOOK_ALLOW_PRIVATE === 'true')
    log.warn('WEBHOOK_ALLOW_PRIVATE is true: webhooks may reach addresses inside the network.');
  if (mailer === noMailer) log.warn('Neither SMTP_URL nor MAIL_API_URL is set: no mail is sent.');
  else if (mailer.reachesPeople && config.PUBLIC_URL === undefined)
    log.warn('PUBLIC_URL is not set: no notice of a booking is mailed.');
  // Whatever LOG_LEVEL says.
  if (config.RATE_LIMIT === 'off')
    pinoLogger('warn').warn('RATE_LIMIT is off: passwords can be guessed without limit.');
};
