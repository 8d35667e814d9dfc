import { changeEvent, recordIfChanged } from '../../auth/audit/queries.ts';
import type { Author } from '../../auth/audit/rules.ts';
import { run, runAll } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import type { BodyOf } from '../../endpoint/endpoint.ts';
import { Failure, type FieldIssue } from '../../endpoint/errors.ts';
import { changeAsRead, recordView, retiredAtAfter } from '../change.ts';
import { raiseDoctorCalendar } from '../doctors/queries.ts';
import { scheduleIssues } from '../rules.ts';
import type { ChangeSchedule, CreateSchedule } from './contract.ts';
import {
  explainSchedule,
  findSchedule,
  insertSchedule,
  type ScheduleRow,
  updateSchedule,
} from './queries.ts';

const fieldsOf = (row: ScheduleRow) => ({
  id: row.id,
  doctor_id: row.doctorId,
  session_id: row.sessionId,
  weekday: row.weekday,
  start_time: row.startTime,
  end_time: row.endTime,
  slot_minutes: row.slotMinutes,
  capacity: row.capacity,
  valid_from: row.validFrom,
  valid_until: row.validUntil,
});

export const scheduleView = (row: ScheduleRow) => ({
  ...fieldsOf(row),
  active: row.retiredAt === null,
  ...recordView(row),
});

const wishedOf = (row: ScheduleRow) => ({
  ...fieldsOf(row),
  retired_at: row.retiredAt,
  version: row.version,
  now: row.updatedAt,
});

const assertStands = (row: ScheduleRow): void => {
  const issues = scheduleIssues(row);
  if (issues.length > 0) throw new Failure('validation_failed', { issues });
};

type Explanation = ReturnType<typeof explainSchedule>['_']['result'][number] | undefined;

const refuse = (why: Explanation, isNew: boolean): void => {
  const issues: FieldIssue[] = [];
  if (isNew && !why?.doctorServes) issues.push({ path: 'doctor_id', rule: 'not_found' });
  if (!why?.sessionServes) issues.push({ path: 'session_id', rule: 'not_found' });
  if (issues.length > 0) throw new Failure('validation_failed', { issues });
  if (!why?.noOverlap)
    throw new Failure('schedule_overlap', { issues: [{ path: 'start_time', rule: 'overlap' }] });
};

export const createSchedule = async (deps: Deps, by: Author, wish: BodyOf<typeof CreateSchedule>) => {
  const { now } = by;
  const row = {
    id: deps.newId(),
    doctorId: wish.doctor_id,
    sessionId: wish.session_id,
    weekday: wish.weekday,
    startTime: wish.start_time,
    endTime: wish.end_time,
    slotMinutes: wish.slot_minutes,
    capacity: wish.capacity,
    validFrom: wish.valid_from,
    validUntil: wish.valid_until,
    version: 1,
    retiredAt: null,
    createdAt: now,
    updatedAt: now,
  };
  assertStands(row);
  const wished = wishedOf(row);
  const { why, written } = await runAll(deps.db, {
    why: explainSchedule(deps.db, wished),
    written: insertSchedule(deps.db, wished),
    event: recordIfChanged(deps.db, changeEvent(deps, by, 'schedule_created', { schedule_id: row.id })),
    calendar: raiseDoctorCalendar(deps.db, row.doctorId),
  });
  if (written.length === 0) refuse(why[0], true);
  return scheduleView(row);
};

export const changeSchedule = (deps: Deps, by: Author, id: string, wish: BodyOf<typeof ChangeSchedule>) =>
  changeAsRead(
    wish.version,
    () => run(deps.db, findSchedule(deps.db, { id })),
    async (row) => {
      const { now } = by;
      const after = {
        ...row,
        sessionId: wish.session_id ?? row.sessionId,
        weekday: wish.weekday ?? row.weekday,
        startTime: wish.start_time ?? row.startTime,
        endTime: wish.end_time ?? row.endTime,
        slotMinutes: wish.slot_minutes ?? row.slotMinutes,
        capacity: wish.capacity ?? row.capacity,
        validFrom: wish.valid_from === undefined ? row.validFrom : wish.valid_from,
        validUntil: wish.valid_until === undefined ? row.validUntil : wish.valid_until,
        retiredAt: retiredAtAfter(row.retiredAt, wish.active, now),
        version: row.version + 1,
        updatedAt: now,
      };
      assertStands(after);
      const wished = wishedOf(after);
      const {
        why: [why],
        written,
      } = await runAll(deps.db, {
        why: explainSchedule(deps.db, wished),
        written: updateSchedule(deps.db, wished),
        event: recordIfChanged(deps.db, changeEvent(deps, by, 'schedule_changed', { schedule_id: id }, wish)),
        calendar: raiseDoctorCalendar(deps.db, row.doctorId),
      });
      if (written.length > 0) return scheduleView(after);
      if (after.sessionId !== row.sessionId || !why?.noOverlap)
        refuse(after.sessionId === row.sessionId && why ? { ...why, sessionServes: 1 } : why, false);
      return null;
    },
  );
