import { hourMs } from './clinic/durations.ts';
import type { Logger } from './log.ts';
import { readStart } from './read-start.ts';

/** One mail in plain text. */
export interface Mail {
  /** The same at every attempt, so that a provider can drop what it already has. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** The sender, where that is not the deployment's. */
  from?: string;
  /** Further headers, of which no value is a person's. */
  headers?: Readonly<Record<string, string>>;
}

/** How mail leaves; throws when it did not. */
export interface Mailer {
  /** Mail can be sent to people's own addresses; without it no request may depend on a mail. */
  readonly reachesPeople?: true;
  send(mail: Mail): Promise<void>;
  /** Closes its open connections. */
  close?(): void;
}

/** Sends nothing: every attempt fails, is logged by its name, and the mail waits until it expires. */
class MailNotConfigured extends Error {
  override readonly name = 'MailNotConfigured';
}

export const noMailer: Mailer = {
  send: async () => {
    throw new MailNotConfigured();
  },
};

/** The result of an attempt: an answer, no answer, or a requested pause (0: for a default time). */
export type Heard = 'answer' | 'silence' | number;

/** The result by the answer's status and its Retry-After. */
export const heardBy = (status: number, retryAfterMs = 0): Heard =>
  status === 429 || (status === 503 && retryAfterMs > 0) ? retryAfterMs : 'answer';

/** Retry-After in seconds, up to one hour, as the receivers of webhooks are heard; 0 for anything else. */
const askedMs = (header: string | null): number =>
  /^[1-9]\d{0,8}$/.test(header ?? '') ? Math.min(Number(header) * 1000, hourMs) : 0;

/** The mail did not leave. The message is a protocol's code, never a server's words: they quote addresses. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  /** Another attempt would end alike. */
  readonly final: boolean;
  readonly heard: Heard;

  constructor(code: string, final = false, heard: Heard = 'answer') {
    super(code);
    this.final = final;
    this.heard = heard;
  }
}

/** Writes mails with the secrets in them to the log: for a machine without mail and without a disk. */
export const logMailer = (log: Logger): Mailer => ({
  send: async ({ id, to, subject, text }) => log.warn('mail', { mail_id: id, to, subject, text }),
});

/** Before the lease of an attempt ends, so that no other attempt begins while this one may still succeed. */
export const mailTimeoutMs = 20_000;

/** A provider's HTTP API in the shape of Resend, which others share: one JSON POST with a bearer key. */
export const apiMailer = (url: string, key: string, from: string, timeoutMs = mailTimeoutMs): Mailer => ({
  reachesPeople: true,
  send: async ({ id, to, subject, text, headers, from: sender = from }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': id,
      },
      body: JSON.stringify({ from: sender, to: [to], subject, text, ...(headers && { headers }) }),
      // Not 'error', which workerd refuses: a redirect is no success in either case, and the key is never sent to its
      // target.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    // Read to its end, unless it is too long, so that the next mail uses the same connection.
    await readStart(response).catch(() => {});
    const { ok, status, headers: answer } = response;
    if (!ok)
      throw new MailRefused(`HTTP ${status}`, false, heardBy(status, askedMs(answer.get('Retry-After'))));
  },
});

/** The same mailer with a sender of its own; its connections stay the deployment's. */
export const mailerFrom = (mailer: Mailer, from: string): Mailer =>
  mailer === noMailer
    ? noMailer
    : {
        ...(mailer.reachesPeople && { reachesPeople: true }),
        send: (mail) => mailer.send({ ...mail, from }),
      };
