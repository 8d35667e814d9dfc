import { runAll } from '../db/db.ts';
import type { RequestContext } from '../http/context.ts';
import { eventRow } from './audit/queries.ts';
import { refusedToken } from './bearer.ts';
import { deriveEach } from './derivation.ts';
import { tokensOf } from './device-login.ts';
import {
  endReusedLogin,
  extendLogin,
  findSuccessor,
  insertChild,
  recordReuse,
  rotateToken,
} from './refresh-queries.ts';
import { hashRefreshToken } from './refresh-token.ts';
import { refreshGraceMs, refreshTokenTtlMs } from './rules.ts';

/**
 * Exchanges a refresh token for new tokens. The child is derived from the parent, so that its direct parent gets
 * the same one again within the grace though only hashes are stored; any other reuse ends the device login.
 */
export const refresh = async ({ deps, now, requestId }: RequestContext, token: string, network: string) => {
  const { db } = deps;
  const [hash, children] = await Promise.all([
    hashRefreshToken(token),
    deriveEach(deps.tokenKeys, 'refresh', token),
  ]);
  const hashes = await Promise.all(children.map(hashRefreshToken));
  const child = { hash, child_hash: hashes[0] ?? '', now, expires_at: now + refreshTokenTtlMs };
  const event = {
    writeId: deps.newId(),
    type: 'refresh_reused' as const,
    userId: null,
    network,
    requestId,
    now,
  };
  const results = await runAll(db, [
    recordReuse(db, { ...eventRow(event), hash, grace_ms: refreshGraceMs }),
    endReusedLogin(db, { hash, now, grace_ms: refreshGraceMs }),
    rotateToken(db, { hash, now }),
    insertChild(db, child),
    extendLogin(db, child),
    findSuccessor(db, { hash, now }),
  ]);
  const [login] = results[5];
  const successor = login && children[hashes.indexOf(login.childHash)];
  if (login === undefined || successor === undefined) throw refusedToken();
  return tokensOf(deps, { id: login.userId, role: login.role }, login.deviceLoginId, successor, now);
};
