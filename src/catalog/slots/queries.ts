import {
  and,
  asc,
  count,
  eq,
  gt,
  gte,
  isNull,
  lt,
  lte,
  or,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Db } from '../../db/db.ts';
import { type Named, statement } from '../../db/statement.ts';
import { hasTerms } from '../../search/queries.ts';
import { bookings } from '../../tables/bookings.ts';
import { clinic, closures, doctors, schedules, sessions } from '../../tables/catalog.ts';

export const findClinic = statement((db, _named: Named<never>) =>
  db.select().from(clinic).where(eq(clinic.id, 1)),
);

export const findDoctor = statement((db, named: Named<'doctorId'>) =>
  db
    .select()
    .from(doctors)
    .where(eq(doctors.id, named('doctorId'))),
);

/** The doctor who is named or, without one, the doctor of the booking that is. */
const context = (named: (name: 'doctorId' | 'bookingId') => Placeholder): SQL =>
  sql`coalesce(${named('doctorId')}, (select b.doctor_id from bookings b where b.id = ${named('bookingId')}))`;

const findDoctorAsked = statement((db, named: Named<'doctorId' | 'bookingId'>) =>
  db
    .select()
    .from(doctors)
    .where(sql`${doctors.id} = ${context(named)}`),
);

/** What of a schedule decides about slots; `sessions` is joined to it. */
export const scheduleColumns = {
  sessionId: schedules.sessionId,
  sessionName: sessions.name,
  weekday: schedules.weekday,
  startTime: schedules.startTime,
  endTime: schedules.endTime,
  slotMinutes: schedules.slotMinutes,
  capacity: schedules.capacity,
  validFrom: schedules.validFrom,
  validUntil: schedules.validUntil,
};

/** What of a closure decides about slots. */
export const closureColumns = {
  doctorId: closures.doctorId,
  startDate: closures.startDate,
  endDate: closures.endDate,
  startTime: closures.startTime,
  endTime: closures.endTime,
};

/** The weekly schedules of a doctor whose session is still offered. */
const findSchedules = statement((db, named: Named<'doctorId' | 'bookingId'>) =>
  db
    .select(scheduleColumns)
    .from(schedules)
    .innerJoin(sessions, eq(sessions.id, schedules.sessionId))
    .where(
      and(
        sql`${schedules.doctorId} = ${context(named)}`,
        isNull(schedules.retiredAt),
        isNull(sessions.retiredAt),
      ),
    ),
);

/** Leave of the doctor and holidays of the clinic that touch the dates. */
const findClosures = statement((db, named: Named<'doctorId' | 'bookingId' | 'fromDate' | 'toDate'>) =>
  db
    .select(closureColumns)
    .from(closures)
    .where(
      and(
        or(sql`${closures.doctorId} = ${context(named)}`, isNull(closures.doctorId)),
        gte(closures.endDate, named('fromDate')),
        lte(closures.startDate, named('toDate')),
      ),
    ),
);

/** Live bookings of a doctor per start, which lies between two instants. */
export const findOccupiedBetween = statement(
  (db, named: Named<'doctorId' | 'bookingId' | 'after' | 'before'>) =>
    db
      .select({ startsAt: bookings.startsAt, endsAt: bookings.endsAt, taken: count().as('taken') })
      .from(bookings)
      .where(
        and(
          sql`${bookings.doctorId} = ${context(named)}`,
          gt(bookings.startsAt, named('after')),
          lt(bookings.startsAt, named('before')),
          // Written as a literal: with a bound value SQLite could not prove that the partial index covers the query.
          sql`${bookings.status} <> 'canceled'`,
        ),
      )
      .groupBy(bookings.startsAt, bookings.endsAt)
      .orderBy(asc(bookings.startsAt), asc(bookings.endsAt)),
);

export interface CalendarSpan {
  /** Null for the doctor of the booking. */
  doctorId: string | null;
  bookingId: string | null;
  fromDate: string;
  toDate: string;
  /** The time range in which the listed bookings start. */
  after: number;
  before: number;
}

/** All that decides about a doctor's slots in a span of dates: five statements whatever its length. */
export const calendarReads = (db: Db, { fromDate, toDate, after, before, ...whose }: CalendarSpan) =>
  [
    findClinic(db, {}),
    findDoctorAsked(db, whose),
    findSchedules(db, whose),
    findClosures(db, { ...whose, fromDate, toDate }),
    findOccupiedBetween(db, { ...whose, after, before }),
  ] as const;

const shownOfDoctor = {
  id: doctors.id,
  name: doctors.name,
  title: doctors.title,
  specialty: doctors.specialty,
};

type ByName = 'afterName' | 'afterId' | 'sessionId' | 'today' | 'limit';

const inServiceAfter = (named: (name: ByName) => Placeholder): SQL =>
  sql`${doctors.retiredAt} is null and (${doctors.name}, ${doctors.id}) > (${named('afterName')}, ${named('afterId')})
    and (${named('sessionId')} is null or exists (select 1 from schedules s join sessions e on e.id = s.session_id
    where s.doctor_id = ${doctors.id} and e.id = ${named('sessionId')} and s.retired_at is null
    and e.retired_at is null and coalesce(s.valid_until >= ${named('today')}, true)))`;

/** Doctors in service by name, or only those who offer a session. */
export const findDoctors = statement((db, named: Named<ByName>) =>
  db
    .select(shownOfDoctor)
    .from(doctors)
    .where(inServiceAfter(named))
    .orderBy(asc(doctors.name), asc(doctors.id))
    .limit(named('limit')),
);

/** The same, but only doctors whose words start with every search term; the first term uses the index. */
export const searchDoctors = statement((db, named: Named<ByName | 'term' | 'termEnd' | 'terms'>) =>
  db
    .select(shownOfDoctor)
    .from(doctors)
    .where(
      sql`${doctors.id} in (select w.owner_id from search_words w where w.kind = 'doctor'
          and w.word >= ${named('term')} and w.word < ${named('termEnd')})
          and ${hasTerms(sql`${doctors.id}`, sql`${named('terms')}`)} and ${inServiceAfter(named)}`,
    )
    .orderBy(asc(doctors.name), asc(doctors.id))
    .limit(named('limit')),
);

/** Sessions that are offered, by name. */
export const findSessions = statement((db, named: Named<'afterName' | 'afterId' | 'limit'>) =>
  db
    .select({ id: sessions.id, name: sessions.name })
    .from(sessions)
    .where(
      and(
        isNull(sessions.retiredAt),
        sql`(${sessions.name}, ${sessions.id}) > (${named('afterName')}, ${named('afterId')})`,
      ),
    )
    .orderBy(asc(sessions.name), asc(sessions.id))
    .limit(named('limit')),
);
