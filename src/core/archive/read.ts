import { type Db, run, type Statement } from '../db/db.ts';
import type { Archive } from './archive.ts';
import { type ArchivedRow, findStanding } from './queries.ts';

/** Both databases of a clinic; without an archive nothing is read of it. */
export interface Both {
  db: Db;
  archive?: Archive | undefined;
}

/**
 * Rows of the archive, without those that have not left the clinic's own database: it is read first, so that a booking
 * that moves meanwhile is found there, or here. `ask` is called with how many rows are wanted.
 */
export const readArchived = async (
  { db, archive }: Both,
  ask: (archive: Db, limit: number) => Statement<ArchivedRow[]>,
  limit: number,
): Promise<ArchivedRow[]> => {
  if (archive === undefined) return [];
  for (let wanted = limit; ; wanted *= 2) {
    const rows = await run(archive.db, ask(archive.db, wanted));
    const open = rows.filter(({ settled }) => settled === 0).map(({ id }) => id);
    if (open.length === 0) return rows;
    const standing = await run(db, findStanding(db, { ids: JSON.stringify(open) }));
    const here = new Set(standing.map(({ id }) => id));
    const gone = rows.filter(({ id }) => !here.has(id));
    if (gone.length >= limit || rows.length < wanted) return gone.slice(0, limit);
  }
};
