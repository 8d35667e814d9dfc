import { runAll } from '../../../core/db/db.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { RequestRepeated } from '../../../core/idempotency/key.ts';
import { storeResponse } from '../../../core/idempotency/queries.ts';
import type { Relation } from '../../../core/tables/words.ts';
import { eventRow } from '../../auth/audit/queries.ts';
import type { FamilyContext } from '../family/actions.ts';
import { insertRelation } from '../family/queries.ts';
import { mergeRecords } from '../merge/actions.ts';
import { explainMergeStep } from '../merge/queries.ts';
import { familyAdditionsSpanMs, maxFamily } from '../record/rules.ts';
import { familyView } from '../record/views.ts';
import { hashesOfClaimCode } from './codes.ts';
import type { ClaimFamilyMember } from './contract.ts';
import { countFailure, explainClaim, findClaimed, recordClaim, recordRefusal, spendCode } from './queries.ts';

type Input = BodyOf<typeof ClaimFamilyMember>;
type Claimed = ReturnType<typeof findClaimed>['_']['result'][number];

/** The record that the code opens; a wrong date of birth is counted against the code in the same step. */
const openCode = async (
  { deps, by, toStoredResponse }: FamilyContext,
  hashes: string,
  birthDate: string,
): Promise<Claimed> => {
  const { db } = deps;
  const { actorId, now } = by;
  const writeId = deps.newId();
  const event = eventRow({ writeId, type: 'claim_code_refused', userId: actorId, ...by });
  const key = toStoredResponse({ status: 200 })?.idempotency.key ?? null;
  const {
    claimed: [claimed],
    why: [why],
  } = await runAll(db, {
    claimed: findClaimed(db, { hashes, birthDate, actorId, now }),
    recorded: recordRefusal(db, { ...event, hashes, birthDate }),
    counted: countFailure(db, { writeId, hashes }),
    why: explainMergeStep(db, { writeId, actorId, key, now }),
  });
  if (claimed !== undefined) return claimed;
  // The same request may have used the code a moment ago.
  if (why?.repeated === 1) throw new RequestRepeated();
  throw new Failure('claim_code_invalid');
};

/** Makes the caller act for another patient. Throws `family_full`. */
const link = async (
  { deps, by, toStoredResponse }: FamilyContext,
  { birth_date }: Input,
  relation: Relation,
  hashes: string,
  { hash: _, hasAccount: __, ...record }: Claimed,
) => {
  const { db } = deps;
  const { actorId, now } = by;
  const writeId = deps.newId();
  const data = await familyView(deps, record, null, relation);
  const response = toStoredResponse({ status: 200, data });
  const ids = { writeId, patientId: record.id };
  const room = {
    key: response?.idempotency.key ?? null,
    maxFamily,
    since: now - familyAdditionsSpanMs,
  };
  const detail = { patient_id: record.id };
  const event = eventRow({ writeId, type: 'patient_claimed', userId: actorId, ...by, detail });
  const {
    why: [why],
  } = await runAll(db, {
    claim: recordClaim(db, { ...event, ...room, ...ids, hashes, birthDate: birth_date }),
    why: explainClaim(db, { ...room, ...ids, actorId, now }),
    relation: insertRelation(db, { ...ids, accountId: actorId, relation, now }),
    code: spendCode(db, { writeId, hashes, now }),
    response: storeResponse(db, { writeId, actorId, now }, response),
  });
  if (why?.recorded) return data;
  if (why?.repeated) throw new RequestRepeated();
  throw new Failure(why?.hasRoom ? 'claim_code_invalid' : 'family_full');
};

/** Merges the record into the caller's own. */
const takeAsOwn = async (
  { deps, by, toStoredResponse }: FamilyContext,
  email: string | null,
  { id, hash }: Claimed,
) => {
  const toView = (own: Parameters<typeof familyView>[1]) => familyView(deps, own, email, 'self');
  const { after } = await mergeRecords({
    deps,
    by: { ...by, role: 'patient' },
    source: id,
    target: by.actorId,
    claimHash: hash,
    respond: async (merged) => toStoredResponse({ status: 200, data: await toView(merged.after) }),
  });
  return toView(after);
};

/**
 * Links a record of the clinic to the caller's account by a code and the date of birth, or with `self` makes it part
 * of the own record. Whatever is wrong with code or date is answered alike.
 */
export const claimRecord = async (
  context: FamilyContext,
  email: string | null,
  input: Input,
): Promise<Awaited<ReturnType<typeof familyView>>> => {
  const { deps, by } = context;
  const hashes = await hashesOfClaimCode(deps, input.code);
  const claimed = await openCode(context, hashes, input.birth_date);
  const { relation } = input;
  const isOwn = claimed.id === by.actorId;
  if (isOwn || (relation === 'self' && claimed.hasAccount === 1)) throw new Failure('patient_has_account');
  return relation === 'self'
    ? takeAsOwn(context, email, claimed)
    : link(context, input, relation, hashes, claimed);
};
