import { statSync } from 'node:fs';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { Unavailable } from '../../../core/endpoint/errors.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { liveStatuses } from '../../../core/tables/words.ts';
import type { ClinicEntry } from '../../../modules/clinics/queries.ts';
import type { Premises } from '../../../modules/operators/premises.ts';
import type { ClinicsBackups } from './backups.ts';
import type { OpenService } from './clinic-service.ts';
import { clinicPath } from './directory-file.ts';
import type { OpenClinics } from './open-clinics.ts';

/** How long a figure of a clinic is shown before it is counted again, in milliseconds. */
const freshMs = 60_000;
const mostKept = 1_000;

interface Needs extends Pick<Premises, 'add' | 'timeZone' | 'changed'> {
  folder: string;
  clinics: Pick<OpenClinics<OpenService>, 'use'>;
  backups: ClinicsBackups | null;
  failuresOf: (clinicId: string) => number;
  clock: () => number;
}

const countToday = async ({ deps }: OpenService): Promise<number> => {
  const date = deps.clinicTime.dateOf(deps.clock());
  const [row] = await deps.db
    .select({ count: sql<number>`count(*)`.as('bookings_of_day') })
    .from(bookings)
    .where(and(eq(bookings.scheduleDate, date), inArray(bookings.status, [...liveStatuses])));
  return row?.count ?? 0;
};

/** What this process can tell operators of its clinics, and do for them. */
export const createPremises = ({
  folder,
  clinics,
  backups,
  failuresOf,
  clock,
  ...given
}: Needs): Premises => {
  const known = new Map<string, { count: number; until: number }>();
  const bookingsToday = async (clinic: ClinicEntry): Promise<number | null> => {
    if (clinic.state === 'closed' || clinic.problem !== null) return null;
    const before = known.get(clinic.id);
    if (before !== undefined && before.until > clock()) return before.count;
    try {
      const count = await clinics.use(clinic, async (opened, release) => {
        const found = await countToday(opened);
        release();
        return found;
      });
      known.delete(clinic.id);
      known.set(clinic.id, { count, until: clock() + freshMs });
      if (known.size > mostKept) known.delete(known.keys().next().value ?? '');
      return count;
    } catch (error) {
      // One that cannot be opened now is shown without it.
      if (error instanceof Unavailable) return null;
      throw error;
    }
  };
  return {
    ...given,
    look: async (clinic) => ({
      bytes: statSync(clinicPath(folder, clinic), { throwIfNoEntry: false })?.size ?? null,
      bookingsToday: await bookingsToday(clinic),
      failures: failuresOf(clinic.id),
      backup: backups?.readState(clinic.id) ?? null,
    }),
  };
};
