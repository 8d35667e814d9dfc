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
import type { Db, ResultsOf } from '../../db/db.ts';
import { type Named, statement } from '../../db/statement.ts';
import { hasTerms } from '../../search/queries.ts';
import { bookings } from '../../tables/bookings.ts';
import { clinic, closures, doctors, schedules, sessions } from '../../tables/catalog.ts';
import { doctorNotices } from '../../tables/queues.ts';

export const findClinic = statement((db, _named: Named<never>) =>
  db.select().from(clinic).where(eq(clinic.id, 1)),
);

export const findDoctor = statement((db, named: Named<'doctorId'>) =>
  db
    .select()
    .from(doctors)
    .where(eq(doctors.id, named('doctorId'))),
);

/** The named doctor or, where none is named, the doctor of the named booking. */
const namedDoctor = (named: (name: 'doctorId' | 'bookingId') => Placeholder): SQL =>
  sql`coalesce(${named('doctorId')}, (select b.doctor_id from bookings b where b.id = ${named('bookingId')}))`;

const findNamedDoctor = statement((db, named: Named<'doctorId' | 'bookingId'>) =>
  db
    .select()
    .from(doctors)
    .where(sql`${doctors.id} = ${namedDoctor(named)}`),
);

/** The columns of a schedule that decide about slots, with the session's name from the joined `sessions`. */
export const scheduleColumns = {
  sessionId: schedules.sessionId,
  sessionName: sessions.name,
  approval: sessions.approval,
  weekday: schedules.weekday,
  startTime: schedules.startTime,
  endTime: schedules.endTime,
  slotMinutes: schedules.slotMinutes,
  capacity: schedules.capacity,
  room: schedules.room,
  validFrom: schedules.validFrom,
  validUntil: schedules.validUntil,
};

/** The columns of a closure that decide about slots. */
export const closureColumns = {
  doctorId: closures.doctorId,
  startDate: closures.startDate,
  endDate: closures.endDate,
  startTime: closures.startTime,
  endTime: closures.endTime,
};

const hasPrefix = sql<number>`exists (select 1 from queue_prefixes p where p.doctor_id = "schedules"."doctor_id"
  and p.session_id = "schedules"."session_id" and p.replaced_at is null)`;

/** The weekly schedules of a doctor whose session is still offered, with whether their queue has its prefix. */
const findSchedules = statement((db, named: Named<'doctorId' | 'bookingId'>) =>
  db
    .select({ ...scheduleColumns, hasPrefix: hasPrefix.as('has_prefix') })
    .from(schedules)
    .innerJoin(sessions, eq(sessions.id, schedules.sessionId))
    .where(
      and(
        sql`${schedules.doctorId} = ${namedDoctor(named)}`,
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
        or(sql`${closures.doctorId} = ${namedDoctor(named)}`, isNull(closures.doctorId)),
        gte(closures.endDate, named('fromDate')),
        lte(closures.startDate, named('toDate')),
      ),
    ),
);

/** How many live bookings of a doctor share each start between two instants. */
export const findOccupiedBetween = statement(
  (db, named: Named<'doctorId' | 'bookingId' | 'after' | 'before'>) =>
    db
      .select({ startsAt: bookings.startsAt, endsAt: bookings.endsAt, taken: count().as('taken') })
      .from(bookings)
      .where(
        and(
          sql`${bookings.doctorId} = ${namedDoctor(named)}`,
          gt(bookings.startsAt, named('after')),
          lt(bookings.startsAt, named('before')),
          // Written as a literal: with a bound value SQLite could not prove that the partial index covers the query.
          sql`${bookings.status} <> 'canceled'`,
        ),
      )
      .groupBy(bookings.startsAt, bookings.endsAt)
      .orderBy(asc(bookings.startsAt), asc(bookings.endsAt)),
);

/** What a doctor lets the patients of these dates know. */
export const findNotices = statement((db, named: Named<'doctorId' | 'from' | 'to'>) =>
  db
    .select({
      date: doctorNotices.date,
      delay_minutes: doctorNotices.delayMinutes,
      message: doctorNotices.message,
    })
    .from(doctorNotices)
    .where(
      and(
        eq(doctorNotices.doctorId, named('doctorId')),
        gte(doctorNotices.date, named('from')),
        lte(doctorNotices.date, named('to')),
        sql`(${doctorNotices.delayMinutes} > 0 or ${doctorNotices.message} <> '')`,
      ),
    )
    .orderBy(asc(doctorNotices.date)),
);

/** A doctor, or the doctor of a booking that is itself still to be read. */
export type Whose = string | { ofBooking: string };

interface NamedDoctor {
  /** Null for the doctor of the booking. */
  doctorId: string | null;
  bookingId: string | null;
}

export const whoseCalendar = (whose: Whose): NamedDoctor =>
  typeof whose === 'string'
    ? { doctorId: whose, bookingId: null }
    : { doctorId: null, bookingId: whose.ofBooking };

export interface CalendarSpan extends NamedDoctor {
  fromDate: string;
  toDate: string;
  /** The time range in which the listed bookings start. */
  after: number;
  before: number;
}

/** Everything that decides about a doctor's slots in a span of dates: five statements, however long the span is. */
export const calendarReads = (db: Db, { fromDate, toDate, after, before, ...whose }: CalendarSpan) =>
  [
    findClinic(db, {}),
    findNamedDoctor(db, whose),
    findSchedules(db, whose),
    findClosures(db, { ...whose, fromDate, toDate }),
    findOccupiedBetween(db, { ...whose, after, before }),
  ] as const;

export type CalendarRows = ResultsOf<ReturnType<typeof calendarReads>>;

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

/** The ids of the same page. */
export const pageOfDoctors = (named: (name: ByName) => Placeholder): SQL =>
  sql`(select ${doctors.id} from ${doctors} where ${inServiceAfter(named)}
    order by ${doctors.name}, ${doctors.id} limit ${named('limit')})`;

type ByWords = ByName | 'term' | 'termEnd' | 'terms';

const isFound = (named: (name: ByWords) => Placeholder): SQL =>
  sql`${doctors.id} in (select w.owner_id from search_words w where w.kind = 'doctor'
    and w.word >= ${named('term')} and w.word < ${named('termEnd')})
    and ${hasTerms(sql`${doctors.id}`, sql`${named('terms')}`)} and ${inServiceAfter(named)}`;

/** The doctors who have, for every search term, a word that starts with it; the first term uses the index. */
export const searchDoctors = statement((db, named: Named<ByWords>) =>
  db
    .select(shownOfDoctor)
    .from(doctors)
    .where(isFound(named))
    .orderBy(asc(doctors.name), asc(doctors.id))
    .limit(named('limit')),
);

/** The ids of the same page. */
export const searchedPage = (named: (name: ByWords) => Placeholder): SQL =>
  sql`(select ${doctors.id} from ${doctors} where ${isFound(named)}
    order by ${doctors.name}, ${doctors.id} limit ${named('limit')})`;

/** Sessions that are offered, by name. */
export const findSessions = statement((db, named: Named<'afterName' | 'afterId' | 'limit'>) =>
  db
    .select({ id: sessions.id, name: sessions.name, approval: sessions.approval })
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
