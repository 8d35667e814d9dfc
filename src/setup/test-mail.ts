import { recordSecurityEvent } from '../auth/audit/queries.ts';
import type { Author } from '../auth/audit/rules.ts';
import { dear, yth } from '../auth/mail/greeting.ts';
import { run } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import { Failure } from '../endpoint/errors.ts';
import type { Language } from '../endpoint/messages.ts';
import { MailRefused } from '../mailer.ts';

interface Recipient {
  name: string;
  email: string;
}

const letter: Readonly<Record<Language, (name: string) => { subject: string; text: string }>> = {
  id: (name) => ({
    subject: 'Surat percobaan dari sistem janji temu klinik',
    text: `${yth(name)}

Email dari sistem janji temu klinik Anda sampai di sini, seperti yang baru saja Anda minta. Tidak ada yang perlu dilakukan.
`,
  }),
  en: (name) => ({
    subject: "A trial letter from the clinic's booking service",
    text: `${dear(name)}

Mail from the booking service of your clinic arrives here, as you have just asked. There is nothing to do.
`,
  }),
};

/** Why a mail did not leave: a protocol's code or the name of a failure, never a server's words. */
const reasonIn = (error: unknown): string =>
  error instanceof MailRefused ? error.message : error instanceof Error ? error.name : 'unknown';

/** Sends a letter to the admin's own address at once; throws `mail_not_sent` with the reason where it did not leave. */
export const sendTestMail = async (
  deps: Deps,
  by: Author,
  { name, email }: Recipient,
  language: Language,
): Promise<void> => {
  const { mailer, db } = deps;
  if (mailer.reachesPeople !== true) throw new Failure('mail_not_sent', { extras: { reason: 'not_set' } });
  const id = deps.newId();
  // Before the letter: what left is in the trail, whatever becomes of this request.
  await run(db, recordSecurityEvent(db, { writeId: id, type: 'test_mail_sent', userId: by.actorId, ...by }));
  try {
    await mailer.send({ id, to: email, ...letter[language](name) });
  } catch (error) {
    const reason = reasonIn(error);
    deps.log.warn('test mail not sent', { mail_id: id, cause: reason });
    throw new Failure('mail_not_sent', { extras: { reason } });
  }
};
