import { describe, expect, it } from 'vitest';
import { toNetwork } from '../../src/core/http/network.ts';
import { closedLongest, listWaits, longestWaitMs, policies } from '../../src/modules/auth/throttle/rules.ts';

describe('waits', () => {
  it('begin after the free attempts, double, and end at 15 minutes', () => {
    const waits = listWaits({ free: 3, firstWaitMs: 60_000, drainMs: 1 });
    expect(waits.map((ms) => ms / 60_000)).toEqual([0, 0, 1, 2, 4, 8, 15]);
    for (const scopes of Object.values(policies))
      for (const policy of Object.values(scopes))
        expect(listWaits(policy).at(-1)).toBe(policy.longestMs ?? longestWaitMs);
  });
});

describe('of several counters', () => {
  it('reports the counter with the longest wait, and none that is open', () => {
    const counters = ([1, 5, 3, 0] as const).map((blockedUntil, at) => ({
      scope: (['pair', 'account', 'network', 'pair'] as const)[at] ?? 'pair',
      emptyAt: 0,
      blockedUntil,
    }));
    expect(closedLongest(counters, 0)).toMatchObject({ scope: 'account', blockedUntil: 5 });
    expect(closedLongest(counters, 5)).toBeNull();
  });

  it('each has its limit: the attempts without a wait, by endpoint, for a pair, an account and a network', () => {
    const free = Object.entries(policies).map(([act, { pair, account, network }]) => [
      act,
      pair.free,
      account.free,
      network.free,
    ]);
    expect(free).toEqual([
      ['login', 5, 20, 100],
      ['register', 5, 10, 30],
      ['refresh', 60, 120, 300],
      ['forgot', 3, 6, 20],
      ['reset', 10, 20, 20],
      ['email-code', 3, 6, 20],
      ['email-verify', 10, 10, 60],
      ['login-code', 3, 6, 20],
      ['phone-code', 3, 4, 20],
      ['login-code-verify', 5, 10, 100],
      ['sso', 30, 100, 100],
      ['hold', 20, 30, 60],
      ['second-factor', 5, 10, 100],
      ['api-key', 20, 20, 20],
      ['check-in', 5, 8, 60],
      ['claim', 5, 20, 100],
    ]);
    const ofSites = Object.entries(policies).filter(([, { site }]) => site !== undefined);
    expect(ofSites.map(([act, { site }]) => [act, site?.free])).toEqual([
      ['register', 60],
      ['login-code', 60],
      ['phone-code', 60],
    ]);
  });
});

describe('a network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002::/64'],
    ['2001:DB8:1:2::1', '2001:0db8:0001:0002::/64'],
    ['203.0.113.7:50123', '203.0.113.7'],
    ['[2001:db8:1:2::1]:443', '2001:0db8:0001:0002::/64'],
    ['[2001:db8:1:2::1]', '2001:0db8:0001:0002::/64'],
    ['::1', '0000:0000:0000:0000::/64'],
    ['fe80::1%eth0', 'fe80:0000:0000:0000::/64'],
    ['', ''],
    ['not:an address', 'not:an address'],
    ['1:2:3:4:5:6:7:8:9:10:11', '1:2:3:4:5:6:7:8:9:10:11'],
  ])('of %s is %s', (address, network) => expect(toNetwork(address)).toBe(network));
});
