import { toBase64Url } from '../../../core/crypto/base64url.ts';
import { runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { buildRelyingParty } from '../../../core/settings/config.ts';
import { ownEvent } from '../audit/own-event.ts';
import { eventRow, findRecorded } from '../audit/queries.ts';
import type { AuthenticatedContext } from '../context.ts';
import { parseOwner } from '../owner.ts';
import { creationOptions, maxPasskeys, type Passkey, requestOptions } from '../passkeys/rules.ts';
import { readNewPasskey } from '../passkeys/verify.ts';
import { type Attempt, forgive } from '../throttle/throttled.ts';
import { freshCodes } from './actions.ts';
import {
  computeSignedText,
  openPasskeyChallenge,
  type PasskeyUse,
  sealPasskeyChallenge,
} from './challenge.ts';
import type * as contract from './contract.ts';
import { insertPasskey, recordPasskeyAdded } from './passkey-queries.ts';
import { buildExpected } from './proof.ts';
import { endUnprovedLogins, noteFactors } from './queries.ts';
import { challengeTtlMs } from './rules.ts';

const expires = { expires_in: challengeTtlMs / 1000 };

/** The options that a browser needs to answer a challenge with one of these passkeys. */
export const passkeyRequest = async (
  { config }: Pick<Deps, 'config'>,
  challenge: string,
  passkeys: readonly Passkey[],
) =>
  requestOptions({
    domain: buildRelyingParty(config).domain,
    challenge: await computeSignedText(challenge),
    timeoutMs: challengeTtlMs,
    passkeys,
  });

const newChallenge = ({ deps, now, actor }: AuthenticatedContext, use: PasskeyUse): Promise<string> => {
  const { userId, deviceLoginId } = actor;
  const challenge = { use, userId, deviceLoginId, factorId: deps.newId(), issuedAt: now };
  return sealPasskeyChallenge(deps.tokenKeys, challenge);
};

/** The options that a browser needs to create a passkey for the account. */
export const beginPasskey = async (context: AuthenticatedContext, passkeys: readonly Passkey[]) => {
  const { deps, actor, login } = context;
  if (passkeys.length >= maxPasskeys) throw new Failure('too_many_passkeys');
  const challenge = await newChallenge(context, 'add');
  const options = creationOptions(
    {
      domain: buildRelyingParty(deps.config).domain,
      challenge: await computeSignedText(challenge),
      timeoutMs: challengeTtlMs,
      passkeys,
    },
    {
      ...parseOwner(login),
      userId: toBase64Url(new TextEncoder().encode(actor.userId)),
    },
  );
  return { challenge, ...expires, public_key: options };
};

/** The options that a browser needs to confirm with a passkey who is there. */
export const beginConfirmation = async (context: AuthenticatedContext, passkeys: readonly Passkey[]) => {
  if (passkeys.length === 0) throw new Failure('second_factor_missing');
  const challenge = await newChallenge(context, 'confirm');
  return { challenge, ...expires, passkey: await passkeyRequest(context.deps, challenge, passkeys) };
};

const wrongPasskey = (): Failure =>
  new Failure('validation_failed', { issues: [{ path: 'credential', rule: 'passkey_wrong' }] });

/** Adds the passkey that a browser made. With the first factor come recovery codes, and other devices are logged out. */
export const addPasskey = async (
  context: AuthenticatedContext,
  { challenge, credential, name = '' }: BodyOf<typeof contract.AddPasskey>,
  attempt: Attempt,
) => {
  const { deps, now, actor, login } = context;
  const { db } = deps;
  const { userId, deviceLoginId } = actor;
  const given = await openPasskeyChallenge(
    deps.tokenKeys,
    challenge,
    { use: 'add', userId, deviceLoginId },
    now,
  );
  const passkey = given && (await readNewPasskey(credential, await buildExpected(deps, challenge)));
  if (!passkey) throw wrongPasskey();
  const { factorId, issuedAt } = given;
  const detail = { factor_id: factorId, kind: 'passkey' };
  const { network } = attempt;
  const event = eventRow({
    ...ownEvent(context, context.actor),
    type: 'second_factor_added',
    network,
    detail,
  });
  const { writeId } = event;
  const { credentialId } = passkey;
  const isFirst = login.secondFactorAt === null;
  const { codes, statements } = isFirst
    ? await freshCodes(deps, userId, writeId, now)
    : { codes: [], statements: [] };
  const added = { factorId, credentialId, issuedAt, isFirst: isFirst ? 1 : 0 };
  const { recorded } = await runAll(db, {
    event: recordPasskeyAdded(db, { ...event, ...added }),
    passkey: insertPasskey(db, { id: factorId, userId, name, ...passkey, now, writeId }),
    account: noteFactors(db, { userId, now, writeId }),
    logins: isFirst ? [endUnprovedLogins(db, { userId, exceptId: deviceLoginId, now, writeId })] : [],
    codes: statements,
    recorded: findRecorded(db, { writeId }),
    forgiven: await forgive(deps, 'second-factor', userId, attempt),
  });
  if (recorded.length === 0) throw wrongPasskey();
  return { id: factorId, recovery_codes: codes };
};
