import type * as z from 'zod/mini';
import { isBirthDate } from '../../../core/clinic/birth-date.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { patients } from '../../../core/tables/patients.ts';
import { phoneIn } from '../../auth/phone.ts';
import { type NumberKind, sealNumber } from '../numbers/numbers.ts';
import { deskFields, patientFields } from './fields.ts';

type Row = typeof patients.$inferSelect;

export type GivenColumns = Pick<
  Row,
  | (typeof patientFields.names)[number]
  | 'nationalId'
  | 'nationalIdHash'
  | 'insuranceNumber'
  | 'insuranceNumberHash'
>;

/** A patient's fields from a request body: a missing field stays, null clears it. */
export type PatientInput = z.output<z.ZodMiniObject<ReturnType<typeof patientFields.change>>>;

/** A record that has nothing yet. */
export const emptyRecord = {
  ...patientFields.blank,
  ...deskFields.blank,
  nationalId: null,
  nationalIdHash: null,
  insuranceNumber: null,
  insuranceNumberHash: null,
  numbersConfirmedAt: null,
  numbersConfirmedBy: null,
  mergedInto: null,
  erasureId: null,
  words: null,
  version: 1,
};

const sealGiven = async (
  deps: Pick<Deps, 'secretBox' | 'tokenKeys'>,
  kind: NumberKind,
  given: string | null | undefined,
  before: [string | null, string | null],
) => {
  if (given === undefined) return before;
  const { sealed, hash } = await sealNumber(deps, kind, given);
  return [sealed, hash] as const;
};

/** A record after an input: numbers sealed, a date of birth that cannot be refused. */
export const recordAfter = async <R extends GivenColumns>(
  deps: Pick<Deps, 'clinicTime' | 'secretBox' | 'tokenKeys'>,
  now: number,
  before: R,
  input: PatientInput,
): Promise<R> => {
  if (input.birth_date && !isBirthDate(input.birth_date, deps.clinicTime.dateOf(now)))
    throw new Failure('validation_failed', { issues: [{ path: 'birth_date', rule: 'birth_date' }] });
  const national = await sealGiven(deps, 'national_id', input.national_id, [
    before.nationalId,
    before.nationalIdHash,
  ]);
  const insurance = await sealGiven(deps, 'insurance_number', input.insurance_number, [
    before.insuranceNumber,
    before.insuranceNumberHash,
  ]);
  return {
    ...patientFields.changed(before, input),
    ...phoneIn(input, before),
    nationalId: national[0],
    nationalIdHash: national[1],
    insuranceNumber: insurance[0],
    insuranceNumberHash: insurance[1],
  };
};
