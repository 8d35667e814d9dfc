import { runAll } from '../../core/db/db.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import type { Language } from '../../core/endpoint/messages.ts';
import { storeOnly } from '../../core/idempotency/queries.ts';
import { errorName } from '../../core/log.ts';
import { MailRefused } from '../../core/mailer.ts';
import { recordSecurityEvent, toAuthor } from '../auth/audit/queries.ts';
import type { AuthenticatedContext } from '../auth/context.ts';
import { dear, yth } from '../auth/mail/greeting.ts';
import { parseUser } from '../auth/owner.ts';

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
  error instanceof MailRefused ? error.message : errorName(error);

const sent = { status: 200 } as const;

/**
 * Sends a mail to the admin's own address at once; throws `mail_not_sent` with the reason if it fails. A success is
 * recorded, and stored for repeated requests; after a failure the same key may be tried again.
 */
export const sendTestMail = async (context: AuthenticatedContext): Promise<typeof sent> => {
  const { deps, language, toStoredResponse } = context;
  const { mailer, db, log } = deps;
  const { id: userId, name, email } = parseUser(context.login);
  if (mailer.reachesPeople !== true || email === null)
    throw new Failure('mail_not_sent', { extras: { reason: 'not_set' } });
  const id = deps.newId();
  try {
    await mailer.send({ id, to: email, ...letter[language](name) });
  } catch (error) {
    const reason = reasonIn(error);
    log.warn('test mail not sent', { mail_id: id, cause: reason });
    throw new Failure('mail_not_sent', { extras: { reason } });
  }
  const event = { writeId: id, type: 'test_mail_sent' as const, userId, ...toAuthor(context) };
  await runAll(db, [recordSecurityEvent(db, event), ...storeOnly(db, event, toStoredResponse(sent))]);
  return sent;
};
