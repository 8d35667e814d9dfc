import { and, eq, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { deviceLogins, isRecorded, users } from '../../../core/tables/accounts.ts';
import { securityEventWhen } from '../audit/queries.ts';
import { rowCodeHolds } from '../code/queries.ts';
import { proofColumns, proofHolds } from '../factors/queries.ts';

/** Comes first in the batch of a confirmation; the password is still the one that was verified. */
export const recordByPassword = securityEventWhen(
  sql`exists (select 1 from users u where u.id = r.user_id and u.password_hash = r.password_hash)`,
  ['passwordHash'],
);
/** A passkey's challenge is void once this login was confirmed after it was given out. */
export const recordByFactor = securityEventWhen(
  sql`${proofHolds} and not exists (select 1 from device_logins l where l.id = r.device_login_id
    and l.proved_at >= r.issued_at)`,
  [...proofColumns, 'issuedAt'],
);

/** The code that was sent is right, and still takes the place of a password. */
export const recordByCode = securityEventWhen(
  sql`${rowCodeHolds} and exists (select 1 from users u where u.id = r.user_id and u.role = 'patient'
    and u.password_unset_at is not null and u.second_factor_at is null)`,
  ['addresses', 'hashes'],
);

/** The phone was proved again. */
export const renewPhone = statement((db, named: Named<'userId' | 'phone' | 'now' | 'writeId'>) =>
  db
    .update(users)
    .set({ phoneProvedAt: sql`${named('now')}` })
    .where(
      and(eq(users.id, named('userId')), eq(users.loginPhone, named('phone')), isRecorded(named('writeId'))),
    ),
);

/** The device login counts as new from now on. */
export const noteProof = statement((db, named: Named<'id' | 'now' | 'writeId'>) =>
  db
    .update(deviceLogins)
    .set({ provedAt: sql`${named('now')}` })
    .where(and(eq(deviceLogins.id, named('id')), isRecorded(named('writeId')))),
);
