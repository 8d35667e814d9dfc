import { run, runAll } from '../../../../db/db.ts';
import type { Deps } from '../../../../deps.ts';
import type { BodyOf } from '../../../../endpoint.ts';
import { changeAsRead, recordView, retiredAtAfter } from '../change.ts';
import type { ChangeSession } from './contract.ts';
import { findSession, insertSession, type SessionRow, updateSession } from './queries.ts';

export const sessionView = (row: SessionRow) => ({
  id: row.id,
  name: row.name,
  active: row.retiredAt === null,
  ...recordView(row),
});

export const createSession = async (deps: Deps, now: number, { name }: { name: string }) => {
  const row = { id: deps.newId(), name, version: 1, retiredAt: null, createdAt: now, updatedAt: now };
  await run(deps.db, insertSession(deps.db, row));
  return sessionView(row);
};

export const changeSession = (deps: Deps, now: number, id: string, wish: BodyOf<typeof ChangeSession>) =>
  changeAsRead(
    wish.version,
    () => run(deps.db, findSession(deps.db, { id })),
    async (row) => {
      const after = {
        ...row,
        name: wish.name ?? row.name,
        retiredAt: retiredAtAfter(row.retiredAt, wish.active, now),
        version: row.version + 1,
        updatedAt: now,
      };
      const [[written]] = await runAll(deps.db, updateSession(deps.db, after));
      return written === undefined ? null : sessionView(written);
    },
  );
