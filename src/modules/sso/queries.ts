import { sql } from 'drizzle-orm';
import { type Named, statement } from '../../core/db/statement.ts';
import { isRecorded, users } from '../../core/tables/accounts.ts';
import { securityEventWhen } from '../auth/audit/queries.ts';

/** The accounts of a person of the provider, or of their e-mail: one at most of each. */
export const findSsoAccounts = statement((db, named: Named<'subject' | 'email'>) =>
  db
    .select()
    .from(users)
    .where(sql`${users.ssoSubject} = ${named('subject')} or ${users.email} = ${named('email')}`),
);

/** Comes first in the batch: the account is still nobody's at the provider. */
export const recordSsoLink = securityEventWhen(
  sql`exists (select 1 from users u where u.id = r.user_id and u.sso_subject is null and u.deactivated_at is null)`,
);

/** Ties an account to a person of the provider, who has shown that its e-mail is theirs. */
export const linkSso = statement((db, named: Named<'id' | 'subject' | 'now' | 'writeId'>) =>
  db
    .update(users)
    .set({
      ssoSubject: sql`${named('subject')}`,
      emailProvedAt: sql`coalesce(${users.emailProvedAt}, ${named('now')})`,
      updatedAt: sql`${named('now')}`,
    })
    .where(sql`${users.id} = ${named('id')} and ${isRecorded(named('writeId'))}`),
);

/**
 * Comes first in the batch of a confirmation: the account is still this person's, and nothing is asked for in its place. What
 * was begun before this login was confirmed is void.
 */
export const recordBySso = securityEventWhen(
  sql`exists (select 1 from users u where u.id = r.user_id and u.sso_subject = r.subject and u.second_factor_at is null
    and u.role <> 'patient' and u.deactivated_at is null)
    and not exists (select 1 from device_logins l where l.id = r.device_login_id and l.proved_at >= r.begun_at)`,
  ['subject', 'begunAt'],
);
