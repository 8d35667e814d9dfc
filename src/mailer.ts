/** One mail in plain text. */
export interface Mail {
  /** The same at every attempt, so that a provider can drop what it already has. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

/** How mail leaves; throws when it did not. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** Sends nothing: every attempt fails, is logged by its name, and the mail waits until it expires. */
export class MailNotConfigured extends Error {
  override readonly name = 'MailNotConfigured';
}

export const noMailer: Mailer = {
  send: async () => {
    throw new MailNotConfigured();
  },
};

export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

const timeoutMs = 20_000;

/** A provider's HTTP API in the shape of Resend, which others share: one JSON POST with a bearer key. */
export const apiMailer = (url: string, key: string, from: string): Mailer => ({
  send: async ({ id, to, subject, text }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': id,
      },
      body: JSON.stringify({ from, to: [to], subject, text }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    if (!response.ok) throw new MailRefused(`The provider answered ${response.status}.`);
  },
});
