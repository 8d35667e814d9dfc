import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type Named, statement } from '../core/db/statement.ts';
import { isToRelease } from '../modules/booking/confirming/queries.ts';
import { firstSteps } from '../modules/exchange/outbox/queries.ts';
import { isActive } from '../modules/webhooks/delivery/fan-out-queries.ts';
import { sweeps } from './retention-queries.ts';

/** Later than any instant. */
const never = sql.raw(String(Number.MAX_SAFE_INTEGER));

/** The earliest of several instants, each of which may be null. */
const earliest = (instants: readonly SQL[]): SQL =>
  sql`nullif(min(${sql.join(
    instants.map((instant) => sql`coalesce(${instant}, ${never})`),
    sql`, `,
  )}), ${never})`;

/** Due at once if there is such a row. */
const whereAny = (rows: SQL): SQL => sql`case when exists (select 1 from ${rows}) then 0 end`;

/** When the next visit is due for a reminder, which leaves so long before it; none where that is 0. */
const nextReminder = (
  leadMs: Placeholder,
): SQL => sql`case when ${leadMs} > 0 then (select b.starts_at - ${leadMs}
  from clinic c cross join bookings b on b.schedule_date >= date((c.reminded_at + ${leadMs}) / 1000, 'unixepoch', '-1 day')
  and b.starts_at > c.reminded_at + ${leadMs} and b.status in ('waiting', 'approved') and b.held_until is null and b.checked_in_at is null
  where c.id = 1 order by b.schedule_date, b.starts_at limit 1) end`;

const releaseTime = sql`(select c.release_unconfirmed_at from clinic c where c.id = 1)`;

const oldestNotice = sql`select min(n.due_at) from notices n where n.state = 'pending' and n.channel = c.value`;

const selectInstant = (source: SQL, name: string) => sql<number | null>`${source}`.as(name);

/**
 * When the oldest work of each kind is due, in milliseconds: null if there is none. One row, whatever the size of the
 * tables: each part reads the end of an index. `oldKeyIds` is a list as JSON; `years` is the environment's retention of
 * bookings.
 */
export const findDue = statement(
  (
    db,
    named: Named<
      | 'now'
      | 'oldKeyIds'
      | 'retentionYears'
      | 'channels'
      | 'earlyReminderMs'
      | 'lateReminderMs'
      | 'targets'
      | 'demoStaffId'
      | 'demoKey'
    >,
  ) => {
    /** Something that one of the older keys sealed: it begins with the key's id and a full stop. */
    const sealedBefore = (table: SQL, column: SQL): SQL =>
      whereAny(sql`json_each(${named('oldKeyIds')}) k join ${table} on ${column} > k.value || '.'
        and ${column} < k.value || '/'`);
    const years = sql`coalesce(${named('retentionYears')}, (select c.retention_years from clinic c where c.id = 1), 0)`;
    return db
      .select({
        bookings: selectInstant(
          sql`(select min(b.ends_at) from bookings b where b.status = 'waiting')`,
          'bookings',
        ),
        offers: selectInstant(
          sql`(select min(o.held_until) from bookings o where o.status = 'waiting' and o.held_until is not null)`,
          'offers',
        ),
        // Some seats become free without an event, for example when a day opens.
        waitlist: selectInstant(
          whereAny(sql`waitlist_entries w indexed by waitlist_order where w.ended_at is null`),
          'waitlist',
        ),
        /** The first date of which seats go to the waitlist, unless their patients answer, and from which time of the day before; null for none. */
        releaseDate: sql<
          string | null
        >`case when ${releaseTime} is not null then (select min(r.schedule_date) from bookings r
          where r.schedule_date > date(${named('now')} / 1000, 'unixepoch', '-14 hours')
          and r.schedule_date < date(${named('now')} / 1000, 'unixepoch', '+9 days') and r.starts_at > ${named('now')}
          and ${isToRelease(never)}) end`.as('release_date'),
        releaseTime: sql<string | null>`${releaseTime}`.as('release_time'),
        mail: selectInstant(
          sql`(select min(o.due_at) from mail_outbox o where o.sent_at is null and o.failed_at is null
            and o.expires_at > ${named('now')})`,
          'mail',
        ),
        noticesToPlan: selectInstant(
          earliest([
            whereAny(sql`clinic c where c.id = 1 and (c.noticed_sequence is null
              or c.noticed_sequence < (select coalesce(max(v.sequence), 0) from booking_events v))`),
            nextReminder(named('earlyReminderMs')),
            nextReminder(named('lateReminderMs')),
          ]),
          'notices_to_plan',
        ),
        /** Of each channel that there is when the oldest of its notices is due, and the oldest urgent one, as JSON. */
        noticesDue: sql<string>`(select json_group_array(json_array(c.value, (${oldestNotice}),
          (${oldestNotice} and n.urgent > ${named('now')}))) from json_each(${named('channels')}) c)`.as(
          'notices_due',
        ),
        retention: selectInstant(
          earliest(sweeps.map(({ oldest, retainedMs }) => sql`(${oldest}) + ${sql.raw(String(retainedMs))}`)),
          'retention',
        ),
        /** The first date on which the retention of the oldest booking ends. */
        oldBookingsOn: sql<
          string | null
        >`case when ${years} > 0 then date((select min(b.schedule_date) from bookings b),
          '+' || cast(${years} as integer) || ' years', '+1 day') end`.as('old_bookings_on'),
        webhookSecrets: selectInstant(
          earliest(
            ['e.secret', 'e.previous_secret'].map((column) =>
              sealedBefore(sql`webhook_endpoints e`, sql.raw(column)),
            ),
          ),
          'webhook_secrets',
        ),
        patientNumbers: selectInstant(
          earliest(
            ['p.national_id', 'p.insurance_number'].map((column) =>
              sealedBefore(sql`patients p`, sql.raw(column)),
            ),
          ),
          'patient_numbers',
        ),
        secondFactors: selectInstant(sealedBefore(sql`second_factors f`, sql`f.secret`), 'second_factors'),
        audit: selectInstant(
          earliest([
            sql`(select l.occurred_at from security_events l where l.sequence >
              coalesce((select max(b.last_sequence) from audit_blocks b), 0) order by l.sequence limit 1)`,
            whereAny(sql`json_each(${named('oldKeyIds')}) k join audit_blocks b on b.key_id = k.value`),
          ]),
          'audit',
        ),
        webhooks: selectInstant(
          earliest([
            whereAny(sql`webhook_endpoints e where ${isActive}
              and e.last_sequence < (select coalesce(max(v.sequence), 0) from booking_events v)`),
            whereAny(sql`webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
              and d.state = 'pending' where ${isActive}`),
          ]),
          'webhooks',
        ),
        exchanges: selectInstant(
          sql`(select min(max(f.due_at, coalesce((select t.rest_until from exchange_targets t where t.target = f.target), 0)))
            from json_each(${named('targets')}) g cross join ${firstSteps} f on f.target = g.value
            where f.state = 'waiting')`,
          'exchanges',
        ),
        backlog: selectInstant(
          whereAny(sql`webhook_endpoints e where e.retired_at is null and (e.paused_at is not null
            or exists (select 1 from webhook_deliveries d where d.endpoint_id = e.id and d.state = 'pending'))`),
          'backlog',
        ),
        isDemo: sql<number>`exists (select 1 from clinic c where c.id = 1 and c.demo_since is not null)`.as(
          'is_demo',
        ),
        demoFilled: sql<number>`exists (select 1 from replays y where y.user_id = ${named('demoStaffId')}
          and y.key = ${named('demoKey')})`.as('demo_filled'),
      })
      .from(sql`(select 1)`);
  },
);
