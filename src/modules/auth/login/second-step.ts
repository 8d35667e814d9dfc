import { run, runAll } from '../../../core/db/db.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { eventRow, findRecorded, recordSecurityEvent } from '../audit/queries.ts';
import { type Challenge, computeStamp, openChallenge } from '../factors/challenge.ts';
import { spend, verifyProof } from '../factors/proof.ts';
import { type FactorRow, findFactors } from '../factors/queries.ts';
import { accountName } from '../rules.ts';
import { type Attempt, findDevice, openedInTwoSteps, throttled } from '../throttle/throttled.ts';
import { readUserAgent, type User } from './actions.ts';
import type * as contract from './contract.ts';
import { deviceHeader, newDeviceLogin } from './device-login.ts';
import { newDeviceMail } from './new-device.ts';
import { pageAnswer, pageRequest } from './page-login.ts';
import {
  findDeviceLogin,
  findUserById,
  insertFirstToken,
  openProvedLogin,
  recordProvedLogin,
} from './queries.ts';
import { loginView, toOpened } from './views.ts';

type Input = BodyOf<typeof contract.LogInWithFactor>;

const failSecondStep = async (
  { deps, now, requestId }: RequestContext,
  userId: string,
  { network }: Attempt,
) => {
  const event = { writeId: deps.newId(), type: 'second_factor_failed' as const, userId };
  await run(deps.db, recordSecurityEvent(deps.db, { ...event, network, requestId, now }));
  return new Failure('second_factor_invalid');
};

/** What the first step proved, if that is still the account's: its password, or also its phone; null if it is not. */
const findFirstProof = async (user: User, { stamp }: Challenge) => {
  const { passwordHash, loginPhone } = user;
  if (user.deactivatedAt !== null) return null;
  if (stamp === (await computeStamp(passwordHash, null))) return { passwordHash, loginPhone: null };
  const isByPhone = loginPhone !== null && stamp === (await computeStamp(passwordHash, loginPhone));
  return isByPhone ? { passwordHash, loginPhone } : null;
};

/** Opens the login that the challenge belongs to, if the proof is valid. */
const prove = async (
  context: RequestContext,
  input: Input,
  challenge: Challenge,
  user: User | undefined,
  factors: readonly FactorRow[],
  attempt: Attempt,
) => {
  const { deps, now, requestId } = context;
  const { db } = deps;
  const { userId, deviceLoginId: id, deviceId } = challenge;
  const first = user === undefined ? null : await findFirstProof(user, challenge);
  if (user === undefined || first === null) throw new Failure('challenge_invalid');
  const proof = await verifyProof(deps, userId, factors, input, now);
  if (proof === null) throw await failSecondStep(context, userId, attempt);
  const name = accountName(user);
  const known = await findDevice(context, name);
  const origin = { network: attempt.network, device: known?.id ?? null };
  const device = { deviceId, userAgent: readUserAgent(context) };
  const { login, token, tokens } = await newDeviceLogin(deps, user, device, now, id);
  const writeId = deps.newId();
  const event = { writeId, type: 'login' as const, userId, actorId: userId, deviceLoginId: id };
  const facts = { network: attempt.network, requestId, now, detail: { second_factor: proof.by } };
  const deviceMail = await newDeviceMail(context, user, id, origin);
  const { recorded, standing } = await runAll(db, {
    event: recordProvedLogin(db, { ...eventRow({ ...event, ...facts }), ...proof, ...first }),
    spent: spend(deps, proof, writeId, now),
    login: openProvedLogin(db, { ...login, now, writeId }),
    token: insertFirstToken(db, { hash: token.hash, loginId: id, now, expiresAt: token.expiresAt }),
    deviceMail,
    recorded: findRecorded(db, { writeId }),
    standing: findDeviceLogin(db, { id }),
    attempt: await openedInTwoSteps(context, { userId, name }, origin),
  });
  if (recorded.length === 0)
    throw standing.length > 0
      ? new Failure('challenge_invalid')
      : await failSecondStep(context, userId, attempt);
  const opened = toOpened(userId, user, tokens);
  const headers = await deviceHeader(context, name, origin.device);
  return input.app === undefined
    ? { data: loginView(opened), headers }
    : pageAnswer(input.app, input.remember, opened, headers);
};

/** The second step of a login; it returns what the first step returns where the password is enough. */
export const logInWithFactor = async (request: RequestContext, input: Input) => {
  const context = input.app === undefined ? request : pageRequest(request, input.app);
  const { deps, now } = context;
  const challenge = await openChallenge(deps.tokenKeys, input.challenge, now);
  if (challenge === null) throw new Failure('challenge_invalid');
  const { userId } = challenge;
  const reads = { users: findUserById(deps.db, { id: userId }), factors: findFactors(deps.db, { userId }) };
  return throttled(
    context,
    { act: 'second-factor', account: userId, reads },
    async (attempt, { users: [user], factors }) => ({
      status: 200 as const,
      ...(await prove(context, input, challenge, user, factors, attempt)),
    }),
  );
};
