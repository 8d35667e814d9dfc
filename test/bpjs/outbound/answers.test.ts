import { describe, expect, it } from 'vitest';
import { judgeAnswer, maskAnswer, readNamedTime } from '../../../src/modules/bpjs/outbound/answers.ts';
import { nextCode } from '../../../src/modules/bpjs/outbound/send.ts';
import { openAnswer, signRequest } from '../../../src/modules/bpjs/outbound/signing.ts';

describe('a call of BPJS', () => {
  const account = { consId: '1234', secret: 'rahasia' };
  const timestamp = '1795827600';

  it('is signed, and its answer opened with the timestamp of the request, as the known answer says', async () => {
    expect(await signRequest(account, timestamp)).toBe('NtREJ9d8cfYhbJkslMzPwfyuu7xS9n9HWOq9nQTPBGk=');
    const sealed =
      'LWGMutrNrV26iNQ/lcoRpRQ1J9GN2+p5ApKiIAKhdUgSmHA4dDW+jlLe8JejKscl+bV/fvA0Mk0QPZcfLwq4tSD8cpMr1QIfO8KCGnLtPKI=';
    expect(await openAnswer(account, timestamp, sealed)).toEqual({
      list: [{ taskid: 3, kodebooking: '7KQ2M9XR' }],
    });
    await expect(openAnswer(account, '1795827601', sealed)).rejects.toThrow();
  });

  it.each([
    [200, 'Ok', 3, 'done', null],
    [1, 'Ok', null, 'done', null],
    [208, 'Terdapat duplikasi Kode Booking', null, 'done', null],
    [208, 'TaskId=3 sudah ada', 3, 'done', null],
    [201, 'TaskId terakhir 99', 5, 'closed', null],
    [201, 'TaskId terakhir 5', 4, 'done', null],
    [201, 'TaskId terakhir 3', 5, 'parked', 'order'],
    [201, 'Antrean Tidak Ditemukan atau Sudah Dibatalkan', null, 'closed', null],
    [201, 'Kode Booking tidak ditemukan', 3, 'parked', 'unknown_visit'],
    [201, 'Rujukan tidak valid', null, 'parked', 'referral'],
    [201, 'NIK belum sesuai', null, 'parked', 'refused'],
    [401, 'Signature is not valid', null, 'rest', 'signature'],
    [401, 'Service timestamp is expired', null, 'rest', 'clock'],
    [403, '', null, 'rest', 'signature'],
    [502, '', 3, 'again', 'no_answer'],
    [0, '', 3, 'again', 'no_answer'],
  ] as const)('%d "%s" to task %j means %s', (code, message, task, means, reason) => {
    expect(judgeAnswer(code, message, task)).toEqual({ means, reason });
  });

  it('reads the instant that a later one must follow, in the time of Jakarta', () => {
    const message = 'Waktu tidak boleh kurang atau sama dengan waktu sebelumnya (23-11-2026 07:00:05 WIB)';
    expect(judgeAnswer(201, message, 4)).toEqual({ means: 'later', reason: 'time' });
    expect(readNamedTime(message)).toBe(Date.parse('2026-11-23T00:00:05Z'));
    expect(readNamedTime('Waktu salah')).toBeNull();
  });

  it('keeps no number of a person in what is stored of an answer', () => {
    expect(maskAnswer('NIK 3171012345670001 tidak sesuai dengan kartu 0001234567890')).toBe(
      'NIK … tidak sesuai dengan kartu …',
    );
  });

  it('gives a moved booking a code that was not used', () => {
    expect([
      nextCode('7KQ2M9XR', null),
      nextCode('7KQ2M9XR', '7KQ2M9XR'),
      nextCode('7KQ2M9XR', '7KQ2M9XR-2'),
    ]).toEqual(['7KQ2M9XR', '7KQ2M9XR-2', '7KQ2M9XR-3']);
  });
});
