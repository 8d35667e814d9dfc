import { and, asc, eq, sql } from 'drizzle-orm';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { rowIsRecorded } from '../../../core/tables/accounts.ts';
import { secondFactors } from '../../../core/tables/factors.ts';
import { securityEventWhen } from '../audit/queries.ts';
import { maxPasskeys } from '../passkeys/rules.ts';

export const findPasskeys = statement((db, named: Named<'userId'>) =>
  db
    .select({ credentialId: secondFactors.credentialId, transports: secondFactors.transports })
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, named('userId')), eq(secondFactors.kind, 'passkey')))
    .orderBy(asc(secondFactors.createdAt), asc(secondFactors.id)),
);

/**
 * The first statement of the batch that adds a passkey: it checks that no account has this passkey, that the account
 * may have one more, and that its challenge was not used. Recovery codes are made if and only if it is the first
 * factor.
 */
export const recordPasskeyAdded = securityEventWhen(
  sql`not exists (select 1 from second_factors f where f.credential_id = r.credential_id)
    and (select count(*) from second_factors f where f.user_id = r.user_id and f.kind = 'passkey') < ${sql.raw(String(maxPasskeys))}
    and not exists (select 1 from security_events e where e.user_id = r.user_id and e.type = 'second_factor_added'
      and e.occurred_at >= r.issued_at and json_extract(e.detail, '$.factor_id') = r.factor_id)
    and exists (select 1 from users u where u.id = r.user_id and (u.second_factor_at is null) = r.is_first)`,
  ['factorId', 'credentialId', 'issuedAt', 'isFirst'],
);

const passkey = [
  'id',
  'userId',
  'name',
  'credentialId',
  'publicKey',
  'transports',
  'counter',
  'now',
] as const;

export const insertPasskey = rowStatement([...passkey, 'writeId'], (db, row) =>
  insertFromRow(db, secondFactors, row, sql`from r where ${rowIsRecorded}`, {
    kind: sql`'passkey'`,
    secret: sql`''`,
    createdAt: sql`r.now`,
    confirmedAt: sql`r.now`,
  }),
);
