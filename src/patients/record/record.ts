import { phoneIn } from '../../auth/phone.ts';
import type { Deps } from '../../deps.ts';
import { Failure } from '../../endpoint/errors.ts';
import type { patients } from '../../tables/patients.ts';
import { type NumberKind, sealNumber } from '../numbers/numbers.ts';
import { isBirthDate } from './rules.ts';

type Row = typeof patients.$inferSelect;

/** The columns of a record that its family and the clinic give. */
export type GivenColumns = Pick<
  Row,
  | 'name'
  | 'phoneNumber'
  | 'phoneCountryCode'
  | 'email'
  | 'birthDate'
  | 'sex'
  | 'address'
  | 'nationalId'
  | 'nationalIdHash'
  | 'insuranceNumber'
  | 'insuranceNumberHash'
>;

/** A patient's fields as a body gives them: what is left out stays, null takes away. */
export interface PatientInput {
  name?: string | undefined;
  phone_number?: string | undefined;
  phone_country_code?: string | undefined;
  email?: string | null | undefined;
  birth_date?: string | null | undefined;
  sex?: 'male' | 'female' | null | undefined;
  address?: string | null | undefined;
  national_id?: string | null | undefined;
  insurance_number?: string | null | undefined;
}

export const emptyRecord: GivenColumns = {
  name: '',
  phoneNumber: '',
  phoneCountryCode: '',
  email: null,
  birthDate: null,
  sex: null,
  address: null,
  nationalId: null,
  nationalIdHash: null,
  insuranceNumber: null,
  insuranceNumberHash: null,
};

const orBefore = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given);

const numberOf = async (
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
export const recordAfter = async (
  deps: Pick<Deps, 'clinicTime' | 'secretBox' | 'tokenKeys'>,
  now: number,
  before: GivenColumns,
  input: PatientInput,
): Promise<GivenColumns> => {
  if (input.birth_date && !isBirthDate(input.birth_date, deps.clinicTime.dateOf(now)))
    throw new Failure('validation_failed', { issues: [{ path: 'birth_date', rule: 'birth_date' }] });
  const national = await numberOf(deps, 'national_id', input.national_id, [
    before.nationalId,
    before.nationalIdHash,
  ]);
  const insurance = await numberOf(deps, 'insurance_number', input.insurance_number, [
    before.insuranceNumber,
    before.insuranceNumberHash,
  ]);
  return {
    name: orBefore(input.name, before.name),
    ...phoneIn(input, before),
    email: orBefore(input.email, before.email),
    birthDate: orBefore(input.birth_date, before.birthDate),
    sex: orBefore(input.sex, before.sex),
    address: orBefore(input.address, before.address),
    nationalId: national[0],
    nationalIdHash: national[1],
    insuranceNumber: insurance[0],
    insuranceNumberHash: insurance[1],
  };
};
