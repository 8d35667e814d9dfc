import { and, asc, isNull, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { inOneRow, jsonObject } from '../../../core/db/row-columns.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import type { OutputOf } from '../../../core/endpoint/lazy-shape.ts';
import { begins, hasTerms } from '../../../core/search/queries.ts';
import { doctors, sessions } from '../../../core/tables/catalog.ts';
import { doctorFields } from '../fields/doctors.ts';
import { sessionFields } from '../fields/sessions.ts';
import type { Doctor, Session } from './contract.ts';

/** The address of a doctor's page, while it is published. */
export const pageSlug = sql<
  string | null
>`(select p.slug from doctor_pages p where p.doctor_id = ${doctors.id} and p.published)`;

const shownOfDoctor = jsonObject({
  id: doctors.id,
  ...doctorFields.publicColumns,
  page_slug: pageSlug,
} satisfies Record<keyof OutputOf<typeof Doctor>, SQLWrapper>);

const doctorsWhere = (db: Db, condition: SQL, limit: Placeholder) =>
  inOneRow(
    db,
    db
      .select({ text: shownOfDoctor.as('text') })
      .from(doctors)
      .where(condition)
      .orderBy(asc(doctors.name), asc(doctors.id))
      .limit(limit),
  );

type ByName = 'afterName' | 'afterId' | 'sessionId' | 'today' | 'limit';

const inServiceAfter = (named: (name: ByName) => Placeholder): SQL =>
  sql`${doctors.retiredAt} is null and (${doctors.name}, ${doctors.id}) > (${named('afterName')}, ${named('afterId')})
    and (${named('sessionId')} is null or exists (select 1 from schedules s join sessions e on e.id = s.session_id
    where s.doctor_id = ${doctors.id} and e.id = ${named('sessionId')} and s.retired_at is null
    and e.retired_at is null and coalesce(s.valid_until >= ${named('today')}, true)))`;

/** Doctors in service by name, or only those who offer a session. */
export const findDoctors = statement((db, named: Named<ByName>) =>
  doctorsWhere(db, inServiceAfter(named), named('limit')),
);

/** The ids of the same page. */
export const pageOfDoctors = (named: (name: ByName) => Placeholder): SQL =>
  sql`(select ${doctors.id} from ${doctors} where ${inServiceAfter(named)}
    order by ${doctors.name}, ${doctors.id} limit ${named('limit')})`;

type ByWords = ByName | 'term' | 'terms';

const isFound = (named: (name: ByWords) => Placeholder): SQL =>
  sql`${doctors.id} in (select w.owner_id from search_words w where w.kind = 'doctor'
    and ${begins(sql`w.word`, sql`${named('term')}`)})
    and ${hasTerms(sql`${doctors.words}`, sql`${named('terms')}`)} and ${inServiceAfter(named)}`;

/** The doctors who have, for every search term, a word that starts with it; the first term uses the index. */
export const searchDoctors = statement((db, named: Named<ByWords>) =>
  doctorsWhere(db, isFound(named), named('limit')),
);

/** The ids of the same page. */
export const searchedPage = (named: (name: ByWords) => Placeholder): SQL =>
  sql`(select ${doctors.id} from ${doctors} where ${isFound(named)}
    order by ${doctors.name}, ${doctors.id} limit ${named('limit')})`;

const shownOfSession = jsonObject({
  id: sessions.id,
  ...sessionFields.publicColumns,
  questions: sql`json(coalesce(${sessions.questions}, '[]'))`,
} satisfies Record<keyof OutputOf<typeof Session>, SQLWrapper>);

/** Sessions that are offered, by name. */
export const findSessions = statement((db, named: Named<'afterName' | 'afterId' | 'limit'>) =>
  inOneRow(
    db,
    db
      .select({ text: shownOfSession.as('text') })
      .from(sessions)
      .where(
        and(
          isNull(sessions.retiredAt),
          sql`(${sessions.name}, ${sessions.id}) > (${named('afterName')}, ${named('afterId')})`,
        ),
      )
      .orderBy(asc(sessions.name), asc(sessions.id))
      .limit(named('limit')),
  ),
);
