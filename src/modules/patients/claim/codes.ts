import { derive, deriveEach } from '../../../core/crypto/key-derivation.ts';
import { runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { RequestRepeated } from '../../../core/idempotency/key.ts';
import { storeResponse } from '../../../core/idempotency/queries.ts';
import { eventRow } from '../../auth/audit/queries.ts';
import { newBookingCode } from '../../booking/record/code.ts';
import type { DeskContext } from '../desk/actions.ts';
import type { PatientRow } from '../desk/queries.ts';
import { insertClaimCode, recordClaimCode } from './queries.ts';
import { claimCodeTtlMs, typedClaimCode } from './rules.ts';

/** The hashes under which a typed code may be stored, one for each key in force. */
export const hashesOfClaimCode = async ({ tokenKeys }: Deps, typed: string): Promise<string> =>
  JSON.stringify(await deriveEach(tokenKeys, 'claim-code', typedClaimCode(typed)));

/** Makes a code that links a record to an account. Throws `birth_date_missing`, without which no code is of use. */
export const createClaimCode = async ({ deps, by, toStoredResponse }: DeskContext, patient: PatientRow) => {
  const { db } = deps;
  const { actorId, now } = by;
  if (patient.birthDate === null) throw new Failure('birth_date_missing');
  // As short and as easy to read out as a booking's, and of as many random bits.
  const code = newBookingCode();
  const hash = await derive(deps.tokenKeys, 'claim-code', code);
  const writeId = deps.newId();
  const ids = { writeId, patientId: patient.id };
  const detail = { patient_id: patient.id };
  const event = eventRow({ writeId, type: 'claim_code_made', userId: null, ...by, detail });
  const expiresAt = now + claimCodeTtlMs;
  const data = { code, expires_at: new Date(expiresAt).toISOString() };
  const response = toStoredResponse({ status: 201 });
  const { inserted } = await runAll(db, {
    recorded: recordClaimCode(db, { ...event, ...ids, key: response?.idempotency.key ?? null }),
    inserted: insertClaimCode(db, { ...ids, hash, createdBy: actorId, now, expiresAt }),
    stored: storeResponse(db, { writeId, actorId, now }, response),
  });
  // Answered under its key meanwhile, or merged: either way it is decided again.
  if (inserted.length === 0) throw new RequestRepeated();
  return data;
};
