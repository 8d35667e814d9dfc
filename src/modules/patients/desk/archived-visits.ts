import { countArchivedVisits } from '../../../core/archive/queries.ts';
import type { Both } from '../../../core/archive/read.ts';
import { run } from '../../../core/db/db.ts';

interface Counts {
  completed: number;
  noShows: number;
  cancellations: number;
}

/** How often a patient came, did not come and canceled, with what is archived. The last visit never is. */
export const withArchivedVisits = async <C extends Counts>(
  { archive }: Both,
  patientId: string,
  own: C | undefined,
): Promise<C | undefined> => {
  if (archive === undefined || own === undefined) return own;
  const [archived] = await run(archive.db, countArchivedVisits(archive.db, { patientId }));
  if (archived === undefined) return own;
  return {
    ...own,
    completed: own.completed + archived.completed,
    noShows: own.noShows + archived.noShows,
    cancellations: own.cancellations + archived.cancellations,
  };
};
