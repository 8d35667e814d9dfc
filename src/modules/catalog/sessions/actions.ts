import { run, runAll } from '../../../core/db/db.ts';
import { unlessExternalIdTaken } from '../../../core/db/external-fields.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import type { ResponseToStore } from '../../../core/idempotency/key.ts';
import { storeOnly } from '../../../core/idempotency/queries.ts';
import { changeEvent, recordIfChanged, recordSecurityEvent } from '../../auth/audit/queries.ts';
import type { Author } from '../../auth/audit/rules.ts';
import { affectedView } from '../affected.ts';
import { askOfSession, findOfSession, renameSession } from '../affected-queries.ts';
import { created } from '../answers.ts';
import { changeAsRead, recordView, retiredAtAfter } from '../change.ts';
import { sessionFields } from '../fields/sessions.ts';
import type { ChangeSession, CreateSession } from './contract.ts';
import { findSession, insertSession, type SessionRow, updateSession } from './queries.ts';

export const sessionView = (row: SessionRow) => ({
  id: row.id,
  ...sessionFields.view(row),
  active: row.retiredAt === null,
  ...recordView(row),
});

export const createSession = async (
  deps: Deps,
  by: Author,
  input: BodyOf<typeof CreateSession>,
  toStoredResponse: ResponseToStore,
) => {
  const { now } = by;
  const row = {
    id: deps.newId(),
    ...sessionFields.columns(input),
    version: 1,
    retiredAt: null,
    createdAt: now,
    updatedAt: now,
  };
  const event = changeEvent(deps, by, 'session_created', { session_id: row.id });
  const data = sessionView(row);
  await unlessExternalIdTaken(
    runAll(deps.db, [
      insertSession(deps.db, row),
      recordSecurityEvent(deps.db, event),
      ...storeOnly(deps.db, event, toStoredResponse(created(data))),
    ]),
  );
  return data;
};

/** Changes a session; if the change retires it, also lists the upcoming bookings. */
export const changeSession = (deps: Deps, by: Author, id: string, input: BodyOf<typeof ChangeSession>) =>
  changeAsRead(
    input.version,
    () => run(deps.db, findSession(deps.db, { id })),
    async (row) => {
      const { now } = by;
      const after = {
        ...sessionFields.changed(row, input),
        retiredAt: retiredAtAfter(row.retiredAt, input.active, now),
        version: row.version + 1,
        updatedAt: now,
      };
      const { db, clinicTime } = deps;
      const [update, raise] = updateSession(db, after);
      const event = changeEvent(deps, by, 'session_changed', { session_id: id }, input);
      const today = clinicTime.dateOf(now);
      const {
        update: [written],
        affected,
      } = await unlessExternalIdTaken(
        runAll(db, {
          update,
          event: recordIfChanged(db, event),
          raise,
          affected: findOfSession(db, now, today, id),
          names: after.name === row.name ? [] : [renameSession(db, now, today, id)],
          asked: row.questions === null && after.questions !== null ? [askOfSession(db, now, today, id)] : [],
        }),
      );
      if (written === undefined) return null;
      return { data: sessionView(written), meta: affectedView(after.retiredAt === null ? [] : affected, by) };
    },
  );
