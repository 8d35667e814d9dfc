import { asc, desc, getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { hasTerms } from '../../../core/search/queries.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { patients } from '../../../core/tables/patients.ts';
import { confirmation, countColumns, visit } from './queries.ts';

// Of the archive, whose bookings have tables of the same names; what is asked of patients is asked of the clinic's own database.

type Filter =
  | 'fromDate'
  | 'toDate'
  | 'doctorId'
  | 'sessionId'
  | 'patientIds'
  | 'soughtIds'
  | 'code'
  | 'since';
type Page = Filter | 'statuses' | 'visits' | 'confirmation' | 'cursorStart' | 'cursorId' | 'limit';

const inAny = (value: SQL, list: Placeholder): SQL =>
  sql`(${list} is null or ${value} in (select value from json_each(${list})))`;

const filtered = (named: (name: Filter) => Placeholder): SQL => sql`${bookings.scheduleDate}
  between ${named('fromDate')} and ${named('toDate')} and ${bookings.updatedAt} >= ${named('since')}
  and (${named('doctorId')} is null or ${bookings.doctorId} = ${named('doctorId')})
  and (${named('sessionId')} is null or ${bookings.sessionId} = ${named('sessionId')})
  and ${inAny(sql`${bookings.patientId}`, named('patientIds'))}
  and (${inAny(sql`${bookings.patientId}`, named('soughtIds'))} or ${bookings.bookingCode} = ${named('code')})`;

const pageIn = (direction: 'asc' | 'desc') =>
  statement((db, named: Named<Page>) => {
    const order = direction === 'asc' ? asc : desc;
    return db
      .select({ ...getTableColumns(bookings), settled: sql<number>`settled`.as('settled') })
      .from(bookings)
      .where(
        sql`${filtered(named)} and (${bookings.startsAt}, ${bookings.id})
          ${sql.raw(direction === 'asc' ? '>' : '<')} (${named('cursorStart')}, ${named('cursorId')})
          and ${inAny(sql`${bookings.status}`, named('statuses'))} and ${inAny(visit, named('visits'))}
          and (${named('confirmation')} is null or ${confirmation} = ${named('confirmation')})`,
      )
      .orderBy(order(bookings.startsAt), order(bookings.id))
      .limit(named('limit'));
  });

/** A page of the archived bookings of some dates, in either order. */
export const archivedLists = { asc: pageIn('asc'), desc: pageIn('desc') };

export const countArchivedList = statement((db, named: Named<Filter>) =>
  db
    .select(countColumns)
    .from(bookings)
    .where(sql`${filtered(named)} and settled = 1`),
);

/** Whose archived bookings are of some dates. */
export const findPatientsOfDates = statement((db, named: Named<'fromDate' | 'toDate'>) =>
  db
    .selectDistinct({ id: bookings.patientId })
    .from(bookings)
    .where(sql`${bookings.scheduleDate} between ${named('fromDate')} and ${named('toDate')}`),
);

/** Of these patients, those whose name or phone number has what is sought. */
export const findSought = statement((db, named: Named<'ids' | 'terms' | 'phone'>) =>
  db
    .select({ id: sql<string>`p.id`.as('id') })
    .from(sql`json_each(${named('ids')}) j cross join ${patients} p on p.id = j.value`)
    .where(
      sql`(${named('terms')} <> '[]' and ${hasTerms(sql`p.words`, sql`${named('terms')}`)})
        or (${named('phone')} <> '' and instr(p.phone_country_code || ltrim(p.phone_number, '0'), ${named('phone')}) > 0)`,
    ),
);
