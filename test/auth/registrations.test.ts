import { describe, expect, it } from 'vitest';
import { toSite } from '../../src/core/http/network.ts';
import { policies } from '../../src/modules/auth/throttle/rules.ts';
import { createWorld, password } from '../support/world.ts';

let nth = 0;

const setUp = async () => {
  const world = await createWorld({ RATE_LIMIT: 'on' });
  // These counts do not depend on the cost of a password hash.
  world.deps.hasher = { ...world.deps.hasher, hash: async () => 'x' };
  const register = async (address: string) => {
    nth += 1;
    const body = {
      name: 'Calon Pasien',
      phone_number: '81234567890',
      phone_country_code: '62',
      email: `calon${nth}@klinik.example`,
      password,
      password_confirmation: password,
    };
    const sent = { body, headers: { 'X-Test-Address': address } };
    return (await world.request('/v1/auth/register', sent)).status;
  };
  const many = async (count: number, addressOf: (at: number) => string) => {
    const statuses: number[] = [];
    for (let at = 0; at < count; at++) statuses.push(await register(addressOf(at)));
    return statuses.filter((status) => status === 201).length;
  };
  return { world, register, many };
};

describe('registrations from one IPv6 site', () => {
  it('are counted together, however many networks it has', async () => {
    const { world, register, many } = await setUp();
    const allowed = policies.register.site?.free ?? 0;
    expect(await many(allowed + 20, (at) => `2001:db8:7:${at.toString(16)}::1`)).toBe(allowed);
    expect(await register('2001:db8:7:ffff::9')).toBe(429);
    expect(await register('2001:db8:8::1')).toBe(201);
    world.clock.now += 3_600_000;
    expect(await register('2001:db8:7:ffff::9')).toBe(201);
  });

  it('are counted for each of its networks as well', async () => {
    const { many } = await setUp();
    expect(await many(40, () => '2001:db8:7:1::1')).toBe(policies.register.network.free);
  });
});

describe('the site of an address', () => {
  it.each([
    ['2001:db8:7:1::1', '2001:0db8:0007::/48'],
    ['[2001:db8:7:ffff::1]:443', '2001:0db8:0007::/48'],
    ['203.0.113.7', null],
    ['::ffff:203.0.113.7', null],
    ['tidak-diketahui', null],
  ])('%s lies in %s', (address, site) => expect(toSite(address)).toBe(site));
});
