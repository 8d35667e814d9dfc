import type { Deps } from '../../../core/deps.ts';
import { noMailer } from '../../../core/mailer.ts';
import { warnOfUnguarded } from '../../../modules/auth/factors/unguarded.ts';
import { warnOfUnbuilt } from '../pages/built-files.ts';
import type { AllSettings } from '../settings.ts';
import { pinoLogger } from './log.ts';

/** Says at the start what an operator should not overlook. */
export const warnAtStart = async (config: AllSettings, deps: Deps): Promise<void> => {
  const { mailer, log } = deps;
  if (config.WEBHOOK_ALLOW_PRIVATE === 'true')
    log.warn('WEBHOOK_ALLOW_PRIVATE is true: webhooks may reach addresses inside the network.');
  if (mailer === noMailer) log.warn('Neither SMTP_URL nor MAIL_API_URL is set: no mail is sent.');
  else if (mailer.reachesPeople && config.PUBLIC_URL === undefined)
    log.warn('PUBLIC_URL is not set: no notice of a booking is mailed.');
  // Whatever LOG_LEVEL says.
  if (config.RATE_LIMIT === 'off')
    pinoLogger('warn').warn('RATE_LIMIT is off: passwords can be guessed without limit.');
  warnOfUnbuilt(log);
  if (config.NODE_ENV === 'production') await warnOfUnguarded(deps);
};
