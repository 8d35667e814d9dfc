import { deriveEach } from '../../../core/crypto/key-derivation.ts';
import { run, runAll } from '../../../core/db/db.ts';
import { refusedToken } from '../../../core/endpoint/refused-token.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { eventRow } from '../audit/queries.ts';
import { identify } from '../bearer.ts';
import { tokenHashes } from '../refresh-token.ts';
import { lostAnswerMs, refreshGraceMs, tokenTtlMs } from '../rules.ts';
import { signTokens } from './device-login.ts';
import {
  endReusedLogin,
  extendLogin,
  findLoginOfToken,
  findSuccessor,
  insertChild,
  recordReuse,
  removeExpired,
  rotateToken,
} from './refresh-queries.ts';
import { type Opened, toOpened } from './views.ts';

/**
 * Exchanges a refresh token for new tokens. The child is derived from its parent: the parent returns the same child
 * until the child is used, although only hashes are stored. Any other reuse ends the device login.
 */
export const refresh = async (
  { deps, now, requestId }: RequestContext,
  token: string,
  network: string,
): Promise<Opened> => {
  const { db, tokenKeys } = deps;
  const [presented, children] = await Promise.all([
    tokenHashes(tokenKeys, token),
    deriveEach(tokenKeys, 'refresh', token),
  ]);
  const hashes = await Promise.all(children.map((child) => tokenHashes(tokenKeys, child)));
  const values = { ...presented, now };
  const child = { ...values, childHash: hashes[0]?.hash ?? '', expiresAt: now + tokenTtlMs(deps.config) };
  const reuse = { ...values, graceMs: refreshGraceMs, lostMs: lostAnswerMs };
  const event = {
    writeId: deps.newId(),
    type: 'refresh_reused' as const,
    userId: null,
    network,
    requestId,
    now,
  };
  const {
    successor: [login],
  } = await runAll(db, {
    event: recordReuse(db, { ...eventRow(event), ...reuse }),
    reuse: endReusedLogin(db, reuse),
    rotation: rotateToken(db, values),
    child: insertChild(db, child),
    login: extendLogin(db, { childHash: child.childHash, now }),
    expired: removeExpired(db, { childHash: child.childHash, now }),
    successor: findSuccessor(db, values),
  });
  const at = hashes.findIndex(({ hash, legacyHash }) => [hash, legacyHash].includes(login?.childHash ?? ''));
  const refreshToken = children[at];
  if (login === undefined || refreshToken === undefined) throw refusedToken();
  const { userId, role, deviceLoginId, generation } = login;
  const tokens = await signTokens(
    deps,
    { id: userId, role },
    { deviceLoginId, refreshToken, generation },
    now,
  );
  return toOpened(userId, login, tokens);
};

/** The device login that a page asks to end: by its refresh token, or else by the access token of the request. */
export const loginOfPage = async ({ deps, now, header }: RequestContext, token: string | undefined) => {
  if (token !== undefined) {
    const [login] = await run(deps.db, findLoginOfToken(deps.db, await tokenHashes(deps.tokenKeys, token)));
    return login ?? null;
  }
  const authorization = header('Authorization');
  if (authorization === undefined) return null;
  // An invalid one opens nothing, so there is nothing to end.
  return Promise.resolve()
    .then(() => identify(deps, authorization, now, async () => null))
    .catch(() => null);
};
