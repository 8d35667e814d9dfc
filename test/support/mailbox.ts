import { inject } from 'vitest';
import { apiMailer } from '../../src/core/mailer.ts';

export const from = 'Klinik Sehat <klinik@klinik.example>';

/** A separate mailbox at the mail provider that runs beside the tests. */
export const openBox = () => {
  const box = `${inject('mailProvider')}/${crypto.randomUUID()}`;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came.
  const asked = async (): Promise<any[]> => (await fetch(box)).json();
  const mailer = (answer: string, timeoutMs?: number) =>
    apiMailer(`${box}/${answer}`, 'kunci-api', from, timeoutMs);
  return { asked, mailer };
};
