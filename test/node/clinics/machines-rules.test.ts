import { describe, expect, it } from 'vitest';
import {
  endToEnd,
  readForwarded,
  renewEveryMs,
  retryAfterSeconds,
  textToSign,
  usedForMs,
  writeForwarded,
} from '../../../src/runtime/node/clinics/machines/rules.ts';

describe('the rules of several machines', () => {
  it('let an owner stop before its lease ends, and one renewal fail without that', () => {
    for (const leaseMs of [2_000, 15_000, 300_000]) {
      expect(usedForMs(leaseMs)).toBeLessThanOrEqual(leaseMs * 0.8);
      expect(2 * renewEveryMs(leaseMs)).toBeLessThan(usedForMs(leaseMs));
    }
  });

  it('name a whole second at least for the next try, and never one that is too early', () => {
    expect([-5, 0, 1, 1_000, 1_001].map(retryAfterSeconds)).toEqual([1, 1, 1, 1, 2]);
  });

  it('pass on every header but those of one connection, in their order and spelling', () => {
    const given = [
      'Host',
      'a',
      'Connection',
      'close, X-Own',
      'x-own',
      '1',
      'Set-Cookie',
      'a=1',
      'Set-Cookie',
      'b=2',
    ];
    const dropped = ['Keep-Alive', 'timeout=5', 'Transfer-Encoding', 'chunked', 'Janji-Forwarded', '1.x.y'];
    expect(endToEnd([...given, ...dropped, 'ETag', '"x"'])).toEqual([
      ...['Host', 'a', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'ETag', '"x"'],
    ]);
  });

  it('write and read an address of either kind, and sign no two requests as one text', () => {
    const mac = 'a'.repeat(43);
    for (const clientAddress of ['203.0.113.7', '2001:db8::1', ''])
      expect(readForwarded(writeForwarded(clientAddress, mac))).toEqual({ clientAddress, mac });
    for (const text of ['', '1.', `2.x.${mac}`, `1.x.${mac}x`, `1.!.${mac}`])
      expect(readForwarded(text)).toBeNull();
    const request = { machineId: 'm', method: 'GET', target: '/a', host: 'h', clientAddress: '1' };
    expect(textToSign({ ...request, host: 'h1', clientAddress: '' })).not.toBe(textToSign(request));
    expect(textToSign({ ...request, target: '/a","h', host: '' })).not.toBe(textToSign(request));
  });
});
