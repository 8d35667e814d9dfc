import { run, runAll } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import type { BodyOf } from '../../core/endpoint/endpoint.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import type { RequestContext } from '../../core/http/context.ts';
import { eventRow } from '../auth/audit/queries.ts';
import { readUserAgent } from '../auth/login/actions.ts';
import { newDeviceLogin } from '../auth/login/device-login.ts';
import { findDeviceLogin, insertFirstToken, openDeviceLogin, recordLogin } from '../auth/login/queries.ts';
import { type Opened, toOpened } from '../auth/login/views.ts';
import type { NewUser } from '../auth/queries.ts';
import { hashToken } from '../auth/refresh-token.ts';
import type { Attempt } from '../auth/throttle/throttled.ts';
import type { CreateFirstAdmin } from './contract.ts';
import { findSetup, insertFirstAdmin, recordFirstAdmin } from './queries.ts';

type Setup = ReturnType<typeof findSetup>['_']['result'][number];

/** Reads whether the clinic has an admin, and whether the link with this token is good. */
export const readSetup = async ({ db, tokenKeys }: Deps, token: string, now: number) =>
  findSetup(db, { hash: await hashToken(tokenKeys, token), now });

const assertOpen = (setup: Setup | undefined): void => {
  if (setup?.hasAdmin) throw new Failure('setup_closed');
  if (!setup?.isGood) throw new Failure('setup_link_invalid');
};

/** Makes the first admin and logs them in, in one step; of two at once with the same link one is refused. */
export const createFirstAdmin = async (
  context: RequestContext,
  { token, name, email, password }: BodyOf<typeof CreateFirstAdmin>,
  { network }: Attempt,
  found: Setup | undefined,
): Promise<Opened> => {
  assertOpen(found);
  const { deps, now, requestId } = context;
  const { db } = deps;
  const admin: NewUser = {
    id: deps.newId(),
    name,
    email,
    phoneNumber: '',
    phoneCountryCode: '',
    deviceId: '',
    passwordHash: await deps.hasher.hash(password),
    role: 'admin',
    createdAt: now,
    updatedAt: now,
  };
  const { id: userId, passwordHash } = admin;
  const device = { deviceId: '', userAgent: readUserAgent(context) };
  const { login, token: first, tokens } = await newDeviceLogin(deps, admin, device, now);
  const by = { userId, actorId: userId, deviceLoginId: login.id, network, requestId, now };
  const made = eventRow({
    ...by,
    writeId: deps.newId(),
    type: 'role_changed',
    detail: { from: null, to: 'admin', doctor_id: null },
  });
  const { opened } = await runAll(db, {
    made: recordFirstAdmin(db, { ...made, hash: await hashToken(deps.tokenKeys, token), email }),
    admin: insertFirstAdmin(db, admin, made.writeId),
    login: openDeviceLogin(db, { ...login, now, passwordHash, loginPhone: null }),
    first: insertFirstToken(db, { hash: first.hash, loginId: login.id, now, expiresAt: first.expiresAt }),
    event: recordLogin(db, eventRow({ ...by, writeId: deps.newId(), type: 'login' })),
    opened: findDeviceLogin(db, { id: login.id }),
  });
  if (opened.length > 0) return toOpened(userId, admin, tokens);
  // Another person was faster, or registered this e-mail as a patient.
  const [setup] = await run(db, await readSetup(deps, token, now));
  assertOpen(setup);
  throw new Failure('email_taken');
};
