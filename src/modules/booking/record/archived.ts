import {
  type ArchivedRow,
  findArchivedById,
  findArchivedEvents,
  findArchivedOfPatients,
} from '../../../core/archive/queries.ts';
import { type Both, readArchived } from '../../../core/archive/read.ts';
import { run } from '../../../core/db/db.ts';
import { findActors, findPatientsOfArchived } from './archived-queries.ts';
import type { BookingRow, SeenBooking } from './queries.ts';

type PatientShown = ReturnType<typeof findPatientsOfArchived>['_']['result'][number];

/** An archived booking with its patient, as an account sees it. */
export type ArchivedBooking = SeenBooking & { toAnswer: null; archived: PatientShown };

/** What an erasure takes out of a booking, before the archive has followed it. */
const erasedTexts: Partial<BookingRow> = {
  notes: '',
  staffNotes: '',
  cancelReason: null,
  referralNumber: null,
  answers: null,
  externalId: null,
  metadata: null,
};

const nobody = { name: '', phoneCountryCode: '', phoneNumber: '', isErased: 1, isFamily: 0 };

/** Archived bookings with their patients, in the same order; a record that is gone was erased. */
export const withPatients = async (
  { db }: Both,
  rows: readonly ArchivedRow[],
  accountId: string,
): Promise<ArchivedBooking[]> => {
  if (rows.length === 0) return [];
  const ids = JSON.stringify([...new Set(rows.map(({ patientId }) => patientId))]);
  const found = await run(db, findPatientsOfArchived(db, { ids, accountId }));
  const patients = new Map(found.map((row) => [row.named, row]));
  return rows.map(({ settled: _, ...row }) => {
    const { patientId: named } = row;
    const archived = patients.get(named) ?? { ...nobody, named, id: named };
    const { id: patientId, isFamily, isErased } = archived;
    return { ...row, ...(isErased && erasedTexts), patientId, isFamily, toAnswer: null, archived };
  });
};

const end = Number.MAX_SAFE_INTEGER;
const everything = {
  fromStart: 0,
  beforeStart: end,
  endsBy: end,
  cursorStart: end,
  cursorId: '',
  status: null,
  doctorId: null,
};

/** The archived bookings of some patients, the newest first, as an account sees them. */
export const readOfPatients = async (
  both: Both,
  accountId: string,
  patientIds: readonly string[],
  limit: number,
  narrowed: Partial<Parameters<typeof findArchivedOfPatients>[1]> = {},
): Promise<ArchivedBooking[]> => {
  const wanted = { ...everything, ...narrowed, patientIds: JSON.stringify(patientIds) };
  const ask = (db: Both['db'], most: number) => findArchivedOfPatients(db, { ...wanted, limit: most });
  return withPatients(both, await readArchived(both, ask, limit), accountId);
};

/** The patient that the clinic, or the account, sees with an archived booking. */
export const patientOfArchived = ({ archived }: ArchivedBooking) => ({
  id: archived.id,
  name: archived.name,
  phone_country_code: archived.phoneCountryCode,
  phone_number: archived.phoneNumber,
});

export const findInArchive = async (
  both: Both,
  id: string,
  accountId: string,
): Promise<ArchivedBooking | undefined> => {
  if (both.archive === undefined) return undefined;
  const ids = JSON.stringify([id]);
  const rows = await readArchived(both, (db) => findArchivedById(db, { ids }), 1);
  return (await withPatients(both, rows, accountId))[0];
};

/** The events of an archived booking after a version, as `findEvents` reads those of the others. */
export const findEventsInArchive = async (
  { db, archive }: Both,
  id: string,
  afterVersion: number,
  limit: number,
) => {
  if (archive === undefined) return [];
  const wanted = { ids: JSON.stringify([id]), afterVersion, limit };
  const events = await run(archive.db, findArchivedEvents(archive.db, wanted));
  const ids = JSON.stringify([...new Set(events.flatMap(({ actorId }) => actorId ?? []))]);
  const actors = await run(db, findActors(db, { ids }));
  const names = new Map(actors.map(({ id: actor, name }) => [actor, name]));
  return events.map((event) => ({ ...event, actorName: names.get(event.actorId ?? '') ?? null }));
};
