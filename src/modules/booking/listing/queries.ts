import { and, asc, desc, eq, isNull, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { inOneRow } from '../../../core/db/row-columns.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import { hasTerms } from '../../../core/search/queries.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { patients } from '../../../core/tables/patients.ts';
import { bookingText, visitStatus } from './text-queries.ts';

type Filter =
  | 'callerId'
  | 'doctorId'
  | 'sessionId'
  | 'patientId'
  | 'terms'
  | 'phone'
  | 'code'
  | 'since'
  | 'fromDate'
  | 'toDate'
  | 'fromStart'
  | 'beforeStart';
type Page = Filter | 'statuses' | 'visits' | 'confirmation' | 'cursorStart' | 'cursorId' | 'limit';

/** The values that a statement of a list names; those of a page have them all. */
type Filtering = (name: Filter) => SQL | Placeholder;

/** The doctor to whose bookings the caller is limited; null if the caller manages those of all doctors. */
export const doctorOfCaller = (callerId: SQL): SQL =>
  sql`(select case when u.role = 'doctor' then coalesce(u.doctor_id, '') end from users u where u.id = ${callerId})`;

const patientIn = (named: Filtering): SQL =>
  sql`(select coalesce(m.merged_into, m.id) from patients m where m.id = ${named('patientId')})`;

const wordsOfPatient = sql`(select o.words from patients o where o.id = bookings.patient_id)`;

/** The search terms: beginnings of words of the name, a part of the phone number, or the whole booking code. */
const matches = (named: Filtering): SQL => sql`(${named('terms')} is null
  or (${named('terms')} <> '[]' and ${hasTerms(wordsOfPatient, sql`${named('terms')}`)})
  or ${bookings.bookingCode} = ${named('code')} or (${named('phone')} <> '' and exists (select 1 from patients p
    where p.id = bookings.patient_id
    and instr(p.phone_country_code || ltrim(p.phone_number, '0'), ${named('phone')}) > 0)))`;

/** The bookings that the caller may see, with all filters except the states. */
const filtered = (named: Filtering): SQL[] => {
  const own = doctorOfCaller(sql`${named('callerId')}`);
  return [
    isNull(bookings.heldUntil),
    sql`(${own} is null or ${bookings.doctorId} = ${own})`,
    // The plus keeps the index of the last changes out: a list is read in its own order.
    sql`+${bookings.updatedAt} >= ${named('since')}`,
    sql`(${named('doctorId')} is null or ${bookings.doctorId} = ${named('doctorId')})`,
    sql`(${named('sessionId')} is null or ${bookings.sessionId} = ${named('sessionId')})`,
    sql`(${named('patientId')} is null or ${bookings.patientId} = ${patientIn(named)})`,
    matches(named),
  ];
};

const inDates = (named: Filtering): SQL =>
  sql`${bookings.scheduleDate} between ${named('fromDate')} and ${named('toDate')}`;

/**
 * Each way of narrowing a list has an index in the list's order: its rows come sorted, and no others are read. Where
 * neither doctor nor patient is named, the way is the caller's: the other of these two finds nothing, and reads nothing.
 */
const scopes = {
  clinic: {
    of: (named: Filtering): SQL =>
      sql`${doctorOfCaller(sql`${named('callerId')}`)} is null and ${inDates(named)}`,
    order: [bookings.scheduleDate, bookings.startsAt, bookings.id],
  },
  doctor: {
    of: (named: Filtering): SQL => sql`${bookings.doctorId} =
      coalesce(${doctorOfCaller(sql`${named('callerId')}`)}, ${named('doctorId')}) and ${inDates(named)}`,
    order: [bookings.scheduleDate, bookings.startsAt, bookings.id],
  },
  patient: {
    of: (named: Filtering): SQL => sql`${bookings.patientId} = ${patientIn(named)}
      and ${bookings.startsAt} >= ${named('fromStart')} and ${bookings.startsAt} < ${named('beforeStart')}`,
    order: [bookings.startsAt, bookings.id],
  },
} as const;
export type Scope = keyof typeof scopes;

const stands = sql`${bookings.status} <> 'canceled'`;

/** The progress of the visit of a live booking; null for a canceled one. */
export const visit = sql`case when ${stands} then coalesce(${visitStatus}, 'expected') end`;

/** Whether a patient whom a reminder asked has said that they come; null of one who was not asked, or is not expected any more. */
export const confirmation = sql`case when ${bookings.confirmedAt} is not null then 'confirmed'
  when ${bookings.askedAt} is not null and ${visit} = 'expected' then 'unanswered' end`;

const selectPage = (db: Db, named: Named<Page>, scope: Scope, direction: 'asc' | 'desc') => {
  const position = sql`(${named('cursorStart')}, ${named('cursorId')})`;
  const beyond = sql.raw(direction === 'asc' ? '>' : '<');
  const page = db
    .select({ text: bookingText.as('text') })
    .from(bookings)
    .innerJoin(patients, eq(patients.id, bookings.patientId))
    .where(
      and(
        scopes[scope].of(named),
        sql`(${bookings.startsAt}, ${bookings.id}) ${beyond} ${position}`,
        sql`(${named('statuses')} is null or ${bookings.status} in (select value from json_each(${named('statuses')})))`,
        // One condition, since with one more the planner expects so few rows that it would sort them.
        sql`case when ${named('visits')} is null or ${visit} in (select value from json_each(${named('visits')}))
          then ${named('confirmation')} is null or ${confirmation} = ${named('confirmation')} else false end`,
        ...filtered(named),
      ),
    )
    .orderBy(...scopes[scope].order.map(direction === 'asc' ? asc : desc))
    .limit(named('limit'));
  return inOneRow(db, page);
};

const countWhere = (condition: SQL, name: string) =>
  sql<number>`count(case when ${condition} then 1 end)`.as(name);
const countVisit = (word: string) =>
  sql<number>`count(case when ${visit} = ${sql.raw(`'${word}'`)} then 1 end)`.as(word);

/** How many bookings are in each state. */
export const countColumns = {
  waiting: countWhere(sql`${bookings.status} = 'waiting'`, 'waiting'),
  approved: countWhere(sql`${bookings.status} = 'approved'`, 'approved'),
  canceled: countWhere(sql`not (${stands})`, 'canceled'),
  expected: countVisit('expected'),
  checked_in: countVisit('checked_in'),
  called: countVisit('called'),
  completed: countVisit('completed'),
  no_show: countVisit('no_show'),
  unanswered: countWhere(sql`${confirmation} = 'unanswered'`, 'unanswered'),
};

const selectCounts = (db: Db, named: Named<Filter>, scope: Scope) =>
  db
    .select(countColumns)
    .from(bookings)
    .where(and(scopes[scope].of(named), ...filtered(named)));

const ofScope = (scope: Scope) => ({
  asc: statement((db, named: Named<Page>) => selectPage(db, named, scope, 'asc')),
  desc: statement((db, named: Named<Page>) => selectPage(db, named, scope, 'desc')),
  counts: statement((db, named: Named<Filter>) => selectCounts(db, named, scope)),
});

/** One page of the clinic's bookings, in either order, and the counts of all pages, by what narrows them most. */
export const lists = { clinic: ofScope('clinic'), doctor: ofScope('doctor'), patient: ofScope('patient') };

/** The booking with a code, or with an id in another system, on any date. */
export const findByCode = statement((db, named: Named<'code' | 'externalId' | 'callerId'>) => {
  const own = doctorOfCaller(sql`${named('callerId')}`);
  return db
    .select({
      text: bookingText.as('text'),
      doctorId: bookings.doctorId,
      sessionId: bookings.sessionId,
      patientId: bookings.patientId,
      status: bookings.status,
      updatedAt: bookings.updatedAt,
      scheduleDate: bookings.scheduleDate,
      visit: sql<string | null>`${visit}`.as('visit'),
      confirmation: sql<string | null>`${confirmation}`.as('confirmation'),
    })
    .from(bookings)
    .innerJoin(patients, eq(patients.id, bookings.patientId))
    .where(
      and(
        or(eq(bookings.bookingCode, named('code')), eq(bookings.externalId, named('externalId'))),
        isNull(bookings.heldUntil),
        or(sql`${own} is null`, sql`${bookings.doctorId} = ${own}`),
      ),
    );
});
