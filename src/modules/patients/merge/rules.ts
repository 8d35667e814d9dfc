// Pure: the result of merging two records of one patient. The target keeps its values and takes those that it lacks.

import type { Language } from '../../../core/endpoint/messages.ts';
import type { patients } from '../../../core/tables/patients.ts';
import type { BookingRow } from '../../booking/record/queries.ts';
import { pickConfirmation } from '../record/rules.ts';
import { type Account, isProved } from './join-rules.ts';

type Row = typeof patients.$inferSelect;

/** A record that may be merged, with its account, or null where it has none, and the language of its person. */
export type MergeableRow = Row & { account: Account | null; language: Language };

/** How many bookings are moved in one atomic step. */
export const bookingsAStep = 50;

/**
 * The next bookings of the source that a step moves: first the held seats, whose entries move with the first step.
 * `offers` are those of both records.
 */
export const bookingsToMove = (
  rows: readonly BookingRow[],
  offers: readonly BookingRow[],
  source: string,
) => {
  const own = offers.filter(({ patientId }) => patientId === source);
  const others = rows.filter(({ id }) => own.every((offer) => offer.id !== id));
  return [...own, ...others].slice(0, bookingsAStep);
};

/** A patient may have one offer: returns all but the oldest one that has not expired. */
export const offersToEnd = (offers: readonly BookingRow[], now: number): readonly BookingRow[] => {
  const isOver = ({ heldUntil }: BookingRow) => Number((heldUntil ?? 0) <= now);
  return offers
    .toSorted((a, b) => isOver(a) - isOver(b) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    .slice(1);
};

const pickNumbers = ({ nationalId, nationalIdHash, insuranceNumber, insuranceNumberHash }: Row) => ({
  nationalId,
  nationalIdHash,
  insuranceNumber,
  insuranceNumberHash,
});

/** An unconfirmed number must not become confirmed because the other record's number is. */
const numbersAfter = (source: Row, target: Row) => {
  const hasNumber = target.nationalIdHash !== null || target.insuranceNumberHash !== null;
  if (!hasNumber) return { ...pickNumbers(source), ...pickConfirmation(source) };
  const takes = target.numbersConfirmedAt === null || source.numbersConfirmedAt !== null;
  const lacksNationalId = takes && target.nationalIdHash === null;
  const lacksInsurance = takes && target.insuranceNumberHash === null;
  return {
    nationalId: lacksNationalId ? source.nationalId : target.nationalId,
    nationalIdHash: lacksNationalId ? source.nationalIdHash : target.nationalIdHash,
    insuranceNumber: lacksInsurance ? source.insuranceNumber : target.insuranceNumber,
    insuranceNumberHash: lacksInsurance ? source.insuranceNumberHash : target.insuranceNumberHash,
    ...pickConfirmation(target),
  };
};

/**
 * Name, phone number and e-mail of an account's record are the account's. It takes no number from an account that nobody
 * proved: notices of its visits would go to the person who registered that one.
 */
const contactAfter = (source: MergeableRow, target: MergeableRow) => {
  const givesPhone = target.account === null || (source.account !== null && isProved(source.account));
  const takesPhone = givesPhone && target.phoneNumber === '';
  return {
    name: target.name,
    phoneNumber: takesPhone ? source.phoneNumber : target.phoneNumber,
    phoneCountryCode: takesPhone ? source.phoneCountryCode : target.phoneCountryCode,
    email: target.email ?? (target.account === null ? source.email : null),
  };
};

const mostMetadata = 20;

/** Texts by name: the target keeps its own, and takes those that it lacks as long as there is space. */
const joinMetadata = (source: string | null, target: string | null): string | null => {
  if (source === null || target === null) return target ?? source;
  const own = JSON.parse(target);
  const lacking = Object.entries(JSON.parse(source)).filter(([name]) => !Object.hasOwn(own, name));
  const space = mostMetadata - Object.keys(own).length;
  return JSON.stringify({ ...own, ...Object.fromEntries(lacking.slice(0, space)) });
};

/** The columns of the record that stays, after the merge. */
export const recordAfterMerge = (source: MergeableRow, target: MergeableRow) => ({
  ...contactAfter(source, target),
  birthDate: target.birthDate ?? source.birthDate,
  sex: target.sex ?? source.sex,
  address: target.address ?? source.address,
  ...numbersAfter(source, target),
  medicalRecordNumber: target.medicalRecordNumber ?? source.medicalRecordNumber,
  ihsId: target.ihsId ?? source.ihsId,
  externalId: target.externalId ?? source.externalId,
  metadata: joinMetadata(source.metadata, target.metadata),
  staffNotes: [target.staffNotes, source.staffNotes].filter((notes) => notes !== '').join('\n'),
});

type After = ReturnType<typeof recordAfterMerge>;

const compared = {
  name: 'name',
  phone_number: 'phoneNumber',
  email: 'email',
  birth_date: 'birthDate',
  sex: 'sex',
  address: 'address',
  national_id: 'nationalIdHash',
  insurance_number: 'insuranceNumberHash',
  medical_record_number: 'medicalRecordNumber',
  ihs_id: 'ihsId',
  external_id: 'externalId',
} as const satisfies Record<string, keyof After & keyof Row>;

type MergedField = keyof typeof compared;
export const mergedFields = Object.keys(compared) as MergedField[];

const isEmpty = (value: string | null): boolean => value === null || value === '';

/** The values that the target takes over, and those that differ: there it keeps its own. */
export const compareRecords = (source: Row, target: Row, after: After) => {
  const named = mergedFields.map((field) => [field, compared[field]] as const);
  const taken = named.filter(([, column]) => after[column] !== target[column]);
  const differing = named.filter(
    ([, column]) =>
      after[column] === target[column] && !isEmpty(source[column]) && source[column] !== target[column],
  );
  return { taken: taken.map(([field]) => field), differing: differing.map(([field]) => field) };
};
