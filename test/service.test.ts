import { describe, expect, it } from 'vitest';
import { Unavailable } from '../src/core/endpoint/errors.ts';
import { assemble, type Shared } from '../src/service.ts';
import {
  createWorld,
  registerPatient,
  secret,
  secretsOf,
  testClinicId,
  type World,
} from './support/world.ts';

const clinicOf = (clinicId: string) => ({
  clinicId,
  legacyKeysUntil: null,
  sealedByJwt: false,
  demoSince: null,
});

/** The dependencies of a runtime, here those of a test world. */
const sharedOf = ({ deps }: World): Shared => {
  const { db: _db, newId: _newId, tokenKeys: _keys, clinicTime: _time, secretBox: _box, ...shared } = deps;
  return { ...shared, ...secretsOf(secret) };
};

const statusOf = async ({ app }: Pick<World, 'app'>, path: string, token?: string): Promise<number> => {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return (await app.request(`http://localhost${path}`, { headers })).status;
};

describe('a service that is put together for a clinic', () => {
  it('takes the tokens of its own clinic, and none of another one under the same secret', async () => {
    const world = await createWorld();
    const { token } = await registerPatient(world);
    const serviceOf = (clinicId: string) => assemble(clinicOf(clinicId), world.deps, sharedOf(world));
    expect(await statusOf(await serviceOf(testClinicId), '/v1/auth/profile', token)).toBe(200);
    expect(await statusOf(await serviceOf('klinik-lain'), '/v1/auth/profile', token)).toBe(401);
  });

  it('is not ready while its database is of no use', async () => {
    const world = await createWorld();
    let isUsable = true;
    const assertUsable = async () => {
      if (!isUsable) throw new Unavailable();
    };
    const service = await assemble(clinicOf(testClinicId), { db: world.db, assertUsable }, sharedOf(world));
    expect(await statusOf(service, '/ready')).toBe(200);
    isUsable = false;
    expect(await statusOf(service, '/ready')).toBe(503);
  });

  it('has the routes that only its runtime has', async () => {
    const world = await createWorld();
    const shared = sharedOf(world);
    const mountOwn: Shared['mountOwn'] = (serve) => serve('GET', '/own', () => new Response('own'));
    const service = await assemble(clinicOf(testClinicId), world.deps, { ...shared, mountOwn });
    expect(await statusOf(service, '/own')).toBe(200);
    expect(await statusOf(await assemble(clinicOf(testClinicId), world.deps, shared), '/own')).toBe(404);
  });
});
