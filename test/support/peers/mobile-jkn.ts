import { eq } from 'drizzle-orm';
import { doctors, type schedules, sessions } from '../../../src/core/tables/catalog.ts';
import { createClinic } from '../clinic-people.ts';
import { addKey } from '../keys.ts';
import { createWorld, type World } from '../world.ts';

interface Envelope {
  code: number;
  message: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came.
  response: any;
}

/** Mobile JKN: it asks as BPJS does, for a token first, and takes nothing but the envelope with HTTP 200. */
export const createMobileJkn = (
  { request }: Pick<World, 'request'>,
  family: 'rs' | 'fktp',
  login: { id: string; token: string },
) => {
  const mobile = {
    token: undefined as string | undefined,
    /** Every answer, for what must be in none of them. */
    answers: [] as string[],
    ask: async (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<Envelope> => {
      const got = await request(`/bpjs/${family}/${path}`, {
        method,
        ...(body !== undefined && { raw: typeof body === 'string' ? body : JSON.stringify(body) }),
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          'x-username': login.id,
          ...(mobile.token !== undefined && { 'x-token': mobile.token }),
          ...headers,
        },
      });
      if (got.status !== 200 || typeof got.body?.metadata?.code !== 'number')
        throw new Error(`No envelope of BPJS at ${path}: ${got.status} ${JSON.stringify(got.body)}`);
      if (typeof got.body.metadata.message !== 'string') throw new Error(`No message at ${path}.`);
      mobile.answers.push(JSON.stringify(got.body));
      return { ...got.body.metadata, response: got.body.response };
    },
    post: (path: string, body: unknown) => mobile.ask('POST', path, body),
    login: async () => {
      const answer = await mobile.ask('GET', family === 'rs' ? 'token' : 'auth', undefined, {
        'x-password': login.token,
      });
      mobile.token = answer.response?.token;
      return answer;
    },
  };
  return mobile;
};

export const doctorCode = 12_346;

/** The numbers of a person whom no clinic knows yet. */
export const personAt = (at = 0) => ({
  nik: `31710123456${String(10_000 + at)}`,
  nomorkartu: `00012345${String(10_000 + at)}`,
});

/** Info Pasien Baru of that person. */
export const newPatientAt = (at = 0) => ({
  ...personAt(at),
  nomorkk: '3171012345678888',
  nama: `Budi Hartono ${at}`,
  jeniskelamin: 'L',
  tanggallahir: '1984-02-03',
  nohp: '081234567890',
  alamat: 'Jalan Melati 5',
  kodeprop: '11',
  namaprop: 'DKI Jakarta',
  kodedati2: '0120',
  namadati2: 'Jakarta Pusat',
  kodekec: '1319',
  namakec: 'Gambir',
  kodekel: 'D2105',
  namakel: 'Cideng',
  rw: '001',
  rt: '013',
});

/** Ambil Antrean of that person at a hospital. */
export const takeAt = (at = 0, fields: Record<string, unknown> = {}) => ({
  ...personAt(at),
  nohp: '081234567890',
  kodepoli: 'ANA',
  norm: '',
  tanggalperiksa: '2026-11-23',
  kodedokter: doctorCode,
  jampraktek: '08:00-10:00',
  jeniskunjungan: 1,
  nomorreferensi: `0001R001${String(1_000_000 + at)}`,
  ...fields,
});

/** A clinic that Mobile JKN may call: a doctor from 08:00 to 10:00 in half hours, unless said otherwise. */
export const createBpjsClinic = async (
  family: 'rs' | 'fktp',
  schedule: Partial<typeof schedules.$inferInsert> = {},
  settings: Record<string, string> = {},
) => {
  const world = await createWorld({ BPJS: family, ...settings });
  const clinic = await createClinic(world, { endTime: '10:00:00', ...schedule });
  const { doctorId, sessionId } = clinic.practice;
  await world.db.update(doctors).set({ bpjsDoctorCode: doctorCode }).where(eq(doctors.id, doctorId));
  await world.db
    .update(sessions)
    .set({ bpjsPoliCode: 'ANA', bpjsFktpCode: '001' })
    .where(eq(sessions.id, sessionId));
  const key = await addKey(world, ['antrean:write']);
  const mobile = createMobileJkn(world, family, key);
  await mobile.login();
  return { world, clinic, key, mobile };
};
