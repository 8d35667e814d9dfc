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
