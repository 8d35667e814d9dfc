import { run, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { recordSubjectEventIfAudited, type SubjectEvent } from '../../../core/events/queries.ts';
import type { ResponseToStore } from '../../../core/idempotency/key.ts';
import { storeOnly } from '../../../core/idempotency/queries.ts';
import { changeEvent, recordIfChanged, recordSecurityEvent } from '../../auth/audit/queries.ts';
import type { Author } from '../../auth/audit/rules.ts';
import { affectedView } from '../affected.ts';
import { findUnderClosure } from '../affected-queries.ts';
import { created } from '../answers.ts';
import { changeAsRead, recordView } from '../change.ts';
import { closureFields } from '../fields/closures.ts';
import { closureIssues } from '../rules.ts';
import { findDoctor } from '../slots/queries.ts';
import type { Booker } from '../slots/rules.ts';
import type { ChangeClosure, CreateClosure } from './contract.ts';
import { type ClosureRow, deleteClosure, findClosure, insertClosure, updateClosure } from './queries.ts';
import { closedFor, mayManage } from './rules.ts';

export const closureView = (row: ClosureRow) => ({
  id: row.id,
  doctor_id: row.doctorId,
  ...closureFields.view(row),
  ...recordView(row),
});

/** Throws for a closure that is somebody else's to make, change, delete or resolve. */
export const assertMayManage = (closure: Pick<ClosureRow, 'doctorId'>, person: Booker): void => {
  if (!mayManage(closure, person)) throw new Failure('forbidden');
};

const assertStands = (row: ClosureRow): void => {
  const issues = closureIssues(row);
  if (issues.length > 0) throw new Failure('validation_failed', { issues });
};

// A doctor is never deleted, only retired: a doctor that was found still exists when the closure is written.
const assertDoctor = async ({ db }: Deps, doctorId: string | null): Promise<void> => {
  if (doctorId === null) return;
  const [doctor] = await run(db, findDoctor(db, { doctorId }));
  if (doctor === undefined)
    throw new Failure('validation_failed', { issues: [{ path: 'doctor_id', rule: 'not_found' }] });
};

/** The webhook event of a closure. */
export const closureEvent = (
  by: Author,
  type: 'closure.created' | 'closure.removed',
  writeId: string,
  row: ClosureRow,
): SubjectEvent => ({
  writeId,
  type,
  subjectId: row.id,
  actorId: by.actorId,
  actorRole: by.role,
  requestId: by.requestId,
  now: by.now,
  data: {
    closure_id: row.id,
    doctor_id: row.doctorId,
    start_date: row.startDate,
    end_date: row.endDate,
    start_time: row.startTime,
    end_time: row.endTime,
  },
});

/** Closes the time to new bookings, and in the same step finds the bookings that already exist there. */
export const createClosure = async (
  deps: Deps,
  by: Author,
  input: BodyOf<typeof CreateClosure>,
  toStoredResponse: ResponseToStore,
) => {
  const { now } = by;
  const row = {
    id: deps.newId(),
    doctorId: input.doctor_id,
    ...closureFields.columns({ ...input, end_date: input.end_date ?? input.start_date }),
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  assertStands(row);
  await assertDoctor(deps, row.doctorId);
  const event = changeEvent(deps, by, 'closure_created', { closure_id: row.id });
  const { affected } = await runAll(deps.db, {
    insert: insertClosure(deps.db, row),
    affected: findUnderClosure(deps.db, now, row),
    event: recordSecurityEvent(deps.db, event),
    webhookEvent: recordSubjectEventIfAudited(
      deps.db,
      closureEvent(by, 'closure.created', event.writeId, row),
    ),
    response: storeOnly(deps.db, event, toStoredResponse(created(closureView(row)))),
  });
  deps.eventsWritten();
  return { data: closureView(row), meta: affectedView(affected, by) };
};

export const showClosure = async (deps: Deps, now: number, person: Booker, row: ClosureRow) => ({
  data: closureView(row),
  meta: affectedView(await run(deps.db, findUnderClosure(deps.db, now, closedFor(row, person))), person),
});

export const changeClosure = (deps: Deps, by: Author, id: string, input: BodyOf<typeof ChangeClosure>) =>
  changeAsRead(
    input.version,
    () => run(deps.db, findClosure(deps.db, { id })),
    async (row) => {
      const { now } = by;
      const after = {
        ...closureFields.changed(row, input),
        version: row.version + 1,
        updatedAt: now,
      };
      assertStands(after);
      const [update, raise] = updateClosure(deps.db, after);
      const { written, affected } = await runAll(deps.db, {
        written: update,
        // Must follow the update directly: it is recorded only if that statement changed a row.
        event: recordIfChanged(deps.db, changeEvent(deps, by, 'closure_changed', { closure_id: id }, input)),
        affected: findUnderClosure(deps.db, now, after),
        raise,
      });
      return written.length === 0 ? null : { data: closureView(after), meta: affectedView(affected, by) };
    },
  );

export const removeClosure = async (deps: Deps, by: Author, row: ClosureRow) => {
  const [remove, raise] = deleteClosure(deps.db, row);
  const event = changeEvent(deps, by, 'closure_deleted', { closure_id: row.id });
  const webhookEvent = recordSubjectEventIfAudited(
    deps.db,
    closureEvent(by, 'closure.removed', event.writeId, row),
  );
  await runAll(deps.db, [remove, recordIfChanged(deps.db, event), webhookEvent, raise]);
  deps.eventsWritten();
};
