import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../../core/log.ts';
import {
  apiMailer,
  type Heard,
  logMailer,
  type Mailer,
  MailRefused,
  mailTimeoutMs,
  noMailer,
} from '../../../core/mailer.ts';
import type { Config } from '../../../core/settings/config.ts';
import { isLoopback, type NodeSettings } from '../settings.ts';

// nodemailer's codes for a message that the server received and rejected.
const refusals = new Set(['EENVELOPE', 'EMESSAGE']);

/** 421: the server takes nothing for now. */
const heard = (reply: unknown): Heard => {
  if (typeof reply !== 'number') return 'silence';
  return reply === 421 ? 0 : 'answer';
};

const refusedBySmtp = (error: unknown): MailRefused => {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const known = typeof code === 'string' && /^[A-Z_]{2,30}$/.test(code) ? code : 'unknown';
  const reply = typeof responseCode === 'number' ? ` ${responseCode}` : '';
  return new MailRefused(
    `SMTP ${known}${reply}`,
    refusals.has(known) && typeof responseCode === 'number' && responseCode >= 500,
    heard(responseCode),
  );
};

/** Whether credentials may be sent unencrypted: only to this machine. */
const needsTls = (url: string): boolean => {
  const { username, hostname } = new URL(url);
  return username !== '' && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
};

/** As many as servers take from one client; a mail waits for one of them within its own time limit. */
const maxConnections = 10;
/** How long a connection waits for the next mail. */
const idleMs = 10_000;

/** Sends mail through an SMTP server (`smtps://user:password@host`) by connections that stay open for the next mail. */
export const smtpMailer = (url: string, from: string, timeoutMs = mailTimeoutMs): Mailer => {
  const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const pool = {
    pool: true,
    maxConnections,
    idleTimeout: idleMs,
  } as const;
  // Loaded for the first mail: a service that has sent none starts sooner without it.
  const connect = async () =>
    (await import('nodemailer')).createTransport(
      { url, ...pool, ...limits, ...(needsTls(url) && { requireTLS: true }) },
      { from },
    );
  let transport: ReturnType<typeof connect> | undefined;
  return {
    reachesPeople: true,
    close: () => void transport?.then((opened) => opened.close()),
    send: async ({ id, to, subject, text, from, headers = {} }) => {
      // The signal closes the connection, so that the server cannot accept a mail that will be sent again later.
      const signal = AbortSignal.timeout(timeoutMs);
      const mail = {
        to: { name: '', address: to },
        subject,
        text,
        headers,
        ...(from !== undefined && { from }),
        messageId: `<${id}@janji>`,
        signal,
      };
      transport ??= connect();
      await (await transport).sendMail(mail).catch((error: unknown) => {
        throw refusedBySmtp(error);
      });
    },
  };
};

/** Writes each mail to a file that only its owner can read: for a machine without mail. */
const fileMailer = (folder: string): Mailer => ({
  send: async ({ id, to, subject, text }) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, `${id}.txt`), `To: ${to}\nSubject: ${subject}\n\n${text}`, { mode: 0o600 });
  },
});

const mailFolder = 'data/mail';

/** SMTP if configured, else the provider's API. Without either: files or the log, and in production nothing. */
export const nodeMailer = (config: Config, { SMTP_URL, NODE_ENV }: NodeSettings, log: Logger): Mailer => {
  if (SMTP_URL !== undefined) return smtpMailer(SMTP_URL, config.MAIL_FROM);
  if (config.MAIL_API_URL !== undefined)
    return apiMailer(config.MAIL_API_URL, config.MAIL_API_KEY ?? '', config.MAIL_FROM);
  if (NODE_ENV === 'production') return noMailer;
  return config.MAIL_TO_LOG === 'on' ? logMailer(log) : fileMailer(mailFolder);
};
