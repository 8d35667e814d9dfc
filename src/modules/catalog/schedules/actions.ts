import { run, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { FieldIssue } from '../../../core/endpoint/field-sentences.ts';
import type { ResponseToStore } from '../../../core/idempotency/key.ts';
import { assertNotRepeated, storeOnly } from '../../../core/idempotency/queries.ts';
import { changeEvent, recordIfChanged } from '../../auth/audit/queries.ts';
import type { Author } from '../../auth/audit/rules.ts';
import { affectedView } from '../affected.ts';
import { leftBySchedule } from '../affected-queries.ts';
import { created } from '../answers.ts';
import { raiseDoctorCalendar } from '../calendar-queries.ts';
import { changeAsRead, recordView, retiredAtAfter } from '../change.ts';
import { scheduleFields } from '../fields/schedules.ts';
import { scheduleIssues } from '../rules.ts';
import type { ChangeSchedule, CreateSchedule } from './contract.ts';
import {
  explainSchedule,
  findSchedule,
  findSharing,
  insertSchedule,
  type ScheduleRow,
  updateSchedule,
} from './queries.ts';

export const scheduleView = (row: ScheduleRow) => ({
  id: row.id,
  doctor_id: row.doctorId,
  ...scheduleFields.view(row),
  active: row.retiredAt === null,
  ...recordView(row),
});

const requestedValues = ({ createdAt: _, updatedAt: now, ...row }: ScheduleRow) => ({ ...row, now });

const assertStands = (row: ScheduleRow): void => {
  const issues = scheduleIssues(row);
  if (issues.length > 0) throw new Failure('validation_failed', { issues });
};

/** Where other doctors have the room at the same time. */
export const sharedView = (rows: ReturnType<typeof findSharing>['_']['result']) =>
  rows.map((row) => ({
    schedule_id: row.scheduleId,
    doctor_id: row.doctorId,
    doctor_name: row.doctorName,
    weekday: row.weekday,
    start_time: row.startTime,
    end_time: row.endTime,
  }));
type Shared = ReturnType<typeof sharedView>;

const findShared = async (deps: Deps, requested: ReturnType<typeof requestedValues>): Promise<Shared> =>
  requested.room.trim() === '' ? [] : sharedView(await run(deps.db, findSharing(deps.db, requested)));

type Explanation = ReturnType<typeof explainSchedule>['_']['result'][number] | undefined;

const refuse = (why: Explanation, isNew: boolean, shared: Shared): void => {
  const issues: FieldIssue[] = [];
  if (isNew && !why?.doctorServes) issues.push({ path: 'doctor_id', rule: 'not_found' });
  if (!why?.sessionServes) issues.push({ path: 'session_id', rule: 'not_found' });
  if (issues.length > 0) throw new Failure('validation_failed', { issues });
  if (!why?.noOverlap)
    throw new Failure('schedule_overlap', { issues: [{ path: 'start_time', rule: 'overlap' }] });
  if (!why.roomFree) throw new Failure('room_shared', { extras: { schedules: shared } });
};

/** The one date of a schedule that is named instead of a weekday. */
const onDate = (
  { clinicTime }: Deps,
  { weekday }: { weekday?: number | undefined },
  date: string | undefined,
) => {
  if (date === undefined) {
    if (weekday === undefined)
      throw new Failure('validation_failed', { issues: [{ path: 'weekday', rule: 'required' }] });
    return { weekday };
  }
  return { weekday: clinicTime.weekdayOf(date), valid_from: date, valid_until: date, every_weeks: 1 };
};

export const createSchedule = async (
  deps: Deps,
  by: Author,
  input: BodyOf<typeof CreateSchedule>,
  toStoredResponse: ResponseToStore,
) => {
  const { now } = by;
  const { date, ...fields } = input;
  const row = {
    id: deps.newId(),
    doctorId: input.doctor_id,
    ...scheduleFields.columns({ ...fields, ...onDate(deps, fields, date) }),
    version: 1,
    retiredAt: null,
    createdAt: now,
    updatedAt: now,
  };
  assertStands(row);
  const requested = requestedValues(row);
  const event = changeEvent(deps, by, 'schedule_created', { schedule_id: row.id });
  const data = scheduleView(row);
  const shared = await findShared(deps, requested);
  const meta = { room_shared_with: shared };
  const stored = toStoredResponse({ ...created(data), meta });
  const { why, written } = await runAll(deps.db, {
    why: explainSchedule(deps.db, requested),
    written: insertSchedule(deps.db, requested),
    event: recordIfChanged(deps.db, event),
    calendar: raiseDoctorCalendar(deps.db, row.doctorId),
    response: storeOnly(deps.db, event, stored),
  });
  if (written.length === 0) {
    // The overlapping schedule may be the one that this same request made in an earlier attempt.
    await assertNotRepeated(deps.db, event, stored);
    refuse(why[0], true, shared);
  }
  return { data, meta };
};

/** Changes a schedule; lists the upcoming bookings that no longer fit it. These keep their doctor's room. */
export const changeSchedule = (deps: Deps, by: Author, id: string, input: BodyOf<typeof ChangeSchedule>) =>
  changeAsRead(
    input.version,
    () => run(deps.db, findSchedule(deps.db, { id })),
    async (row) => {
      const { now } = by;
      const after = {
        ...scheduleFields.changed(row, input),
        retiredAt: retiredAtAfter(row.retiredAt, input.active, now),
        version: row.version + 1,
        updatedAt: now,
      };
      assertStands(after);
      const requested = requestedValues(after);
      const today = deps.clinicTime.dateOf(now);
      const shared = await findShared(deps, requested);
      const {
        why: [why],
        written,
        left: [affected = []],
      } = await runAll(deps.db, {
        why: explainSchedule(deps.db, requested),
        written: updateSchedule(deps.db, requested),
        event: recordIfChanged(
          deps.db,
          changeEvent(deps, by, 'schedule_changed', { schedule_id: id }, input),
        ),
        calendar: raiseDoctorCalendar(deps.db, row.doctorId),
        // One that was retired laid out nothing.
        left: row.retiredAt === null ? leftBySchedule(deps.db, now, today, row) : [],
      });
      if (written.length > 0)
        return {
          data: scheduleView(after),
          meta: { ...affectedView(affected, by), room_shared_with: shared },
        };
      if (after.sessionId !== row.sessionId || !why?.noOverlap || !why.roomFree)
        refuse(after.sessionId === row.sessionId && why ? { ...why, sessionServes: 1 } : why, false, shared);
      return null;
    },
  );
