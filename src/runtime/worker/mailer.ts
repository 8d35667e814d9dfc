import type { Logger } from '../../core/log.ts';
import { apiMailer, logMailer, type Mailer, noMailer } from '../../core/mailer.ts';
import type { Config } from '../../core/settings/config.ts';

/** The provider's API if it is set; otherwise the log if requested, else nothing. */
export const workerMailer = (config: Config, log: Logger): Mailer => {
  const { MAIL_API_URL, MAIL_API_KEY = '', MAIL_FROM } = config;
  if (MAIL_API_URL !== undefined) return apiMailer(MAIL_API_URL, MAIL_API_KEY, MAIL_FROM);
  return config.MAIL_TO_LOG === 'off' ? noMailer : logMailer(log);
};
