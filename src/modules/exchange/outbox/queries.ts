import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { randomUuid } from '../../../core/db/ids.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { exchanges, exchangeTargets } from '../../../core/tables/exchanges.ts';
import type { ExchangeStep, VisitKind } from '../../../core/tables/words.ts';
import { isItsWeek } from '../../catalog/slots/schedule-guards.ts';

/**
 * The insert of the steps `r.steps` (JSON) of the changed booking `b`, in the batch of the change. A session without a
 * code at BPJS is none of its business. `source` is `from r join bookings b …`, without a where; `isChanged` its condition.
 */
export const insertSteps = (db: Db, row: SQL, source: SQL, isChanged: SQL, steps = sql`r.steps`) =>
  insertFromRow(
    db,
    exchanges,
    row,
    sql`${source} cross join json_each(${steps}) s ${isChanged} and (s.value ->> 'family' is null
      or exists (select 1 from sessions n where n.id = s.value ->> '$.slot.sessionId'
        and case s.value ->> 'family' when 'rs' then n.bpjs_poli_code else n.bpjs_fktp_code end is not null))`,
    {
      position: sql`null`,
      id: randomUuid,
      bookingId: sql`b.id`,
      target: sql`s.value ->> 'target'`,
      step: sql`s.value ->> 'step'`,
      occurredAt: sql`s.value ->> 'at'`,
      slot: sql`json_set(s.value -> 'slot', '$.label', b.queue_label, '$.number', b.queue_number)`,
      state: sql`'waiting'`,
      attempts: sql`0`,
      dueAt: sql`s.value ->> 'at'`,
    },
  );

/** The first step of each booking that was not sent yet: the others wait for it, and for a parked one too. */
export const firstSteps = sql`(select min(e.position) as position, e.target, e.state, e.due_at from exchanges e
  where e.state <> 'left' group by e.target, e.booking_id)`;

/** How many steps, each of another booking, are sent at once; a Worker has six connections. */
const stepsAtOnce = 6;

/** Claims due steps of a target for one process, at most one of each booking. */
export const claimSteps = rowStatement(['target', 'leaseId', 'leaseUntil', 'now'], (db, row) =>
  db
    .update(exchanges)
    .set({
      leaseId: sql`r.lease_id`,
      dueAt: sql`r.lease_until`,
      attempts: sql`${exchanges.attempts} + 1`,
      firstAttemptAt: sql`coalesce(${exchanges.firstAttemptAt}, r.now)`,
    })
    .from(fromRow(row))
    .where(
      sql`exchanges.position in (select f.position from ${firstSteps} f where f.target = r.target
        and f.state = 'waiting' and f.due_at <= r.now order by f.position limit ${sql.raw(String(stepsAtOnce))})`,
    ),
);

const slotOf = (member: string): SQL => sql.raw(`x.slot ->> '$.${member}'`);

/** The id of the hours in which the step's slot is. */
const shiftWhere = (
  holds: SQL,
): SQL => sql`(select s.id from schedules s where s.doctor_id = d.id and s.session_id = n.id
  and s.weekday = (strftime('%w', ${slotOf('date')}) + 6) % 7 + 1
  and ${isItsWeek(sql`s.every_weeks`, sql`s.valid_from`, slotOf('date'))}
  and s.start_time <= ${slotOf('time')} and s.end_time > ${slotOf('time')} and ${holds}
  order by s.retired_at is not null, s.valid_from desc limit 1)`;

/** The claimed steps with all reported data of their bookings. */
export const findClaimed = statement((db, named: Named<'leaseId' | 'family'>) =>
  db
    .select({
      id: sql<string>`x.id`.as('id'),
      position: sql<number>`x.position`.as('position'),
      bookingId: sql<string>`x.booking_id`.as('booking_id'),
      step: sql<ExchangeStep>`x.step`.as('step'),
      occurredAt: sql<number>`x.occurred_at`.as('occurred_at'),
      slot: sql<string>`x.slot`.as('slot'),
      attempts: sql<number>`x.attempts`.as('attempts'),
      firstAttemptAt: sql<number>`x.first_attempt_at`.as('first_attempt_at'),
      /** A person left the step by which the other side would have come to know the visit. */
      isLeft: sql<number>`exists (select 1 from exchanges l where l.state = 'left' and l.target = x.target
        and l.booking_id = x.booking_id and l.step = case x.target when 'bpjs' then 'add' else 'arrive' end)`.as(
        'is_left',
      ),
      bookingCode: sql<string>`b.booking_code`.as('booking_code'),
      exchangeCode: sql<string | null>`b.exchange_code`.as('exchange_code'),
      encounterId: sql<string | null>`b.encounter_id`.as('encounter_id'),
      payer: sql<string | null>`b.payer`.as('payer'),
      visitKind: sql<VisitKind | null>`b.visit_kind`.as('visit_kind'),
      referralNumber: sql<string | null>`b.referral_number`.as('referral_number'),
      cancelReason: sql<string | null>`b.cancel_reason`.as('cancel_reason'),
      checkedInAt: sql<number | null>`b.checked_in_at`.as('checked_in_at'),
      firstCalledAt: sql<number | null>`b.first_called_at`.as('first_called_at'),
      patientId: sql<string>`p.id`.as('patient_id'),
      patientName: sql<string>`p.name`.as('patient_name'),
      phone: sql<string>`p.phone_number`.as('phone'),
      phoneCountryCode: sql<string>`p.phone_country_code`.as('phone_country_code'),
      nationalId: sql<string | null>`p.national_id`.as('national_id'),
      insuranceNumber: sql<string | null>`p.insurance_number`.as('insurance_number'),
      numbersConfirmedAt: sql<number | null>`p.numbers_confirmed_at`.as('numbers_confirmed_at'),
      recordNumber: sql<string | null>`p.medical_record_number`.as('record_number'),
      patientIhs: sql<string | null>`p.ihs_id`.as('patient_ihs'),
      /** Asked today already, with the numbers that the record has now. */
      patientAskedAt: sql<number | null>`(select k.asked_at from exchange_lookups k where k.subject_id = p.id
        and k.asked_at > p.updated_at)`.as('patient_asked_at'),
      doctorId: sql<string>`d.id`.as('doctor_id'),
      /** The number of the doctor's own account. */
      doctorNationalId: sql<string | null>`(select q.national_id from users u join patients q on q.id = u.id
        where u.doctor_id = d.id and u.deactivated_at is null and q.numbers_confirmed_at is not null limit 1)`.as(
        'doctor_national_id',
      ),
      doctorAskedAt: sql<number | null>`(select k.asked_at from exchange_lookups k where k.subject_id = d.id
        and k.asked_at > d.updated_at)`.as('doctor_asked_at'),
      doctorName: sql<string>`trim(d.title || ' ' || d.name)`.as('doctor_name'),
      doctorCode: sql<number | null>`d.bpjs_doctor_code`.as('doctor_code'),
      doctorIhs: sql<string | null>`d.ihs_id`.as('doctor_ihs'),
      sessionName: sql<string>`n.name`.as('session_name'),
      poliCode: sql<
        string | null
      >`case ${named('family')} when 'fktp' then n.bpjs_fktp_code else n.bpjs_poli_code
        end`.as('poli_code'),
      locationIhs: sql<string | null>`n.ihs_location_id`.as('location_ihs'),
      shiftStart: sql<string | null>`h.start_time`.as('shift_start'),
      shiftEnd: sql<string | null>`h.end_time`.as('shift_end'),
    })
    .from(
      sql`exchanges x join bookings b on b.id = x.booking_id join patients p on p.id = b.patient_id
        join doctors d on d.id = ${slotOf('doctorId')} join sessions n on n.id = ${slotOf('sessionId')}
        left join schedules h on h.id = coalesce(${shiftWhere(sql`coalesce(s.valid_from <= ${slotOf('date')}, true)
          and coalesce(s.valid_until >= ${slotOf('date')}, true)`)}, ${shiftWhere(sql`true`)})`,
    )
    .where(sql`x.lease_id = ${named('leaseId')}`)
    .orderBy(sql`x.position`),
);

export type Claimed = ReturnType<typeof findClaimed>['_']['result'][number];

/** Nothing is left of the patient that could be reported. */
export const isErased = ({ patientName }: Pick<Claimed, 'patientName'>): boolean => patientName === '';

/** The outcomes `r.outcomes` (JSON) of the claim `r.lease_id`, as the table `o`. */
const selectOutcomes = (row: SQL): SQL =>
  sql`(with ${row} select v.value ->> 'id' as id, r.lease_id, v.value ->> 'state' as state,
    v.value ->> 'dueAt' as due_at, v.value ->> 'at' as at, v.value ->> 'reason' as reason,
    v.value ->> 'answer' as answer, v.value ->> 'uncounted' as uncounted, v.value ->> 'parkedAt' as parked_at
    from r join json_each(r.outcomes) v) o`;

/** Stores what became of attempts whose steps stay, unless another process has taken them over. */
export const settleSteps = rowStatement(['leaseId', 'outcomes'], (db, row) =>
  db
    .update(exchanges)
    .set({
      state: sql`o.state`,
      attempts: sql`${exchanges.attempts} - coalesce(o.uncounted, 0)`,
      dueAt: sql`coalesce(o.due_at, ${exchanges.dueAt})`,
      occurredAt: sql`coalesce(o.at, ${exchanges.occurredAt})`,
      reason: sql`o.reason`,
      answer: sql`o.answer`,
      parkedAt: sql`o.parked_at`,
      leaseId: sql`null`,
    })
    .from(selectOutcomes(row))
    .where(sql`exchanges.id = o.id and exchanges.lease_id = o.lease_id and o.state <> 'gone'
        and exchanges.state = 'waiting'`),
);

/** Deletes the steps that are done or dropped. */
export const deleteGone = rowStatement(['leaseId', 'outcomes'], (db, row) =>
  db
    .delete(exchanges)
    .where(
      sql`(exchanges.id, exchanges.lease_id) in (select o.id, o.lease_id from ${selectOutcomes(row)} where o.state = 'gone')`,
    ),
);

/** The later steps of the same bookings are reported with later instants than those that were just taken. */
export const raiseLater = rowStatement(['target', 'reported'], (db, row) =>
  db
    .update(exchanges)
    .set({ occurredAt: sql`o.at + 1`, dueAt: sql`max(${exchanges.dueAt}, o.at + 1)` })
    .from(
      sql`(with ${row} select r.target, v.value ->> 'bookingId' as booking_id, v.value ->> 'at' as at
        from r join json_each(r.reported) v) o`,
    )
    .where(
      sql`exchanges.booking_id = o.booking_id and exchanges.target = o.target and exchanges.occurred_at <= o.at
        and exchanges.step in ('arrive', 'call', 'complete', 'absent')`,
    ),
);

/** Stores the id of a booking in the other system. This is not a change of the booking, so no change at the same moment is decided again. */
export const keepNames = rowStatement(['named'], (db, row) =>
  db
    .update(bookings)
    .set({
      exchangeCode: sql`coalesce(o.code, ${bookings.exchangeCode})`,
      encounterId: sql`coalesce(o.encounter, ${bookings.encounterId})`,
    })
    .from(
      sql`(with ${row} select v.value ->> 'bookingId' as id, v.value ->> 'exchangeCode' as code,
        v.value ->> 'encounterId' as encounter from r join json_each(r.named) v) o`,
    )
    .where(sql`bookings.id = o.id`),
);

/** Steps that a person left unsent no longer matter once the other system has these bookings. */
export const forgetLeft = rowStatement(['target', 'named'], (db, row) =>
  db.delete(exchanges).where(
    sql`exchanges.state = 'left' and (exchanges.target, exchanges.booking_id) in (select * from (with ${row}
      select r.target, v.value ->> 'bookingId' from r join json_each(r.named) v))`,
  ),
);

export const findTarget = statement((db, named: Named<'target'>) =>
  db
    .select()
    .from(exchangeTargets)
    .where(sql`${exchangeTargets.target} = ${named('target')}`),
);

/** Lets a target rest, or ends its rest. */
export const restTarget = statement((db, named: Named<'target' | 'until' | 'reason'>) => {
  const [restUntil, restReason] = [sql`${named('until')}`, sql`${named('reason')}`];
  return db
    .insert(exchangeTargets)
    .values({ target: sql`${named('target')}`, restUntil, restReason })
    .onConflictDoUpdate({ target: exchangeTargets.target, set: { restUntil, restReason } });
});
