import type { Role } from '../../src/core/endpoint/endpoint.ts';
import { insertDeviceLogin } from '../../src/modules/auth/login/queries.ts';
import { insertAccount } from '../../src/modules/auth/queries.ts';
import { issueAccessToken } from '../../src/modules/auth/tokens.ts';
import type { World } from './world.ts';

let made = 0;

/** A person with an active login, written directly: fast for tests that need hundreds, or a role other than patient. */
export const createPerson = async (world: World, role: Role = 'patient', doctorId: string | null = null) => {
  made += 1;
  const { deps, db, clock } = world;
  const id = deps.newId();
  const deviceLoginId = deps.newId();
  const times = { createdAt: clock.now, updatedAt: clock.now };
  const phone = { phoneNumber: '81234567890', phoneCountryCode: '62' };
  const email = `${role}${made}@klinik.example`;
  const user = {
    id,
    name: `Orang ${made}`,
    ...phone,
    email,
    deviceId: '',
    passwordHash: '',
    role,
    doctorId,
    ...times,
  };
  const expiresAt = clock.now + 30 * 86_400_000;
  const login = {
    id: deviceLoginId,
    userId: id,
    deviceId: '',
    userAgent: '',
    createdAt: clock.now,
    lastSeenAt: clock.now,
    expiresAt,
  };
  const refresh = { hash: deps.newId(), deviceLoginId, generation: 0, issuedAt: clock.now, expiresAt };
  await db.batch([...insertAccount(db, user), ...insertDeviceLogin(db, login, refresh)]);
  const token = await issueAccessToken(
    deps.tokenKeys,
    { userId: id, deviceLoginId, role },
    clock.now,
    20 * 86_400,
  );
  return { id, token, email, deviceLoginId };
};

/** One more device on which a person is logged in. */
export const addDevice = async (world: World, userId: string, role: Role = 'patient') => {
  const { deps, db, clock } = world;
  const deviceLoginId = deps.newId();
  const times = { createdAt: clock.now, lastSeenAt: clock.now, expiresAt: clock.now + 30 * 86_400_000 };
  const login = { id: deviceLoginId, userId, deviceId: '', userAgent: '', ...times };
  const refresh = { hash: deps.newId(), deviceLoginId, generation: 0, issuedAt: clock.now };
  await db.batch([...insertDeviceLogin(db, login, { ...refresh, expiresAt: times.expiresAt })]);
  const claims = { userId, deviceLoginId, role };
  return { deviceLoginId, token: await issueAccessToken(deps.tokenKeys, claims, clock.now, 86_400) };
};

export const createPeople = (world: World, count: number) =>
  Promise.all(Array.from({ length: count }, () => createPerson(world)));
