import { and, asc, desc, eq, getTableColumns, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { patients } from '../../../core/tables/patients.ts';
import { toAnswer } from '../record/answer-queries.ts';

type Values =
  | 'accountId'
  | 'patientId'
  | 'cursorStart'
  | 'cursorId'
  | 'fromInstant'
  | 'beforeInstant'
  | 'endsAfter'
  | 'endsBy'
  | 'status'
  | 'doctorId'
  | 'limit';

type Direction = 'asc' | 'desc';

const selectDetails = (
  db: Db,
  named: Named<Values>,
  direction: Direction,
  patientIs: SQL,
  isFamily: '0' | '1',
) =>
  db
    .select({
      ...getTableColumns(bookings),
      // Has an alias, because in the union `id` would be ambiguous in the order.
      id: sql<string>`${bookings.id}`.as('id'),
      isFamily: sql<number>`${sql.raw(isFamily)}`.as('is_family'),
      patientName: sql<string>`${patients.name}`.as('patient_name'),
      phoneCountryCode: patients.phoneCountryCode,
      phoneNumber: patients.phoneNumber,
      toAnswer: toAnswer('bookings').as('to_answer'),
    })
    .from(bookings)
    .innerJoin(patients, eq(patients.id, bookings.patientId))
    .where(
      and(
        patientIs,
        isNull(bookings.heldUntil),
        sql`(${named('patientId')} is null or ${bookings.patientId} = (select coalesce(p.merged_into, p.id)
          from patients p where p.id = ${named('patientId')}))`,
        sql`${bookings.startsAt} >= ${named('fromInstant')} and ${bookings.startsAt} < ${named('beforeInstant')}`,
        sql`(${bookings.startsAt}, ${bookings.id}) ${sql.raw(direction === 'asc' ? '>' : '<')}
          (${named('cursorStart')}, ${named('cursorId')})`,
        sql`${bookings.endsAt} > ${named('endsAfter')} and ${bookings.endsAt} <= ${named('endsBy')}`,
        or(sql`${named('status')} is null`, eq(bookings.status, named('status'))),
        or(sql`${named('doctorId')} is null`, eq(bookings.doctorId, named('doctorId'))),
      ),
    );

const pageIn = (direction: Direction) =>
  statement((db, named: Named<Values>) => {
    const isOwn = sql`${bookings.patientId} = ${named('accountId')}`;
    const isFamilys = sql`${bookings.patientId} in (select f.patient_id from family_relations f
      where f.account_id = ${named('accountId')} and f.ended_at is null)`;
    const order = direction === 'asc' ? asc : desc;
    return selectDetails(db, named, direction, isOwn, '0')
      .unionAll(selectDetails(db, named, direction, isFamilys, '1'))
      .orderBy(order(bookings.startsAt), order(bookings.id))
      .limit(named('limit'));
  });

/**
 * One page of an account's bookings and those of its family with everything about them, in either order. Apart from
 * `findHistory`, which answers far more often and reads only what the plain history shows.
 */
export const findHistoryDetails = { asc: pageIn('asc'), desc: pageIn('desc') };
