import { violatedUnique } from '../../../core/db/conflict.ts';
import { run, runAll } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { recordPatientEvent } from '../../../core/events/patient-event.ts';
import { RequestRepeated, type ResponseToStore } from '../../../core/idempotency/key.ts';
import { storeResponse } from '../../../core/idempotency/queries.ts';
import { comparedPhone, phoneSearchWords } from '../../../core/search/phone-rules.ts';
import { replaceWords } from '../../../core/search/queries.ts';
import { personWords } from '../../../core/search/rules.ts';
import type { numberConfirmers } from '../../../core/tables/words.ts';
import { eventRow } from '../../auth/audit/queries.ts';
import { type Author, fieldsIn } from '../../auth/audit/rules.ts';
import { offerMatches } from '../../auth/match-queries.ts';
import { deriveHashes } from '../numbers/numbers.ts';
import { deskFields } from '../record/fields.ts';
import { emptyRecord, type PatientInput, recordAfter } from '../record/record.ts';
import {
  insertRecord,
  recordChange,
  recordColumns,
  recordIfFirst,
  recordStands,
  updateRecord,
} from '../record/record-queries.ts';
import { confirmed, looksAlike, pickConfirmation, unconfirmed } from '../record/rules.ts';
import { candidateView, noVisits, patientDetail } from '../record/views.ts';
import { withArchivedVisits } from './archived-visits.ts';
import type { ChangePatient, CreatePatient } from './contract.ts';
import {
  copyRecordToAccount,
  findLookalikes,
  findPatientRecord,
  findSameNumber,
  findVisits,
  type PatientRow,
  raiseRecordNumber,
  skipRecordNumber,
} from './queries.ts';

/** The part of a request that the actions of the desk use. */
export interface DeskContext {
  deps: Deps;
  by: Author;
  toStoredResponse: ResponseToStore;
  /** On whose word the numbers count: the clinic's unless said otherwise. */
  confirmedBy?: (typeof numberConfirmers)[number];
}

const noAccount = { accountEmail: null, accountRole: null };

/** The detail of a record as staff see it, read now. */
const readDetail = async (deps: Deps, id: string, callerId: string, now: number) => {
  const {
    row: [row],
    visits: [visits],
  } = await runAll(deps.db, {
    row: findPatientRecord(deps.db, { id, callerId }),
    visits: findVisits(deps.db, { id, now, callerId }),
  });
  if (row === undefined) throw new Failure('not_found');
  return patientDetail(deps, row, await withArchivedVisits(deps, row.id, visits), true);
};

/** A record must have one of these in addition to the name. */
export const identifying = ['phone_number', 'birth_date', 'national_id'] as const;

const numberHashes = async (deps: Deps, { national_id, insurance_number }: PatientInput) => ({
  nationalIds: JSON.stringify(national_id ? await deriveHashes(deps, 'national_id', national_id) : []),
  insuranceNumbers: JSON.stringify(
    insurance_number ? await deriveHashes(deps, 'insurance_number', insurance_number) : [],
  ),
});

type NewPatient = BodyOf<typeof CreatePatient>;

/** Reads who looks like a new patient by name, phone and date of birth. */
export const lookalikesRead = (deps: Deps, input: NewPatient) => {
  const { birth_date, phone_number = '', phone_country_code = '' } = input;
  return findLookalikes(deps.db, {
    birthDate: birth_date ?? '',
    phones: JSON.stringify(phoneSearchWords(comparedPhone(phone_country_code, phone_number))),
  });
};

type Lookalikes = ReturnType<typeof lookalikesRead>['_']['result'];

const toCandidates = (found: Lookalikes) => ({
  extras: { candidates: found.map(candidateView) },
  seen: found.map(({ id }) => id),
});

const toPerson = (input: NewPatient) => ({
  name: input.name,
  birthDate: input.birth_date ?? null,
  phone: comparedPhone(input.phone_country_code ?? '', input.phone_number ?? ''),
});

const formatPhone = (row: Lookalikes[number]): string => comparedPhone(row.phoneCountryCode, row.phoneNumber);

/** Throws `patient_exists` or, unless it is confirmed, `possible_duplicate` with those who look alike. */
const assertNew = async (deps: Deps, input: NewPatient, alike: Lookalikes): Promise<void> => {
  const { national_id, insurance_number, confirm } = input;
  // Hashing a number takes time, so this is a separate round trip, and only if there is a number.
  const same =
    national_id || insurance_number
      ? await run(deps.db, findSameNumber(deps.db, { id: '', ...(await numberHashes(deps, input)) }))
      : [];
  if (same.length > 0) throw new Failure('patient_exists', toCandidates(same));
  const own = toPerson(input);
  const twins = alike.filter((row) => looksAlike(own, { ...row, phone: formatPhone(row) })).slice(0, 5);
  if (twins.length > 0 && confirm !== true) throw new Failure('possible_duplicate', toCandidates(twins));
};

const takenNumber = (error: unknown): Failure | null => {
  const column = violatedUnique(error);
  if (column === 'patients.external_id') return new Failure('external_id_taken');
  if (column === 'patients.medical_record_number')
    return new Failure('validation_failed', { issues: [{ path: 'medical_record_number', rule: 'taken' }] });
  return column === 'patients.national_id_hash' || column === 'patients.insurance_number_hash'
    ? new Failure('patient_exists', { extras: { candidates: [] } })
    : null;
};

/** Adds a patient without an account, with the clinic's next record number unless one is given by hand. */
export const createPatient = async (context: DeskContext, input: NewPatient, alike: Lookalikes) => {
  const { deps, by, toStoredResponse } = context;
  const { db } = deps;
  const { actorId, now } = by;
  if (!identifying.some((name) => input[name] !== undefined))
    throw new Failure('validation_failed', {
      issues: identifying.map((path) => ({ path, rule: 'any_of', limit: 'what_tells_apart' })),
    });
  await assertNew(deps, input, alike);
  const id = deps.newId();
  const given = deskFields.changed(await recordAfter(deps, now, emptyRecord, input), input);
  const times = { createdAt: now, updatedAt: now };
  const row = {
    ...given,
    ...noAccount,
    ...times,
    id,
    ...confirmed(context.confirmedBy ?? 'clinic', now),
    createdBy: actorId,
  };
  // Numbers are masked here, so that no stored response contains one.
  const data = await patientDetail(deps, row, noVisits, false);
  const isNumbered = input.medical_record_number === undefined;
  return decideAgain(async () => {
    const writeId = deps.newId();
    const response = toStoredResponse({ status: 201, data });
    const key = response?.idempotency.key ?? null;
    const event = eventRow({
      writeId,
      type: 'patient_created',
      userId: null,
      ...by,
      detail: { patient_id: id },
    });
    try {
      const { inserted } = await runAll(db, {
        first: recordIfFirst(db, { ...event, key }),
        inserted: insertRecord(db, {
          id,
          writeId,
          actorId,
          now,
          numbered: isNumbered ? 1 : 0,
          ...recordColumns.valuesOf(row),
        }),
        number: isNumbered ? [raiseRecordNumber(db, { id, writeId })] : [],
        words: replaceWords(db, 'person', id, personWords(row), recordStands(id, writeId)),
        response: storeResponse(db, { writeId, actorId, now }, response, { patientId: id }),
        event: recordPatientEvent(db, by, 'patient.created', writeId, id),
      });
      const [record] = inserted;
      if (record === undefined) throw new RequestRepeated();
      deps.eventsWritten();
      return { ...data, medical_record_number: record.medicalRecordNumber };
    } catch (error) {
      const taken = takenNumber(error);
      if (taken === null) throw error;
      const isCounters = isNumbered && taken.code === 'validation_failed';
      if (!isCounters) throw taken;
      // Somebody gave the counter's next number by hand.
      await run(db, skipRecordNumber(db, {}));
      return overtaken;
    }
  });
};

const wantsConfirmation = (input: BodyOf<typeof ChangePatient>): boolean =>
  input.numbers_confirmed === true || input.national_id != null || input.insurance_number != null;

/** The confirmation of the numbers after a change; a number that staff type counts as confirmed. */
const confirmationAfter = (
  before: PatientRow,
  input: BodyOf<typeof ChangePatient>,
  now: number,
  confirmedBy: (typeof numberConfirmers)[number],
) => {
  if (input.numbers_confirmed === false) return unconfirmed;
  return wantsConfirmation(input) ? confirmed(confirmedBy, now) : pickConfirmation(before);
};

/** Corrects a record, and with it name and phone number of the account that has it. */
export const changePatient = async (
  { deps, by, confirmedBy = 'clinic' }: Omit<DeskContext, 'toStoredResponse'>,
  id: string,
  input: BodyOf<typeof ChangePatient>,
) => {
  const { db } = deps;
  const { now } = by;
  return decideAgain(async () => {
    const [before] = await run(db, findPatientRecord(db, { id, callerId: by.actorId }));
    if (before === undefined) throw new Failure('not_found');
    if (input.version !== undefined && input.version !== before.version)
      throw new Failure('version_mismatch', { extras: { version: before.version } });
    const writeId = deps.newId();
    const given = await recordAfter(deps, now, before, input);
    const after = {
      ...deskFields.changed(given, input),
      ...confirmationAfter(before, input, now, confirmedBy),
    };
    const detail = { patient_id: before.id, fields: fieldsIn(input) };
    const event = eventRow({ writeId, type: 'patient_changed', userId: null, ...by, detail });
    const words = personWords({ ...after, email: after.email ?? before.accountEmail });
    const values = { id: before.id, writeId, now };
    try {
      const { updated } = await runAll(db, {
        change: recordChange(db, { ...event, patientId: before.id, version: before.version }),
        updated: updateRecord(db, {
          ...values,
          version: before.version,
          ...recordColumns.valuesOf(after),
        }),
        account: copyRecordToAccount(db, values),
        matches: input.birth_date === undefined ? [] : [offerMatches(db, { userId: before.id, now })],
        words: replaceWords(db, 'person', before.id, words, recordStands(before.id, writeId)),
        event: recordPatientEvent(db, by, 'patient.updated', writeId, before.id),
      });
      if (updated.length === 0) return overtaken;
    } catch (error) {
      throw takenNumber(error) ?? error;
    }
    deps.eventsWritten();
    return readDetail(deps, before.id, by.actorId, now);
  });
};
