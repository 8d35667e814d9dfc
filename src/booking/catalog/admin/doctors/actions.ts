import { run, runAll } from '../../../../db/db.ts';
import type { Deps } from '../../../../deps.ts';
import type { BodyOf } from '../../../../endpoint.ts';
import { findDoctor } from '../../queries.ts';
import { findOfDoctor } from '../affected.queries.ts';
import { affectedView } from '../affected.ts';
import { changeAsRead, recordView, retiredAtAfter } from '../change.ts';
import type { ChangeDoctor, CreateDoctor } from './contract.ts';
import { type DoctorRow, insertDoctor, updateDoctor } from './queries.ts';

export const doctorView = (row: DoctorRow) => ({
  id: row.id,
  name: row.name,
  title: row.title,
  specialty: row.specialty,
  active: row.retiredAt === null,
  ...recordView(row),
});

export const createDoctor = async (deps: Deps, now: number, wish: BodyOf<typeof CreateDoctor>) => {
  const times = { createdAt: now, updatedAt: now, retiredAt: null };
  const { name, title, specialty } = wish;
  const row = { id: deps.newId(), name, title, specialty, version: 1, calendarVersion: 1, ...times };
  await runAll(deps.db, insertDoctor(deps.db, row));
  return doctorView(row);
};

/** Changes a doctor, with the coming bookings of one who is retired by it. */
export const changeDoctor = (deps: Deps, now: number, id: string, wish: BodyOf<typeof ChangeDoctor>) =>
  changeAsRead(
    wish.version,
    () => run(deps.db, findDoctor(deps.db, { doctorId: id })),
    async (row) => {
      const { db, clinicTime } = deps;
      const after = {
        ...row,
        name: wish.name ?? row.name,
        title: wish.title ?? row.title,
        specialty: wish.specialty ?? row.specialty,
        retiredAt: retiredAtAfter(row.retiredAt, wish.active, now),
        version: row.version + 1,
        updatedAt: now,
      };
      const { update, affected } = await runAll(db, {
        update: updateDoctor(db, after),
        affected: findOfDoctor(db, now, clinicTime.dateOf(now), id),
      });
      const [[written]] = update;
      if (written === undefined) return null;
      return { data: doctorView(written), meta: affectedView(after.retiredAt === null ? [] : affected) };
    },
  );
