import { describe, expect, it } from 'vitest';
import { createTokenKeys } from '../../src/core/crypto/token-keys.ts';
import { parseConfig } from '../../src/core/settings/config.ts';
import { users } from '../../src/core/tables/accounts.ts';
import { forged, headerOf } from '../support/forge.ts';
import { createPerson } from '../support/people.ts';
import { profile } from '../support/refresh.ts';
import { started } from '../support/token-owner.ts';
import { findKeys, secret } from '../support/world.ts';

describe('the role of an account', () => {
  it('is taken away from the next request on, whatever the token says', async () => {
    const { world } = await started();
    const admin = await createPerson(world, 'admin');
    expect((await world.request('/v1/admin/people', { token: admin.token })).status).toBe(200);
    await world.db.update(users).set({ role: 'patient' });
    expect((await world.request('/v1/admin/people', { token: admin.token })).status).toBe(403);
  });
});

describe('a change of JWT_SECRET', () => {
  const next = 'the-next-secret-of-the-service-0123456789';
  const kidOf = async (text: string) => (await createTokenKeys(await findKeys(text))).live[0]?.kid;
  it('logs nobody out while JWT_SECRET_PREVIOUS names the old one, and signs with the new one', async () => {
    const { world, person } = await started({ JWT_SECRET: next, JWT_SECRET_PREVIOUS: secret });
    expect(headerOf(person.token).kid).toBe(await kidOf(next));
    const old = await forged(person.token, { header: { kid: await kidOf(secret) }, secret });
    expect((await profile(world, old)).status).toBe(200);
  });

  it('mixes no secret with the name of the other', async () => {
    const { world, person } = await started({ JWT_SECRET: next, JWT_SECRET_PREVIOUS: secret });
    const swapped = [
      { header: { kid: await kidOf(secret) }, secret: next },
      { header: { kid: await kidOf(next) }, secret },
    ];
    for (const forgery of swapped)
      expect((await profile(world, await forged(person.token, forgery))).status).toBe(401);
  });

  it('ends the old one where JWT_SECRET_PREVIOUS is not set', async () => {
    const { world, person } = await started({ JWT_SECRET: next });
    const old = await forged(person.token, { header: { kid: await kidOf(secret) }, secret });
    expect((await profile(world, old)).status).toBe(401);
  });

  it.each(['JWT_SECRET', 'JWT_SECRET_PREVIOUS'])('takes no %s under 32 bytes', (name) => {
    expect(() => parseConfig({ [name]: 'x'.repeat(31) })).toThrow(name);
    expect(() => parseConfig({ [name]: 'é'.repeat(16) })).not.toThrow();
  });
});
