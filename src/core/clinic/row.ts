import { eq, isNull, sql } from 'drizzle-orm';
import type { ClinicIdentity } from '../crypto/clinic-keys.ts';
import { type Db, run, runAll } from '../db/db.ts';
import { statement } from '../db/statement.ts';
import { anyAdmin } from '../tables/accounts.ts';
import { clinic } from '../tables/catalog.ts';

/** Thrown if the settings contradict the database; its message is for the person who starts the service. */
export class ClinicMismatch extends Error {}

/** The data of its clinic that a service reads before it serves requests. */
export interface Clinic {
  clinicId: string;
  /** The id that the database has, which no setting changes. */
  storedId: string;
  /** Until when keys from before clinics had ids are valid, in a database of that age. */
  legacyKeysUntil: number | null;
  /** Whether it was sealed before there was a DATA_KEY, and not rekeyed since. */
  sealedByJwt: boolean;
  demoSince: number | null;
  hasAdmin: boolean;
}

/** Built once, however many clinics a process opens. */
const findClinic = statement((db) =>
  db
    .select({
      clinicId: clinic.clinicId,
      timeZone: clinic.timeZone,
      rezoningTo: clinic.rezoningTo,
      legacyKeysUntil: clinic.legacyKeysUntil,
      sealedByJwt: clinic.sealedByJwt,
      demoSince: clinic.demoSince,
      hasAdmin: sql<number>`${anyAdmin}`.as('has_admin'),
    })
    .from(clinic)
    .where(eq(clinic.id, 1)),
);

/** The row of a clinic that begins. */
export const newClinic = (db: Db, { clinicId, timeZone }: { clinicId: string; timeZone: string }) =>
  db.insert(clinic).values({ id: 1, clinicId, timeZone, calendarVersion: 1, sealedByJwt: false });

/**
 * Writes the clinic's zone and its id into a new database and refuses any other zone in one that was filled: local
 * times are the truth, and reading them in another zone would move every booking. The setting's id wins over the
 * database's own.
 */
export const ensureClinic = async (db: Db, timeZone: string, clinicId?: string): Promise<Clinic> => {
  const made = clinicId ?? crypto.randomUUID();
  // Nearly every database has its clinic: a start then takes no lock of it, and writes nothing.
  const seen = await run(db, findClinic(db, {}));
  const isThere = typeof seen[0]?.clinicId === 'string';
  const { found } = isThere
    ? { found: seen }
    : await runAll(db, {
        made: newClinic(db, { clinicId: made, timeZone }).onConflictDoUpdate({
          target: clinic.id,
          set: { clinicId: made },
          setWhere: isNull(clinic.clinicId),
        }),
        found: findClinic(db, {}),
      });
  const [row] = found;
  if (row === undefined) throw new ClinicMismatch('The database has no clinic.');
  if (row.rezoningTo !== null)
    throw new ClinicMismatch(
      `The database is on its way from ${row.timeZone} to ${row.rezoningTo}: end that with \`janji rezone --to ${row.rezoningTo} --apply\`.`,
    );
  if (row.timeZone !== timeZone)
    throw new ClinicMismatch(
      `CLINIC_TIME_ZONE is ${timeZone}, but the database was filled in ${row.timeZone}: set it back, or move the bookings with \`janji rezone --to ${timeZone}\`.`,
    );
  return {
    clinicId: clinicId ?? row.clinicId ?? made,
    storedId: row.clinicId ?? made,
    legacyKeysUntil: row.legacyKeysUntil,
    sealedByJwt: row.sealedByJwt,
    demoSince: row.demoSince,
    hasAdmin: Boolean(row.hasAdmin),
  };
};

/** The clinic whose keys are in use. */
export const toClinicIdentity = (
  { clinicId, legacyKeysUntil, sealedByJwt }: Omit<Clinic, 'storedId' | 'demoSince' | 'hasAdmin'>,
  now: number,
): ClinicIdentity => ({
  clinicId,
  hasLegacyKeys: legacyKeysUntil !== null && legacyKeysUntil > now,
  legacyKeysUntil,
  sealedByJwt,
});

/** From now on JWT_SECRET opens nothing of this database: everything that it sealed is sealed by DATA_KEY. */
export const endSealedByJwt = (db: Db) =>
  db.update(clinic).set({ sealedByJwt: false }).where(eq(clinic.id, 1));

/** Increases the clinic's calendar version, in the same batch as the change that requires it. */
export const raiseClinicCalendar = (db: Db) =>
  db
    .update(clinic)
    .set({ calendarVersion: sql`${clinic.calendarVersion} + 1` })
    .where(eq(clinic.id, 1));
