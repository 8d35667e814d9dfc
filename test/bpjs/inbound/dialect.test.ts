import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { catalogue, Unavailable } from '../../../src/core/endpoint/errors.ts';
import { apiKeys } from '../../../src/core/tables/keys.ts';
import { bpjsContracts } from '../../../src/modules/bpjs/inbound/contract.ts';
import { addKey } from '../../support/keys.ts';
import { createBpjsClinic, createMobileJkn, takeAt } from '../../support/peers/mobile-jkn.ts';
import { createWorld } from '../../support/world.ts';

const hour = 3_600_000;

it('is not there without BPJS, and of two families only the one that is on', async () => {
  const world = await createWorld();
  for (const { method, path } of bpjsContracts) {
    const sent = { method: method.toUpperCase(), ...(method !== 'get' && { body: {} }) };
    expect((await world.request(path, sent)).status).toBe(404);
  }
  const { mobile, world: other } = await createBpjsClinic('rs');
  expect((await mobile.ask('POST', '../fktp/antrean', {})).message).toBe('Data tidak ditemukan.');
  expect((await other.request('/v1/nothing')).status).toBe(404);
});

it('a token is given for id and key, serves twelve hours, and ends with its key', async () => {
  const { world, key, mobile } = await createBpjsClinic('rs');
  const wrong = 'Username atau Password Tidak Sesuai';
  for (const login of [
    { id: key.id, token: 'salah' },
    { id: world.deps.newId(), token: key.token },
    { id: '', token: '' },
  ])
    expect(await createMobileJkn(world, 'rs', login).login()).toMatchObject({ code: 201, message: wrong });
  const refused = { code: 201, message: 'Token salah atau sudah kedaluwarsa' };
  const status = { kodebooking: 'AAAAAAAA' };
  const found = { code: 201, message: 'Antrean Tidak Ditemukan' };
  expect(await mobile.post('antrean/sisa', status)).toMatchObject(found);
  expect(
    await mobile.ask('POST', 'antrean/sisa', status, { 'x-username': world.deps.newId() }),
  ).toMatchObject(refused);
  expect(await mobile.ask('POST', 'antrean/sisa', status, { 'x-token': '' })).toMatchObject(refused);
  expect(
    await mobile.ask('POST', 'antrean/sisa', status, { 'x-token': '', 'x-password': key.token }),
  ).toMatchObject(refused);
  const sealed = await world.deps.secretBox.seal('anything that the clinic sealed');
  expect(await mobile.ask('POST', 'antrean/sisa', status, { 'x-token': sealed })).toMatchObject(refused);
  world.clock.now += 12 * hour - 1;
  expect(await mobile.post('antrean/sisa', status)).toMatchObject(found);
  world.clock.now += 1;
  expect(await mobile.post('antrean/sisa', status)).toMatchObject(refused);
  await mobile.login();
  expect(await mobile.post('antrean/sisa', status)).toMatchObject(found);
  await world.db.update(apiKeys).set({ revokedAt: world.clock.now }).where(eq(apiKeys.id, key.id));
  expect(await mobile.post('antrean/sisa', status)).toMatchObject(refused);
});

it('a key without the scope gets no token and makes no call', async () => {
  const { world } = await createBpjsClinic('rs');
  const other = createMobileJkn(world, 'rs', await addKey(world, ['fhir:write', 'bookings:write']));
  expect(await other.login()).toMatchObject({ code: 201 });
  expect(other.token).toBeUndefined();
});

describe('every failure is the envelope with HTTP 200, in Indonesian', () => {
  const cases: [string, string, string, unknown, Record<string, string>?][] = [
    ['no token', 'POST', 'antrean/sisa', {}, { 'x-token': '' }],
    ['an unknown path', 'GET', 'tidak/ada', undefined],
    ['another method', 'DELETE', 'antrean/ambil', undefined],
    ['a method of no path', 'GET', 'antrean/ambil', undefined],
    ['no JSON', 'POST', 'antrean/ambil', 'a=b'],
    ['a list', 'POST', 'antrean/ambil', '[]'],
    ['null', 'POST', 'antrean/ambil', 'null'],
    ['no body', 'POST', 'antrean/ambil', ''],
    ['too much', 'POST', 'antrean/ambil', `{"nik":"${'1'.repeat(70_000)}"}`],
    ['no text', 'POST', 'antrean/ambil', new Uint8Array([0xff, 0xfe])],
    [
      'a body that is nested deep',
      'POST',
      'antrean/ambil',
      `{"nik":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
    ],
    ['a preflight', 'OPTIONS', 'antrean/ambil', undefined],
    ['a method of other protocols', 'PROPFIND', 'antrean/ambil', undefined],
    ['a path that is no text', 'GET', 'antrean/%E0%A4%A', undefined],
    ['a path with a slash at its end', 'POST', 'antrean/ambil/', {}],
    ['the base', 'GET', '', undefined],
  ];
  it.each(cases)('%s', async (_name, method, path, body, headers) => {
    const { world, key, mobile } = await createBpjsClinic('rs');
    const { status, body: got } = await world.request(`/bpjs/rs/${path}`, {
      method,
      ...(body !== undefined && { raw: body as string }),
      headers: {
        'Content-Type': 'text/plain',
        'Accept-Language': 'en',
        'x-username': key.id,
        'x-token': mobile.token ?? '',
        ...headers,
      },
    });
    expect([status, Object.keys(got), got.metadata.code]).toEqual([200, ['metadata'], 201]);
    expect(got.metadata.message).not.toMatch(/\b(the|not|is|was)\b/i);
  });

  it('429, 500 and 503', async () => {
    const { world, mobile } = await createBpjsClinic(
      'rs',
      {},
      { RATE_LIMIT: 'on', API_KEY_REQUESTS_PER_MINUTE: '1' },
    );
    const limited = await mobile.post('antrean/ambil', takeAt());
    expect([limited.code, limited.message]).toEqual([201, expect.stringContaining('Terlalu banyak')]);
    world.clock.now += hour;
    world.deps.log.error = () => {};
    world.deps.log.warn = () => {};
    for (const [broken, message] of [
      [new Error('broken'), catalogue.internal.id],
      [new Unavailable('gone'), catalogue.unavailable.id],
    ] as const) {
      world.clock.now += hour;
      world.deps.clinicTime.dateOf = () => {
        throw broken;
      };
      expect(await mobile.post('antrean/ambil', takeAt())).toMatchObject({ code: 201, message });
    }
  });
});

it('every field that is missing or wrong has its sentence', async () => {
  const { mobile } = await createBpjsClinic('rs');
  const wrong: [Record<string, unknown>, string][] = [
    [{ nomorkartu: '12' }, 'Nomor Kartu harus 13 digit'],
    [{ nomorkartu: '00012345678aa' }, 'Format Nomor Kartu tidak sesuai'],
    [{ nik: '' }, 'NIK tidak boleh kosong'],
    [{ nik: 317 }, 'NIK harus 16 digit'],
    [{ nohp: '' }, 'No.HP tidak boleh kosong'],
    [{ kodepoli: null }, 'Kode Poli tidak boleh kosong'],
    [{ kodepoli: 'XXX' }, 'Poli Tidak Ditemukan'],
    [{ tanggalperiksa: '' }, 'Tanggal tidak boleh kosong'],
    [{ tanggalperiksa: '23-11-2026' }, 'Format Tanggal Tidak Sesuai, format yang benar adalah yyyy-mm-dd'],
    [{ tanggalperiksa: '2026-02-30' }, 'Format Tanggal Tidak Sesuai, format yang benar adalah yyyy-mm-dd'],
    [{ tanggalperiksa: '2026-11-22' }, 'Tanggal Periksa Tidak Berlaku'],
    [{ tanggalperiksa: '2028-11-20' }, 'Tanggal Periksa Tidak Berlaku'],
    [{ kodedokter: '' }, 'Kode Dokter tidak boleh kosong'],
    [{ kodedokter: 99 }, 'Dokter tidak ditemukan'],
    [{ kodedokter: { a: 1 } }, 'Kode Dokter tidak boleh kosong'],
    [{ jampraktek: '' }, 'Jam Praktek tidak boleh kosong'],
    [
      { jampraktek: '08:00-11:00' },
      'Jadwal Dokter dr. Sari Wulandari Tersebut Belum Tersedia, Silahkan Reschedule Tanggal dan Jam Praktek Lainnya',
    ],
    [{ jeniskunjungan: 5 }, 'Jenis Kunjungan tidak ditemukan'],
    [{ nomorreferensi: '' }, 'Nomor Referensi tidak boleh kosong'],
  ];
  const person = {
    ...takeAt(),
    nama: 'Budi',
    jeniskelamin: 'L',
    tanggallahir: '1984-02-03',
    alamat: 'Jalan',
  };
  expect(await mobile.post('pasien/baru', { ...person, nohp: ' ' })).toMatchObject({
    code: 201,
    message: 'No.HP tidak boleh kosong',
  });
  await mobile.post('pasien/baru', person);
  for (const [fields, message] of wrong)
    expect([fields, await mobile.post('antrean/ambil', takeAt(0, fields))]).toEqual([
      fields,
      { code: 201, message, response: undefined },
    ]);
});
