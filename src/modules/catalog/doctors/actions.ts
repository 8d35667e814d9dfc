import { run, runAll } from '../../../core/db/db.ts';
import { unlessExternalIdTaken } from '../../../core/db/external-fields.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { ResponseToStore } from '../../../core/idempotency/key.ts';
import { storeOnly } from '../../../core/idempotency/queries.ts';
import { changeEvent, recordIfChanged, recordSecurityEvent } from '../../auth/audit/queries.ts';
import type { Author } from '../../auth/audit/rules.ts';
import { affectedView } from '../affected.ts';
import { findOfDoctor, renameDoctor } from '../affected-queries.ts';
import { created } from '../answers.ts';
import { changeAsRead, recordView, retiredAtAfter } from '../change.ts';
import { doctorFields } from '../fields/doctors.ts';
import { sharedView } from '../schedules/actions.ts';
import { findSharingWith } from '../schedules/queries.ts';
import { findDoctor } from '../slots/queries.ts';
import type { ChangeDoctor, CreateDoctor } from './contract.ts';
import { type DoctorRow, insertDoctor, updateDoctor } from './queries.ts';

export const doctorView = (row: DoctorRow) => ({
  id: row.id,
  ...doctorFields.view(row),
  active: row.retiredAt === null,
  ...recordView(row),
});

export const createDoctor = async (
  deps: Deps,
  by: Author,
  input: BodyOf<typeof CreateDoctor>,
  toStoredResponse: ResponseToStore,
) => {
  const { now } = by;
  const times = { createdAt: now, updatedAt: now, retiredAt: null };
  const row = {
    id: deps.newId(),
    ...doctorFields.columns(input),
    words: null,
    version: 1,
    calendarVersion: 1,
    ...times,
  };
  const event = changeEvent(deps, by, 'doctor_created', { doctor_id: row.id });
  const data = doctorView(row);
  await unlessExternalIdTaken(
    runAll(deps.db, [
      recordSecurityEvent(deps.db, event),
      ...insertDoctor(deps.db, row),
      ...storeOnly(deps.db, event, toStoredResponse(created(data))),
    ]),
  );
  return data;
};

/** Changes a doctor; one who retires leaves upcoming bookings, and one who returns may share a room: both are listed. */
export const changeDoctor = (deps: Deps, by: Author, id: string, input: BodyOf<typeof ChangeDoctor>) =>
  changeAsRead(
    input.version,
    () => run(deps.db, findDoctor(deps.db, { doctorId: id })),
    async (row) => {
      const { db, clinicTime } = deps;
      const { now } = by;
      const after = {
        ...doctorFields.changed(row, input),
        retiredAt: retiredAtAfter(row.retiredAt, input.active, now),
        version: row.version + 1,
        updatedAt: now,
      };
      const [update, ...words] = updateDoctor(db, after);
      const {
        written: [written],
        affected,
        shared: [shared = []],
      } = await unlessExternalIdTaken(
        runAll(db, {
          shared:
            row.retiredAt !== null && after.retiredAt === null
              ? [findSharingWith(db, { doctorId: id, now })]
              : [],
          written: update,
          // Must follow the update directly: it is recorded only if that statement changed a row.
          event: recordIfChanged(db, changeEvent(deps, by, 'doctor_changed', { doctor_id: id }, input)),
          affected: findOfDoctor(db, now, clinicTime.dateOf(now), id),
          words,
          names:
            after.name === row.name && after.title === row.title
              ? []
              : [renameDoctor(db, now, clinicTime.dateOf(now), id)],
        }),
      );
      const room_shared_with = sharedView(shared);
      if (written === undefined) {
        const [current] = await run(db, findDoctor(db, { doctorId: id }));
        // One that was changed meanwhile is decided again, by its version first.
        if (current?.version === row.version && shared.some(({ isRefused }) => isRefused === 1))
          throw new Failure('room_shared', { extras: { schedules: room_shared_with } });
        return null;
      }
      const left = affectedView(after.retiredAt === null ? [] : affected, by);
      return { data: doctorView(written), meta: { ...left, room_shared_with } };
    },
  );
