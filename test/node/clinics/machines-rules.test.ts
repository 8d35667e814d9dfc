import { describe, expect, it } from 'vitest';
import {
  bodyLength,
  endToEnd,
  isHashed,
  isInTime,
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
    const signed = { at: 1_795_000_000_000, nonce: 'n'.repeat(16), body: 'b'.repeat(43) };
    for (const clientAddress of ['203.0.113.7', '2001:db8::1', ''])
      expect(readForwarded(writeForwarded({ ...signed, clientAddress }, mac))).toEqual({
        ...signed,
        clientAddress,
        mac,
      });
    const own = writeForwarded({ ...signed, clientAddress: 'x' }, mac);
    for (const text of ['', '2.', own.replace('2.', '1.'), `${own}x`, own.replace('eA', '!')])
      expect(readForwarded(text)).toBeNull();
    const request = { machineId: 'm', method: 'GET', target: '/a', host: 'h', clientAddress: '1', ...signed };
    const texts = [
      request,
      { ...request, host: 'h1', clientAddress: '' },
      { ...request, target: '/a","h', host: '' },
      { ...request, at: signed.at + 1 },
      { ...request, nonce: 'm'.repeat(16) },
      { ...request, body: '0' },
    ].map(textToSign);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('read a body first that an ordinary request has, and take a length as it is said', () => {
    expect(bodyLength({ 'content-length': '0065536' })).toBe('65536');
    expect(bodyLength({})).toBe('0');
    expect(bodyLength({ 'content-length': '5', 'transfer-encoding': 'chunked' })).toBe('unknown');
    expect(['0', '1', '65536', '65537', 'unknown', 'NaN'].map(isHashed)).toEqual([
      ...[false, true, true, false, false, false],
    ]);
  });

  it('take a request within half a minute of its time by either clock', () => {
    expect(
      [-30_001, -30_000, 0, 30_000, 30_001].map((late) => isInTime(1_000_000, 1_000_000 + late)),
    ).toEqual([...[false, true, true, true, false]]);
  });
});
