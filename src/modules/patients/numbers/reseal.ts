import { violatedUnique } from '../../../core/db/conflict.ts';
import { run } from '../../../core/db/db.ts';
import { type NumberKind, type Sealing, sealNumber } from './numbers.ts';
import { findInsuranceNumbers, findNationalIds, replaceSealed } from './reseal-queries.ts';

export const recordsAStep = 100;
const maxSteps = 10;

type Found = ReturnType<typeof findNationalIds>['_']['result'][number];

const sealedAnew = async (deps: Sealing, kind: NumberKind, sealed: string | null) => {
  const number = sealed === null ? null : await deps.secretBox.open(sealed);
  // A value that no key opens is not changed.
  return sealed !== null && number === null ? null : sealNumber(deps, kind, number);
};

const sealRecordAnew = async (deps: Sealing, { id, nationalId, insuranceNumber }: Found) => {
  const national = await sealedAnew(deps, 'national_id', nationalId);
  const insurance = await sealedAnew(deps, 'insurance_number', insuranceNumber);
  if (national === null || insurance === null) return null;
  return {
    id,
    old_national_id: nationalId,
    old_insurance_number: insuranceNumber,
    national_id: national.sealed,
    national_id_hash: national.hash,
    insurance_number: insurance.sealed,
    insurance_number_hash: insurance.hash,
  };
};

const replace = (deps: Sealing, records: readonly object[], confirmed: 0 | 1) =>
  run(deps.db, replaceSealed(deps.db, { records: JSON.stringify(records), confirmed }));

/** Two records may have one number under two keys: the desk then has to confirm the later record again. */
const replaceEach = async (deps: Sealing, records: readonly { id: string }[]): Promise<void> => {
  for (const record of records) {
    try {
      await replace(deps, [record], 1);
    } catch (error) {
      if (violatedUnique(error) === null) throw error;
      deps.log.warn('two patients have one confirmed number', { patient_id: record.id });
      await replace(deps, [record], 0);
    }
  }
};

const resealStep = async (deps: Sealing, found: readonly Found[]): Promise<void> => {
  const made = await Promise.all(found.map((row) => sealRecordAnew(deps, row)));
  const records = made.filter((record) => record !== null);
  if (records.length === 0) return;
  try {
    await replace(deps, records, 1);
  } catch (error) {
    if (violatedUnique(error) === null) throw error;
    await replaceEach(deps, records);
  }
};

/**
 * After DATA_KEY was rotated, or came: seals and hashes national and insurance numbers by the new key, before the old one goes
 * out of use. At most a thousand of each a run, found by an index; without an older key nothing is read.
 */
export const resealNumbers = async (deps: Sealing): Promise<void> => {
  const { db, secretBox } = deps;
  for (const keyId of secretBox.oldKeyIds)
    for (const [find, column] of [
      [findNationalIds, 'nationalId'],
      [findInsuranceNumbers, 'insuranceNumber'],
    ] as const) {
      let after: string | null = `${keyId}.`;
      for (let steps = 0; steps < maxSteps && after !== null; steps++) {
        const found: Found[] = await run(db, find(db, { after, end: `${keyId}/`, limit: recordsAStep }));
        await resealStep(deps, found);
        after = found.length < recordsAStep ? null : (found.at(-1)?.[column] ?? null);
      }
    }
};
