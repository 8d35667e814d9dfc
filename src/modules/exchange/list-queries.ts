import { sql } from 'drizzle-orm';
import { fromRow } from '../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../core/db/statement.ts';
import { exchanges, exchangeTargets } from '../../core/tables/exchanges.ts';
import type { ExchangeReason, ExchangeState, ExchangeStep, ExchangeTarget } from '../../core/tables/words.ts';

/** One page of the steps that wait or want a person, in their order. */
export const findSteps = statement((db, named: Named<'state' | 'target' | 'after' | 'limit'>) =>
  db
    .select({
      id: sql<string>`x.id`.as('id'),
      position: sql<number>`x.position`.as('position'),
      target: sql<ExchangeTarget>`x.target`.as('target'),
      step: sql<ExchangeStep>`x.step`.as('step'),
      state: sql<ExchangeState>`x.state`.as('state'),
      occurredAt: sql<number>`x.occurred_at`.as('occurred_at'),
      dueAt: sql<number>`x.due_at`.as('due_at'),
      attempts: sql<number>`x.attempts`.as('attempts'),
      reason: sql<ExchangeReason | null>`x.reason`.as('reason'),
      answer: sql<string | null>`x.answer`.as('answer'),
      bookingId: sql<string>`x.booking_id`.as('booking_id'),
      bookingCode: sql<string>`b.booking_code`.as('booking_code'),
      doctorName: sql<string>`b.doctor_name`.as('doctor_name'),
      scheduleDate: sql<string>`b.schedule_date`.as('schedule_date'),
      scheduleTime: sql<string>`b.schedule_time`.as('schedule_time'),
    })
    .from(sql`exchanges x join bookings b on b.id = x.booking_id`)
    .where(
      sql`x.position > ${named('after')} and (${named('state')} is null or x.state = ${named('state')})
        and (${named('target')} is null or x.target = ${named('target')})`,
    )
    .orderBy(sql`x.position`)
    .limit(named('limit')),
);

export type StepRow = ReturnType<typeof findSteps>['_']['result'][number];

/** The state of each of these systems (a JSON list): what waits for it, what needs a person, and whether it is paused. */
export const findBacklog = statement((db, named: Named<'targets'>) =>
  db
    .select({
      target: sql<ExchangeTarget>`g.value`.as('target'),
      waiting:
        sql<number>`(select count(*) from exchanges x where x.target = g.value and x.state = 'waiting')`.as(
          'waiting',
        ),
      parked:
        sql<number>`(select count(*) from exchanges x where x.target = g.value and x.state = 'parked')`.as(
          'parked',
        ),
      oldestAt: sql<
        number | null
      >`(select min(x.occurred_at) from exchanges x where x.target = g.value and x.state = 'waiting')`.as(
        'oldest_at',
      ),
      restUntil: sql<number | null>`t.rest_until`.as('rest_until'),
      restReason: sql<ExchangeReason | null>`t.rest_reason`.as('rest_reason'),
    })
    .from(sql`json_each(${named('targets')}) g left join exchange_targets t on t.target = g.value`),
);

export const findStep = statement((db, named: Named<'id'>) =>
  db
    .select({ id: exchanges.id, target: exchanges.target, state: exchanges.state })
    .from(exchanges)
    .where(sql`${exchanges.id} = ${named('id')}`),
);

/** Makes steps (ids as JSON) due now, with a whole day of attempts again; one that is being sent is left to its process. */
export const retrySteps = rowStatement(['ids', 'now'], (db, row) =>
  db
    .update(exchanges)
    .set({
      state: sql`'waiting'`,
      dueAt: sql`r.now`,
      attempts: sql`max(0, min(${exchanges.attempts}, 1))`,
      firstAttemptAt: null,
      parkedAt: null,
    })
    .from(fromRow(row))
    .where(
      sql`exchanges.id in (select j.value from json_each(r.ids) j) and exchanges.state <> 'left'
        and exchanges.lease_id is null`,
    )
    .returning({ id: sql<string>`exchanges.id`.as('id') }),
);

/** Gives steps (ids as JSON) up, so that the next ones of their bookings go. */
export const leaveSteps = statement((db, named: Named<'ids'>) =>
  db
    .update(exchanges)
    .set({ state: 'left' })
    .where(
      sql`exchanges.id in (select j.value from json_each(${named('ids')}) j) and exchanges.state <> 'left'`,
    )
    .returning({ id: exchanges.id }),
);

/** Ends the pause of a system: a person wants it to be tried now. */
export const endRest = statement((db, named: Named<'target'>) =>
  db
    .update(exchangeTargets)
    .set({ restUntil: null })
    .where(sql`${exchangeTargets.target} = ${named('target')} and ${exchangeTargets.restUntil} is not null`),
);
