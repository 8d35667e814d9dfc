import { desc, eq, sql } from 'drizzle-orm';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { isRecordedNow } from '../../../core/tables/accounts.ts';
import { clinic } from '../../../core/tables/catalog.ts';
import { consents } from '../../../core/tables/consents.ts';
import { securityEventWhen } from '../audit/queries.ts';

/** The privacy notice in force. */
export const findNotice = statement((db, _named: Named<never>) =>
  db
    .select({ version: clinic.consentVersion, url: clinic.privacyNoticeUrl })
    .from(clinic)
    .where(eq(clinic.id, 1)),
);

export const findConsents = statement((db, named: Named<'userId' | 'limit'>) =>
  db
    .select({ kind: consents.kind, version: consents.version, recordedAt: consents.recordedAt })
    .from(consents)
    .where(eq(consents.userId, named('userId')))
    .orderBy(desc(consents.sequence))
    .limit(named('limit')),
);

export type ConsentRow = ReturnType<typeof findConsents>['_']['result'][number];

const lastSaid = sql`(select c.kind || ' ' || c.version from consents c where c.user_id = r.user_id
  order by c.sequence desc limit 1)`;

const isInForce = sql`exists (select 1 from clinic n where n.id = 1 and n.consent_version = r.version)`;

/** Recorded only if it changes something: a consent to the version in force, or the withdrawal of a consent. */
export const recordConsent = securityEventWhen(
  sql`(case r.kind when 'given' then ${isInForce} and ${lastSaid} is not 'given ' || r.version
    else ${lastSaid} = 'given ' || r.version end)`,
  ['kind', 'version'],
);

/** Adds to the log in the batch that has recorded the event of the same write. */
export const insertConsent = rowStatement(['writeId', 'userId', 'kind', 'version', 'now'], (db, row) =>
  insertFromRow(db, consents, row, sql`from r where ${isRecordedNow}`, {
    sequence: sql`null`,
    recordedAt: sql`r.now`,
  }).onConflictDoNothing({ target: consents.writeId }),
);
