import { externalView } from '../../../core/db/external-fields.ts';
import type { Deps } from '../../../core/deps.ts';
import { isoOrNull, toIso } from '../../../core/endpoint/instants.ts';
import type { patients } from '../../../core/tables/patients.ts';
import type { RelationWithSelf } from '../../../core/tables/words.ts';
import { openNumber } from '../numbers/numbers.ts';
import { patientFields } from './fields.ts';
import { masked } from './rules.ts';

type Row = typeof patients.$inferSelect;

const maskedOrNull = (number: string | null): string | null => number && masked(number);

/** A patient as lists show one; `number` says how much of the national and insurance number is shown. */
const toSummary = async (
  deps: Deps,
  row: Row,
  accountEmail: string | null,
  shown: (number: string | null) => string | null,
) => {
  const { address: _, ...fields } = patientFields.view(row);
  return {
    id: row.id,
    ...fields,
    email: row.email ?? accountEmail,
    medical_record_number: row.medicalRecordNumber,
    national_id: shown(await openNumber(deps, row.nationalId)),
    insurance_number: shown(await openNumber(deps, row.insuranceNumber)),
  };
};

export interface RecordRow extends Row {
  accountEmail: string | null;
  accountRole: string | null;
}

export const patientView = async (deps: Deps, row: RecordRow) => ({
  ...(await toSummary(deps, row, row.accountEmail, maskedOrNull)),
  has_account: row.accountRole !== null,
  ...externalView(row),
  updated_at: toIso(row.updatedAt),
});

interface VisitCounts {
  completed: number;
  noShows: number;
  cancellations: number;
  last: number | null;
  next: number | null;
  lastId: string | null;
  nextId: string | null;
}

export const noVisits: VisitCounts = {
  completed: 0,
  noShows: 0,
  cancellations: 0,
  last: null,
  next: null,
  lastId: null,
  nextId: null,
};

/** The whole record as the clinic sees it; a doctor sees the numbers masked. */
export const patientDetail = async (
  deps: Deps,
  row: RecordRow,
  visits: VisitCounts = noVisits,
  showsNumbers = true,
) => ({
  ...(await toSummary(deps, row, row.accountEmail, showsNumbers ? (number) => number : maskedOrNull)),
  has_account: row.accountRole !== null,
  numbers_confirmed: row.numbersConfirmedAt !== null,
  numbers_confirmed_by: row.numbersConfirmedBy,
  ihs_id: row.ihsId,
  address: row.address,
  staff_notes: row.staffNotes,
  ...externalView(row),
  visits: {
    completed: visits.completed,
    no_shows: visits.noShows,
    cancellations: visits.cancellations,
    last: isoOrNull(visits.last),
    next: isoOrNull(visits.next),
    last_booking_id: visits.lastId,
    next_booking_id: visits.nextId,
  },
  version: row.version,
  created_at: toIso(row.createdAt),
  updated_at: toIso(row.updatedAt),
});

/** A family member as the account sees them: of the numbers only the last digits. */
export const familyView = async (
  deps: Deps,
  row: Row,
  accountEmail: string | null,
  relation: RelationWithSelf,
) => ({
  ...(await toSummary(deps, row, accountEmail, maskedOrNull)),
  address: row.address,
  relation,
  created_at: toIso(row.createdAt),
});

export const candidateView = (
  row: Pick<Row, 'id' | 'name' | 'birthDate' | 'phoneNumber' | 'phoneCountryCode' | 'medicalRecordNumber'>,
) => ({
  id: row.id,
  name: row.name,
  birth_date: row.birthDate,
  phone_number: row.phoneNumber,
  phone_country_code: row.phoneCountryCode,
  medical_record_number: row.medicalRecordNumber,
});
