import type { Db } from '../../../core/db/db.ts';
import { Unavailable } from '../../../core/endpoint/errors.ts';
import { ClinicBroken } from '../../../modules/clinics/opener.ts';
import type { ClinicEntry } from '../../../modules/clinics/queries.ts';
import { changeSettings } from '../../../modules/clinics/settings.ts';
import { countToday } from '../../../modules/operators/figure-queries.ts';
import type { ClinicFigures, ClinicHosting } from '../../../modules/operators/hosting.ts';
import { sizeOfFile } from '../checks/size.ts';
import { archivePathOf } from '../database/archive.ts';
import { pathsBeside } from '../database/database-file.ts';
import { knownMigrations } from '../database/migrations.ts';
import type { AllSettings } from '../settings.ts';
import { addClinic, type createClinicMaker, makeLink } from './add-clinics.ts';
import type { ClinicsBackups } from './backups.ts';
import type { OpenService } from './clinic-service.ts';
import { assertNobodys, clinicPath, type readClinicsSecrets } from './directory-file.ts';
import { dumpFile, receivedLines, receivePart, removeDatabase } from './file-copies.ts';
import type { Machines } from './machines/machines.ts';
import type { OpenClinics } from './open-clinics.ts';

/** How long a figure of a clinic is shown before it is counted again, in milliseconds. */
const freshMs = 60_000;
const mostKept = 1_000;

interface Needs extends Pick<ClinicHosting, 'changed'> {
  folder: string;
  settings: AllSettings;
  secrets: ReturnType<typeof readClinicsSecrets>;
  directory: Db;
  maker: ReturnType<typeof createClinicMaker>;
  clinics: Pick<OpenClinics<OpenService>, 'use'>;
  /** The other machines; null where this one is alone. */
  machines: Pick<Machines, 'leases'> | null;
  /** Does work on a clinic's file while no other machine has it; throws if one has. */
  held: <T>(clinic: ClinicEntry, work: () => Promise<T>) => Promise<T>;
  backups: ClinicsBackups | null;
  failuresOf: (clinicId: string) => number;
  clock: () => number;
}

/** What this process can tell operators of its clinics, and do for them. */
export const createHosting = ({
  folder,
  settings,
  secrets,
  directory,
  maker,
  clinics,
  machines,
  held,
  backups,
  failuresOf,
  clock,
  changed,
}: Needs): ClinicHosting => {
  const key = settings.DATABASE_KEY;
  const pathOf = (clinic: ClinicEntry): string => clinicPath(folder, clinic);
  /** Whether this machine has it, and not only looks at it. */
  const isHere = ({ id }: ClinicEntry): boolean => machines === null || machines.leases.holds(id);
  const ownerOf = async ({ id }: ClinicEntry): Promise<string | null> => {
    if (machines === null) return null;
    if (machines.leases.holds(id)) return settings.CLINICS_ADDRESS ?? null;
    const owner = await machines.leases.findElsewhere(id);
    return owner === null || owner.address === '' ? null : owner.address;
  };
  const known = new Map<string, { count: number; until: number }>();
  const countBookings = async (
    clinic: ClinicEntry,
  ): Promise<Pick<ClinicFigures, 'bookingsToday' | 'problem'>> => {
    const { problem } = clinic;
    if (clinic.state === 'closed' || problem !== null || !isHere(clinic))
      return { bookingsToday: null, problem };
    const before = known.get(clinic.id);
    if (before !== undefined && before.until > clock()) return { bookingsToday: before.count, problem };
    try {
      const count = await clinics.use(clinic, async ({ deps }, release) => {
        const found = await countToday(deps.db, clinic.timeZone, clock());
        release();
        return found;
      });
      known.delete(clinic.id);
      known.set(clinic.id, { count, until: clock() + freshMs });
      if (known.size > mostKept) known.delete(known.keys().next().value ?? '');
      return { bookingsToday: count, problem };
    } catch (error) {
      // Its line in the directory says so a moment later.
      if (error instanceof ClinicBroken) return { bookingsToday: null, problem: error.message };
      if (error instanceof Unavailable) return { bookingsToday: null, problem };
      throw error;
    }
  };
  return {
    changed,
    timeZone: settings.CLINIC_TIME_ZONE,
    look: async (clinic) => {
      const migrations = knownMigrations();
      const at = migrations.findIndex(({ madeAt }) => madeAt === clinic.schema);
      return {
        dueAt: clinic.dueAt,
        bytes: sizeOfFile(pathOf(clinic)),
        archiveBytes: sizeOfFile(archivePathOf(pathOf(clinic))),
        ...(await countBookings(clinic)),
        failures: isHere(clinic) ? failuresOf(clinic.id) : null,
        owner: await ownerOf(clinic),
        backup: backups?.readState(clinic.id) ?? null,
        schema: migrations[at]?.name ?? null,
        isCurrent: at === migrations.length - 1,
        restoredLines: clinic.state === 'closed' ? receivedLines(pathOf(clinic), key) : null,
      };
    },
    add: (described, recorded) =>
      addClinic(described, { directory, folder, settings, maker, now: clock(), recorded }),
    link: (clinic) => held(clinic, () => makeLink(clinic, { folder, settings, now: clock() })),
    settle: (clinic, changes) => changeSettings(clinic, changes, settings, secrets),
    dump: (clinic) => held(clinic, () => dumpFile(pathOf(clinic), key)),
    restore: (clinic, part) =>
      held(clinic, () =>
        receivePart(pathOf(clinic), part, clinic.timeZone, { make: (path) => maker.make(folder, path), key }),
      ),
    // Backups of the file are what brings one back.
    rewind: null,
    erase: (clinic) =>
      held(clinic, async () => {
        await assertNobodys(directory, folder, pathsBeside(pathOf(clinic)));
        removeDatabase(pathOf(clinic));
      }),
  };
};
