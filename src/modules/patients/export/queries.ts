import { asc, desc, eq, getTableColumns, or, type SQL, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { deviceLogins, users } from '../../../core/tables/accounts.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { patientSources } from '../../../core/tables/imports.ts';
import { mailOutbox, notices } from '../../../core/tables/mail.ts';
import { familyRelations, patients } from '../../../core/tables/patients.ts';
import { waitlistEntries } from '../../../core/tables/queues.ts';

// An account and the record of its person have one id. In a select from one table drizzle leaves its name out, also
// inside subqueries: hence the raw names there.

/** The own record, and those of the family. */
const selectMembers = (
  person: SQL,
): SQL => sql`select ${person} union all select f.patient_id from family_relations f
  where f.account_id = ${person} and f.ended_at is null`;

export const findAccount = statement((db, named: Named<'personId'>) =>
  db
    .select({
      ...getTableColumns(users),
      requestedEmail: sql<string | null>`(select c.email from email_changes c where c.user_id = users.id)`.as(
        'requested_email',
      ),
    })
    .from(users)
    .where(eq(users.id, named('personId'))),
);

/** The records of a person and the family, and those that were merged into one of them. */
export const findRecords = statement((db, named: Named<'personId' | 'limit'>) => {
  const person = sql`${named('personId')}`;
  return db
    .select({
      ...getTableColumns(patients),
      relation: sql<string | null>`(select f.relation from family_relations f where f.account_id = ${person}
        and f.patient_id = patients.id and f.ended_at is null)`.as('relation'),
    })
    .from(patients)
    .where(
      sql`patients.id in (${selectMembers(person)} union all select m.id from patients m where m.merged_into is not null
        and m.merged_into in (${selectMembers(person)}))`,
    )
    .orderBy(sql`patients.id <> ${person}`, asc(patients.createdAt), asc(patients.id))
    .limit(named('limit'));
});

const isoInstant = (column: string): SQL =>
  sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${sql.raw(column)} / 1000.0, 'unixepoch')`;

/** The newest bookings of these records, each with its events as JSON; no offers of the waitlist. */
export const findBookings = statement((db, named: Named<'personId' | 'limit'>) =>
  db
    .select({
      ...getTableColumns(bookings),
      events: sql<string>`(select json_group_array(json_object('type', e.type, 'by', e.actor_role,
        'at', ${isoInstant('e.occurred_at')}) order by e.version) from booking_events e where e.booking_id = bookings.id)`.as(
        'events',
      ),
    })
    .from(bookings)
    .where(
      sql`bookings.patient_id in (${selectMembers(sql`${named('personId')}`)}) and bookings.held_until is null`,
    )
    .orderBy(desc(bookings.startsAt), desc(bookings.id))
    .limit(named('limit')),
);

export const findLogins = statement((db, named: Named<'personId' | 'limit'>) =>
  db
    .select()
    .from(deviceLogins)
    .where(eq(deviceLogins.userId, named('personId')))
    .orderBy(desc(deviceLogins.createdAt))
    .limit(named('limit')),
);

export const findMails = statement((db, named: Named<'personId' | 'limit'>) =>
  db
    .select()
    .from(mailOutbox)
    .where(eq(mailOutbox.userId, named('personId')))
    .limit(named('limit')),
);

/** The waitlist entries of these records. */
export const findEntries = statement((db, named: Named<'personId' | 'limit'>) =>
  db
    .select()
    .from(waitlistEntries)
    .where(sql`waitlist_entries.patient_id in (${selectMembers(sql`${named('personId')}`)})`)
    .orderBy(desc(waitlistEntries.createdAt))
    .limit(named('limit')),
);

/** The notices of the bookings of these records, the newest first. */
export const findNotices = statement((db, named: Named<'personId' | 'limit'>) =>
  db
    .select(getTableColumns(notices))
    .from(bookings)
    .innerJoin(notices, eq(notices.bookingId, bookings.id))
    .where(sql`${bookings.patientId} in (${selectMembers(sql`${named('personId')}`)})`)
    .orderBy(desc(notices.createdAt))
    .limit(named('limit')),
);

/** The patients for whom the account acts or acted, and the accounts that act for the person. */
export const findRelations = statement((db, named: Named<'personId' | 'limit'>) =>
  db
    .select()
    .from(familyRelations)
    .where(
      or(eq(familyRelations.accountId, named('personId')), eq(familyRelations.patientId, named('personId'))),
    )
    .limit(named('limit')),
);

/** The ids of these records in other systems, and the records that were merged into them. */
export const findExternalIds = statement((db, named: Named<'personId' | 'limit'>) =>
  db
    .select()
    .from(patientSources)
    .where(sql`patient_sources.patient_id in (${selectMembers(sql`${named('personId')}`)})`)
    .orderBy(asc(patientSources.source), asc(patientSources.externalId))
    .limit(named('limit')),
);
