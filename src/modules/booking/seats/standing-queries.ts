import { sql } from 'drizzle-orm';
import type { Db, Statement } from '../../../core/db/db.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import { changeEvent, eventRow, securityEventWhen, toAuthor } from '../../auth/audit/queries.ts';
import { missedInYear } from '../../catalog/slots/visit-guards.ts';
import type { ActingContext } from '../record/context.ts';
import type { Decided, SeatRequest } from './decision.ts';
import { withinLimitsOfRow } from './session-guards.ts';

/** How many visits a patient has missed within a year. */
export const findMissed = statement((db, named: Named<'patientId' | 'now'>) =>
  db
    .select({ missed: missedInYear(sql`q.patient_id`, sql`q.now`).mapWith(Number).as('missed') })
    .from(sql`(select ${named('patientId')} as patient_id, ${named('now')} as now) q`)
    .limit(1),
);

const limitPassed = securityEventWhen(
  sql`exists (select 1 from bookings b where b.id = r.id and b.write_id = r.booking_write_id)
    and not ${withinLimitsOfRow}`,
  [
    'id',
    'bookingWriteId',
    'patientId',
    'sessionId',
    'scheduleDate',
    'startsAt',
    'maxPerDay',
    'minDaysBetween',
    'openTo',
  ],
);

/**
 * A line of the audit trail if the clinic's booking ignores a limit of its session: after the write, in its batch. None
 * if the session has no limit, or the flag was not needed.
 */
export const recordPassedLimit = (
  db: Db,
  { deps, actor, requestId, now }: ActingContext,
  { passesLimits, patientId }: Pick<SeatRequest, 'passesLimits' | 'patientId'>,
  { slot }: Decided,
  { id, writeId }: { id: string; writeId: string },
): readonly Statement[] => {
  const { maxPerDay, minDaysBetween, openTo } = slot;
  const { userId, role, deviceLoginId } = actor;
  const isLimited = maxPerDay !== null || minDaysBetween !== null || openTo !== 'all';
  if (!passesLimits || !isLimited || userId === null || role === 'system') return [];
  const author = toAuthor({ actor: { userId, role, deviceLoginId }, requestId, now });
  const event = changeEvent(deps, author, 'booking_limit_passed', {
    booking_id: id,
    patient_id: patientId,
  });
  const { sessionId, date: scheduleDate, startsAt } = slot;
  const place = { patientId, sessionId, scheduleDate, startsAt, maxPerDay, minDaysBetween, openTo };
  return [limitPassed(db, { ...eventRow(event), id, bookingWriteId: writeId, ...place })];
};
