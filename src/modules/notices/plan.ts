import { hourMs } from '../../core/clinic/durations.ts';
import { run, runAll } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import type { NoticeChannel } from '../../core/tables/words.ts';
import {
  beginPlanning,
  findPlanned,
  planChanges,
  planDelays,
  planForDesk,
  planReminders,
  stepPlanning,
  stepReminders,
} from './plan-queries.ts';
import { freshMs, lastUrgentStart, type ReminderHours, reminderWindows } from './rules.ts';

/** How far back the first run of all looks. */
const firstLookMs = 10 * 60_000;
const maxStretches = 20;
/** How many reminders a step plans, and how many steps a run takes. */
const reminderSteps = { size: 1_000, count: 20 };

/** By which channels notices can leave. A mail carries a link to stop, so it needs the address of this service. */
export const listChannels = ({ config, mailer }: Pick<Deps, 'config' | 'mailer'>): NoticeChannel[] => [
  ...(mailer.reachesPeople && config.PUBLIC_URL !== undefined ? ['email' as const] : []),
  ...(config.NOTICE_API_URL !== undefined ? ['message' as const] : []),
];

export const readReminderHours = ({ config }: Pick<Deps, 'config'>): ReminderHours => ({
  early: config.REMINDER_EARLY_HOURS,
  late: config.REMINDER_LATE_HOURS,
});

/** How long before a visit each reminder leaves; 0 for one that does not. */
export const computeReminderLeads = (deps: Pick<Deps, 'config'>) => {
  const { early, late } = readReminderHours(deps);
  return { earlyReminderMs: early > late ? early * hourMs : 0, lateReminderMs: late * hourMs };
};

/** Plans the notices of changes since the last time, some hundred events a step. */
const planEvents = async (deps: Deps, now: number, channels: string, stretches: number) => {
  const { db, clinicTime, config } = deps;
  const lastUrgent = lastUrgentStart(now, clinicTime, config.QUIET_HOURS);
  const values = { since: now - freshMs, now, lastUrgent, channels };
  const today = clinicTime.dateOf(now);
  const dates = JSON.stringify([today, clinicTime.addDays(today, 1)]);
  for (let nth = 0; nth < stretches; nth++)
    await runAll(db, [
      planChanges(db, values),
      planForDesk(db, { ...values, dates }),
      planDelays(db, values),
      stepPlanning(db, {}),
    ]);
};

/**
 * Plans the reminders that have become due since the last time. The rest after the last step is left to the next run.
 */
const planDueReminders = async (
  deps: Deps,
  remindedAt: number,
  now: number,
  { channels, steps }: { channels: string; steps: typeof reminderSteps },
) => {
  const { db, clinicTime } = deps;
  let isLeft = false;
  for (const { kind, from, until } of reminderWindows(remindedAt, now, readReminderHours(deps))) {
    const dates: string[] = [];
    const last = clinicTime.dateOf(until);
    for (let date = clinicTime.dateOf(from); date <= last; date = clinicTime.addDays(date, 1))
      dates.push(date);
    const values = { kind, dates: JSON.stringify(dates), from, until, now, channels, max: steps.size };
    let planned = steps.size;
    for (let step = 0; step < steps.count && planned >= steps.size; step++)
      planned = (await run(db, planReminders(db, values))).length;
    isLeft ||= planned >= steps.size;
  }
  if (!isLeft) await run(db, stepReminders(db, { now, zone: clinicTime.zone }));
};

/**
 * Plans notices of the clinic's changes, and reminders. Each is planned once, however many processes run: the last
 * position is stored in the database, and a notice is unique there.
 */
export const planNotices = async (deps: Deps, now: number, steps = reminderSteps): Promise<void> => {
  const { db } = deps;
  const channels = JSON.stringify(listChannels(deps));
  const [state] = await run(db, findPlanned(db, {}));
  if (state === undefined) return;
  const { noticedSequence, lastSequence, remindedAt } = state;
  if (noticedSequence === null) await run(db, beginPlanning(db, { since: now - firstLookMs, now }));
  if (noticedSequence === null || noticedSequence < lastSequence) {
    const behind = lastSequence - (noticedSequence ?? 0);
    await planEvents(deps, now, channels, Math.min(maxStretches, Math.ceil(behind / 500)));
  }
  if (remindedAt !== null && remindedAt < now)
    await planDueReminders(deps, remindedAt, now, { channels, steps });
};
