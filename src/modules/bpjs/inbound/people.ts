import * as z from 'zod/mini';
import { run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { say } from '../../../core/endpoint/sentences.ts';
import { toAuthor } from '../../auth/audit/queries.ts';
import type { AnyContext } from '../../auth/context.ts';
import { changePatient, createPatient } from '../../patients/desk/actions.ts';
import { CreatePatient } from '../../patients/desk/contract.ts';
import { deriveHashes } from '../../patients/numbers/numbers.ts';
import { refusal, type Said } from './dialect.ts';
import {
  addressIn,
  dateIn,
  type Given,
  type Numbers,
  needed,
  numbersIn,
  phoneIn,
  readLine,
  readText,
} from './input.ts';
import { type Confirmed, findConfirmed } from './queries.ts';
import { antreanSentences as sentences } from './sentences.ts';

const hashNumbers = async (deps: Deps, { card, nik }: Numbers) => ({
  nationalIds: nik === '' ? [] : await deriveHashes(deps, 'national_id', nik),
  insuranceNumbers: card === '' ? [] : await deriveHashes(deps, 'insurance_number', card),
});

/**
 * The patient whose confirmed numbers are these; undefined if nobody's are. Throws if the two are of different patients,
 * or if the record has another number beside the one that is right.
 */
export const findPatient = async ({ deps }: AnyContext, numbers: Numbers): Promise<Confirmed | undefined> => {
  const hashes = await hashNumbers(deps, numbers);
  const found = await run(
    deps.db,
    findConfirmed(deps.db, {
      nationalIds: JSON.stringify(hashes.nationalIds),
      insuranceNumbers: JSON.stringify(hashes.insuranceNumbers),
    }),
  );
  const [patient] = found;
  const differs = (stored: string | null, given: readonly string[]) =>
    stored !== null && given.length > 0 && !given.includes(stored);
  const isMixed =
    found.length > 1 ||
    (patient !== undefined &&
      (differs(patient.nationalIdHash, hashes.nationalIds) ||
        differs(patient.insuranceNumberHash, hashes.insuranceNumbers)));
  if (isMixed) throw refusal(sentences.mixed_patient);
  return patient;
};

/** The numbers that the record lacks, on BPJS's word: the clinic reports queues by the card. */
export const completeNumbers = async (context: AnyContext, patient: Confirmed, { card, nik }: Numbers) => {
  const lacks = {
    ...(patient.nationalIdHash === null && nik !== '' && { national_id: nik }),
    ...(patient.insuranceNumberHash === null && card !== '' && { insurance_number: card }),
  };
  if (Object.keys(lacks).length === 0) return;
  await changePatient({ ...context, by: toAuthor(context), confirmedBy: 'bpjs' }, patient.id, lacks);
};

const sexes = { L: 'male', P: 'female' } as const;

/** The fields of a new record, judged one after the other. */
const newPatientIn = (given: Given, needsPhone: boolean) => {
  const { card, nik } = numbersIn(given, true);
  needed(given, 'nama', 'Nama');
  const name = readLine(given, 'nama', 100);
  const sex = sexes[needed(given, 'jeniskelamin', 'Jenis Kelamin').toUpperCase() as keyof typeof sexes];
  if (sex === undefined) throw refusal(say(sentences.form, { field: 'Jenis Kelamin' }));
  const birthDate = dateIn(given, 'tanggallahir', 'Tanggal Lahir');
  if (needsPhone) needed(given, 'nohp', 'No.HP');
  needed(given, 'alamat', 'Alamat');
  const read = z.safeParse(CreatePatient.body(), {
    name,
    sex,
    birth_date: birthDate,
    national_id: nik,
    insurance_number: card,
    ...phoneIn(readText(given, 'nohp')),
    address: addressIn(given),
    confirm: true,
  });
  if (!read.success) {
    const isDate = read.error.issues.some(({ path }) => path[0] === 'birth_date');
    throw refusal(isDate ? sentences.birth_date : say(sentences.form, { field: 'Nama' }));
  }
  return { fields: read.data, numbers: { card, nik } };
};

const registered = (recordNumber: string | null): Said => ({
  response: { norm: recordNumber ?? '' },
  message: sentences.registered,
});

/**
 * Info Pasien Baru: a record whose numbers count on BPJS's word. A patient who has one, by a repeat or by another
 * request at the same time, keeps it. The family card's number and the codes of the region are not kept.
 */
export const registerPatient = async (
  context: AnyContext,
  given: Given,
  needsPhone: boolean,
): Promise<Said> => {
  const { fields, numbers } = newPatientIn(given, needsPhone);
  const known = await findPatient(context, numbers);
  if (known !== undefined) {
    await completeNumbers(context, known, numbers);
    return registered(known.recordNumber);
  }
  try {
    const by = toAuthor(context);
    const made = await createPatient({ ...context, by, confirmedBy: 'bpjs' }, fields, []);
    return registered(made.medical_record_number);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'validation_failed' && error.details.issues?.some(({ path }) => path === 'birth_date'))
      throw refusal(sentences.birth_date);
    const other = error.code === 'patient_exists' ? await findPatient(context, numbers) : undefined;
    if (other === undefined) throw error;
    return registered(other.recordNumber);
  }
};
