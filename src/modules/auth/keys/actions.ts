import { runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { RequestRepeated, type ResponseToStore } from '../../../core/idempotency/key.ts';
import { storeResponse } from '../../../core/idempotency/queries.ts';
import { changeEvent, eventRow, recordIfChanged } from '../audit/queries.ts';
import type { Author } from '../audit/rules.ts';
import { keyStart, testKeyStart } from '../bearer.ts';
import type * as contract from './contract.ts';
import { keyFields } from './fields.ts';
import { newKey } from './key.ts';
import { insertKey, type KeyRow, recordKeyMade, updateKey } from './queries.ts';
import { computeStatus } from './rules.ts';

/** A key as admins see it, without itself. */
export const keyView = (row: KeyRow, now: number) => ({
  ...keyFields.view(row),
  status: computeStatus(row, now),
});

/** Throws unless the expiry of a key is in the future. */
const assertAhead = (given: string | null | undefined, now: number): void => {
  if (given && Date.parse(given) <= now)
    throw new Failure('validation_failed', {
      issues: [{ path: 'expires_at', rule: 'order', limit: 'now' }],
    });
};

/** Makes a key; only this answer shows it. */
export const createKey = async (
  deps: Deps,
  by: Author,
  input: BodyOf<typeof contract.CreateApiKey>,
  toStoredResponse: ResponseToStore,
) => {
  const { db } = deps;
  const { actorId, now } = by;
  assertAhead(input.expires_at, now);
  const { key, prefix, userId, hash } = await newKey(
    deps.tokenKeys,
    deps.sandbox === undefined ? keyStart : testKeyStart,
  );
  const row: KeyRow = {
    ...keyFields.columns(input),
    id: userId,
    hash,
    prefix,
    createdBy: actorId,
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
  };
  const detail = { api_key_id: row.id, scopes: [...new Set(input.scopes)].join(',') };
  const event = eventRow(changeEvent(deps, by, 'api_key_created', detail));
  const { writeId } = event;
  const response = toStoredResponse({ status: 201 });
  const { inserted } = await runAll(db, {
    recorded: recordKeyMade(db, { ...event, key: response?.idempotency.key ?? null }),
    inserted: insertKey(db, { ...row, writeId }),
    stored: storeResponse(db, { writeId, actorId, now }, response),
  });
  if (inserted.length === 0) throw new RequestRepeated();
  return { ...keyView(row, now), key };
};

/** Changes a key that was not revoked, and records it; undefined for one that was. */
const change = async (
  deps: Deps,
  by: Author,
  id: string,
  type: 'api_key_changed' | 'api_key_revoked',
  fields: Parameters<typeof updateKey>[2],
  given: object = {},
): Promise<KeyRow | undefined> => {
  const {
    changed: [changed],
  } = await runAll(deps.db, {
    changed: updateKey(deps.db, id, fields),
    recorded: recordIfChanged(deps.db, changeEvent(deps, by, type, { api_key_id: id }, { ...given })),
  });
  return changed;
};

/** Renames a key or changes when it ends; for one that was revoked there is nothing left to change. */
export const changeKey = async (
  deps: Deps,
  by: Author,
  id: string,
  input: BodyOf<typeof contract.ChangeApiKey>,
) => {
  const { now } = by;
  assertAhead(input.expires_at, now);
  const changed = await change(deps, by, id, 'api_key_changed', keyFields.given(input), input);
  if (changed === undefined) throw new Failure('not_found');
  return keyView(changed, now);
};

/** Ends a key at once; to end one again changes nothing. */
export const revokeKey = (deps: Deps, by: Author, id: string) =>
  change(deps, by, id, 'api_key_revoked', { revokedAt: by.now });
