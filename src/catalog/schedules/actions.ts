import { changeEvent, recordIfChanged } from '../../auth/audit/queries.ts';
import type { Author } from '../../auth/audit/rules.ts';
import { run, runAll } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import type { BodyOf } from '../../endpoint/endpoint.ts';
import { Failure } from '../../endpoint/errors.ts';
import type { FieldIssue } from '../../endpoint/field-sentences.ts';
import type { ResponseToStore } from '../../idempotency/key.ts';
import { assertNotRepeated, storeOnly } from '../../idempotency/queries.ts';
import { created } from '../answers.ts';
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
  room: row.room,
  valid_from: row.validFrom,
  valid_until: row.validUntil,
});

export const scheduleView = (row: ScheduleRow) => ({
  ...fieldsOf(row),
  active: row.retiredAt === null,
  ...recordView(row),
});

const requestedValues = ({ createdAt: _, updatedAt: now, ...row }: ScheduleRow) => ({ ...row, now });

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

export const createSchedule = async (
  deps: Deps,
  by: Author,
  input: BodyOf<typeof CreateSchedule>,
  storedResponseOf: ResponseToStore,
) => {
  const { now } = by;
  const row = {
    id: deps.newId(),
    doctorId: input.doctor_id,
    sessionId: input.session_id,
    weekday: input.weekday,
    startTime: input.start_time,
    endTime: input.end_time,
    slotMinutes: input.slot_minutes,
    capacity: input.capacity,
    room: input.room,
    validFrom: input.valid_from,
    validUntil: input.valid_until,
    version: 1,
    retiredAt: null,
    createdAt: now,
    updatedAt: now,
  };
  assertStands(row);
  const requested = requestedValues(row);
  const event = changeEvent(deps, by, 'schedule_created', { schedule_id: row.id });
  const data = scheduleView(row);
  const stored = storedResponseOf(created(data));
  const { why, written } = await runAll(deps.db, {
    why: explainSchedule(deps.db, requested),
    written: insertSchedule(deps.db, requested),
    event: recordIfChanged(deps.db, event),
    calendar: raiseDoctorCalendar(deps.db, row.doctorId),
    response: storeOnly(deps.db, event, stored),
  });
  if (written.length === 0) {
    // What overlaps may be what this request made when it came before.
    await assertNotRepeated(deps.db, event, stored);
    refuse(why[0], true);
  }
  return data;
};

export const changeSchedule = (deps: Deps, by: Author, id: string, input: BodyOf<typeof ChangeSchedule>) =>
  changeAsRead(
    input.version,
    () => run(deps.db, findSchedule(deps.db, { id })),
    async (row) => {
      const { now } = by;
      const after = {
        ...row,
        sessionId: input.session_id ?? row.sessionId,
        weekday: input.weekday ?? row.weekday,
        startTime: input.start_time ?? row.startTime,
        endTime: input.end_time ?? row.endTime,
        slotMinutes: input.slot_minutes ?? row.slotMinutes,
        capacity: input.capacity ?? row.capacity,
        room: input.room ?? row.room,
        validFrom: input.valid_from === undefined ? row.validFrom : input.valid_from,
        validUntil: input.valid_until === undefined ? row.validUntil : input.valid_until,
        retiredAt: retiredAtAfter(row.retiredAt, input.active, now),
        version: row.version + 1,
        updatedAt: now,
      };
      assertStands(after);
      const requested = requestedValues(after);
      const {
        why: [why],
        written,
      } = await runAll(deps.db, {
        why: explainSchedule(deps.db, requested),
        written: updateSchedule(deps.db, requested),
        event: recordIfChanged(
          deps.db,
          changeEvent(deps, by, 'schedule_changed', { schedule_id: id }, input),
        ),
        calendar: raiseDoctorCalendar(deps.db, row.doctorId),
      });
      if (written.length > 0) return scheduleView(after);
      if (after.sessionId !== row.sessionId || !why?.noOverlap)
        refuse(after.sessionId === row.sessionId && why ? { ...why, sessionServes: 1 } : why, false);
      return null;
    },
  );
