import { sql } from 'drizzle-orm';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import type { Language } from '../../../core/endpoint/messages.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { notices } from '../../../core/tables/mail.ts';
import type { BookingStatus, NoticeChannel, NoticeKind } from '../../../core/tables/words.ts';
import type { ChangedBy } from '../letters.ts';
import { recipientOfNotice } from '../plan-queries.ts';

/**
 * Claims a channel's due notices for one attempt, in quiet hours only those still urgent: no other process takes them
 * until the lease ends.
 */
export const claimDue = statement(
  (db, named: Named<'leaseId' | 'leaseUntil' | 'now' | 'quiet' | 'channel' | 'max'>) => {
    const now = named('now');
    return db
      .update(notices)
      .set({
        leaseId: sql`${named('leaseId')}`,
        leaseUntil: sql`${named('leaseUntil')}`,
        attempts: sql`${notices.attempts} + 1`,
      })
      .where(
        sql`notices.id in (select n.id from notices n where n.state = 'pending' and n.due_at <= ${now}
          and (n.lease_until is null or n.lease_until <= ${now}) and (n.urgent > ${now} or ${named('quiet')} = 0)
          and n.channel = ${named('channel')} order by n.due_at limit ${named('max')})`,
      )
      .returning({ id: notices.id });
  },
);

/**
 * The booking, recipient and choices of the claimed notices (ids as JSON), all as they are now. Since planning, the
 * record may have been merged into another, whose choices and acting account then count.
 */
export const findClaimed = statement((db, named: Named<'ids'>) =>
  db
    .select({
      id: sql<string>`n.id`.as('id'),
      bookingId: sql<string>`n.booking_id`.as('booking_id'),
      patientId: sql<string | null>`b.patient_id`.as('patient_id'),
      kind: sql<NoticeKind>`n.kind`.as('kind'),
      channel: sql<NoticeChannel>`n.channel`.as('channel'),
      attempts: sql<number>`n.attempts`.as('attempts'),
      personId: sql<string | null>`n.told_id`.as('told_id'),
      plannedFor: sql<string>`n.person_id`.as('planned_for'),
      plannedStart: sql<number>`n.starts_at`.as('planned_start'),
      status: sql<BookingStatus | null>`b.status`.as('status'),
      startsAt: sql<number | null>`b.starts_at`.as('starts_at'),
      scheduleDate: sql<string>`b.schedule_date`.as('schedule_date'),
      scheduleTime: sql<string>`b.schedule_time`.as('schedule_time'),
      doctorName: sql<string>`b.doctor_name`.as('doctor_name'),
      bookingCode: sql<string>`b.booking_code`.as('booking_code'),
      heldUntil: sql<number | null>`b.held_until`.as('held_until'),
      confirmedAt: sql<number | null>`b.confirmed_at`.as('confirmed_at'),
      cancelReasonCode: sql<string | null>`b.cancel_reason_code`.as('cancel_reason_code'),
      asksConfirmation: sql<number>`c.ask_confirmation`.as('asks_confirmation'),
      checkedInAt: sql<number | null>`b.checked_in_at`.as('checked_in_at'),
      calledAt: sql<number | null>`b.called_at`.as('called_at'),
      completedAt: sql<number | null>`b.completed_at`.as('completed_at'),
      noShowAt: sql<number | null>`b.no_show_at`.as('no_show_at'),
      delayMinutes: sql<number | null>`d.delay_minutes`.as('delay_minutes'),
      superseded:
        sql<number>`exists (select 1 from notices s where s.booking_id = n.booking_id and s.kind = n.kind
        and s.channel = n.channel and s.version > n.version)`.as('superseded'),
      by: sql<ChangedBy>`case when e.actor_role = 'system' then 'system' when e.actor_id = n.told_id then 'you'
        when e.actor_role = 'patient' then 'family' else 'clinic' end`.as('changed_by'),
      previousDate: sql<string | null>`e.payload ->> '$.previous.schedule_date'`.as('previous_date'),
      previousTime: sql<string | null>`e.payload ->> '$.previous.schedule_time'`.as('previous_time'),
      worksHere: sql<number>`u.role in ('staff', 'admin', 'doctor')`.as('works_here'),
      patientName: sql<string>`p.name`.as('patient_name'),
      personName: sql<string | null>`coalesce(u.name, q.name)`.as('person_name'),
      email: sql<string | null>`case when u.id is null then q.email when u.email_proved_at is not null
        and u.deactivated_at is null then u.email end`.as('email'),
      phoneCountryCode: sql<string>`coalesce(u.phone_country_code, q.phone_country_code, '')`.as('code'),
      phoneNumber: sql<string>`case when u.deactivated_at is null
        then coalesce(u.phone_number, q.phone_number, '') else '' end`.as('phone'),
      choosesEmail: sql<number | null>`h.email`.as('chooses_email'),
      choosesDesk: sql<number | null>`h.desk`.as('chooses_desk'),
      choosesMessage: sql<number | null>`h.message`.as('chooses_message'),
      stoppedKinds: sql<string | null>`h.stopped_kinds`.as('stopped_kinds'),
      language: sql<Language>`coalesce(h.language, 'id')`.as('language'),
      clinicName: sql<string>`c.name`.as('clinic_name'),
      clinicPhone: sql<string>`c.phone`.as('clinic_phone'),
    })
    .from(
      sql`(select n.*, ${recipientOfNotice} as told_id from json_each(${named('ids')}) j
        join notices n on n.id = j.value left join bookings b on b.id = n.booking_id) n join clinic c on c.id = 1
        left join bookings b on b.id = n.booking_id left join patients p on p.id = b.patient_id
        left join booking_events e on e.booking_id = n.booking_id and e.version = n.version
          and n.kind in ('canceled', 'moved', 'patient_canceled', 'patient_moved')
        left join doctor_notices d on d.doctor_id = b.doctor_id and d.date = b.schedule_date
        left join users u on u.id = n.told_id left join patients q on q.id = n.told_id
        left join notice_choices h on h.person_id = n.told_id`,
    ),
);

export type Claimed = ReturnType<typeof findClaimed>['_']['result'][number];

/** Notes that notices of one claim (their outcomes as JSON) went to others than they were planned for. Comes before `settleAll`. */
export const readdress = rowStatement(['leaseId', 'outcomes'], (db, row) =>
  db
    .update(notices)
    .set({ personId: sql`o.person_id` })
    .from(
      sql`(with ${row} select r.lease_id, v.value ->> 'id' as id, v.value ->> 'personId' as person_id
        from r join json_each(r.outcomes) v) o`,
    )
    .where(
      sql`notices.id = o.id and notices.lease_id = o.lease_id and notices.state = 'pending'
        and notices.person_id <> o.person_id`,
    ),
);

/**
 * Notes on the bookings that their reminders (the outcomes of one claim, as JSON) asked whether the patient comes; of one
 * that was moved meanwhile nothing. Comes before `settleAll`.
 */
export const markAsked = rowStatement(['leaseId', 'outcomes'], (db, row) =>
  db
    .update(bookings)
    .set({ askedAt: sql`o.settled_at` })
    .from(
      sql`(with ${row} select r.lease_id, v.value ->> 'id' as id, v.value ->> 'settledAt' as settled_at
        from r join json_each(r.outcomes) v on v.value ->> 'asked') o join notices n on n.id = o.id
        and n.lease_id = o.lease_id and n.state = 'pending'`,
    )
    .where(
      sql`bookings.id = n.booking_id and bookings.starts_at = n.starts_at and bookings.asked_at is null
        and bookings.status <> 'canceled'`,
    ),
);

/** Stores the outcomes of one claim's attempts, given as JSON, if its lease is still valid. */
export const settleAll = rowStatement(['leaseId', 'outcomes'], (db, row) =>
  db
    .update(notices)
    .set({
      state: sql`o.state`,
      reason: sql`o.reason`,
      attempts: sql`${notices.attempts} - coalesce(o.uncounted, 0)`,
      dueAt: sql`coalesce(o.due_at, ${notices.dueAt})`,
      settledAt: sql`o.settled_at`,
      leaseId: sql`null`,
      leaseUntil: sql`null`,
    })
    .from(
      sql`(with ${row} select r.lease_id, v.value ->> 'id' as id,
        v.value ->> 'state' as state, v.value ->> 'reason' as reason, v.value ->> 'dueAt' as due_at,
        v.value ->> 'uncounted' as uncounted, v.value ->> 'settledAt' as settled_at
        from r join json_each(r.outcomes) v) o`,
    )
    .where(sql`notices.id = o.id and notices.lease_id = o.lease_id and notices.state = 'pending'`),
);
