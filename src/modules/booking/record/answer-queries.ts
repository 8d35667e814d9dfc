import { type SQL, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { sessions } from '../../../core/tables/catalog.ts';
import { isKnown } from '../../catalog/slots/visit-guards.ts';

/**
 * How many required questions of a booking have no answer yet, by the rule of `openQuestions`; null where nothing is
 * asked, and then nothing else is read. `b` is the name of the table of bookings in the statement.
 */
export const toAnswer = (b: string): SQL<number | null> => {
  const column = (name: string): SQL => sql.raw(`${b}.${name}`);
  return sql`case when ${column('answers')} is not null then (select count(*) from sessions s, json_each(s.questions) q
    where s.id = ${column('session_id')} and q.value ->> 'required'
    and not (q.value ->> 'new_patients_only' and ${isKnown(column('patient_id'), column('id'))})
    and not exists (select 1 from json_each(${column('answers')}) a where a.value ->> 'id' = q.value ->> 'id'
      and a.value ->> 'type' = q.value ->> 'type')) end`;
};

const asked = {
  questions: sessions.questions,
  sessionVersion: sessions.version,
};

/** What the session of a booking asks, and whether the patient has come to another visit. */
export const findAsked = statement((db, named: Named<'bookingId'>) =>
  db
    .select({
      ...asked,
      isKnown: sql<number>`coalesce((select ${isKnown(sql`k.patient_id`, sql`k.id`)} from bookings k
        where k.id = ${named('bookingId')} and ${sql.raw('"sessions"."questions"')} is not null), 0)`.as(
        'is_known',
      ),
    })
    .from(sessions)
    .where(sql`${sessions.id} = (select b.session_id from bookings b where b.id = ${named('bookingId')})`),
);

export type AskedRow = ReturnType<typeof findAsked>['_']['result'][number];

/** What a session asks. */
export const findQuestions = statement((db, named: Named<'sessionId'>) =>
  db
    .select(asked)
    .from(sessions)
    .where(sql`${sessions.id} = ${named('sessionId')}`),
);
