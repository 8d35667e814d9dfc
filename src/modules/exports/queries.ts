import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../core/db/db.ts';
import { type Named, statement } from '../../core/db/statement.ts';
import { bookings } from '../../core/tables/bookings.ts';
import { closures, doctors, schedules, sessions } from '../../core/tables/catalog.ts';
import { patients } from '../../core/tables/patients.ts';

type Page = 'since' | 'afterId' | 'limit';

/** An index of when bookings were changed would cost each write of one a row: they are read by id, as small tables are. */
const beyond = (name: string, named: Named<Page>): SQL =>
  sql`${sql.raw(`${name}.id`)} > ${named('afterId')} and ${sql.raw(`${name}.updated_at`)} >= ${named('since')}`;

/** Each with its patient's name; no seat that is only held for an offer. */
export const findBookingsFrom = statement((db, named: Named<Page>) =>
  db
    .select({
      ...getTableColumns(bookings),
      patientName:
        sql<string>`(select ${sql.raw('p.name')} from ${patients} p where p.id = bookings.patient_id)`.as(
          'patient_name',
        ),
    })
    .from(bookings)
    .where(sql`${beyond('bookings', named)} and bookings.held_until is null`)
    .orderBy(bookings.id)
    .limit(named('limit')),
);

export const findDoctorsFrom = statement((db: Db, named: Named<Page>) =>
  db.select().from(doctors).where(beyond('doctors', named)).orderBy(doctors.id).limit(named('limit')),
);
export const findSessionsFrom = statement((db: Db, named: Named<Page>) =>
  db.select().from(sessions).where(beyond('sessions', named)).orderBy(sessions.id).limit(named('limit')),
);
export const findSchedulesFrom = statement((db: Db, named: Named<Page>) =>
  db.select().from(schedules).where(beyond('schedules', named)).orderBy(schedules.id).limit(named('limit')),
);
export const findClosuresFrom = statement((db: Db, named: Named<Page>) =>
  db.select().from(closures).where(beyond('closures', named)).orderBy(closures.id).limit(named('limit')),
);
