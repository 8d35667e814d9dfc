import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import { apiMailer, type Mailer, noMailer } from '../mailer.ts';
import type { NodeSettings } from './settings.ts';

const timeoutMs = 20_000;

/** Sends through an SMTP server, such as `smtps://user:password@host`. */
export const smtpMailer = (url: string, from: string): Mailer => {
  const transport = createTransport(url, { from });
  return {
    send: async ({ id, to, subject, text }) => {
      const sending = transport.sendMail({ to, subject, text, messageId: `<${id}@janji>` });
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('The SMTP server did not answer in time.')), timeoutMs);
      });
      await Promise.race([sending, late]).finally(() => clearTimeout(timer));
    },
  };
};

/** Leaves each mail as a file that only its owner can read: for a machine without mail. */
export const fileMailer = (folder: string): Mailer => ({
  send: async ({ id, to, subject, text }) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, `${id}.txt`), `To: ${to}\nSubject: ${subject}\n\n${text}`, { mode: 0o600 });
  },
});

const mailFolder = 'data/mail';

/** SMTP where it is set, else the provider's API, else files; production without either sends nothing. */
export const nodeMailer = (config: Config, { SMTP_URL, NODE_ENV }: NodeSettings): Mailer => {
  if (SMTP_URL !== undefined) return smtpMailer(SMTP_URL, config.MAIL_FROM);
  if (config.MAIL_API_URL !== undefined)
    return apiMailer(config.MAIL_API_URL, config.MAIL_API_KEY ?? '', config.MAIL_FROM);
  return NODE_ENV === 'production' ? noMailer : fileMailer(mailFolder);
};
