import { demoIds, demoPassword } from '../../../src/modules/demo/demo.ts';
import { createMobileJkn, newPatientAt, takeAt } from './mobile-jkn.ts';

interface Given {
  method?: string;
  token?: string;
  body?: object;
  raw?: BodyInit;
  headers?: Record<string, string>;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came.
type Ask = (path: string, given?: Given) => Promise<{ status: number; headers: Headers; body: any }>;

/** Gives a demo clinic the codes of BPJS, and Mobile JKN a key of it. */
const prepare = async (ask: Ask) => {
  const login = await ask('/v1/auth/login', {
    body: { email: 'admin@klinik.example', password: demoPassword },
  });
  const token: string = login.body.data.access_token;
  const change = async (path: string, body: object) => {
    const { status } = await ask(path, { method: 'PATCH', token, body });
    if (status !== 200) throw new Error(`${path}: ${status}`);
  };
  await change(`/v1/admin/doctors/${demoIds.doctors[0]}`, { bpjs_doctor_code: 12_346 });
  await change(`/v1/admin/sessions/${demoIds.sessions[0]}`, { bpjs_poli_code: 'ANA' });
  const made = await ask('/v1/admin/api-keys', {
    token,
    body: { name: 'Mobile JKN', scopes: ['antrean:write'] },
  });
  const { id, key } = made.body.data;
  const [slot] = (await ask(`/v1/doctors/${demoIds.doctors[0]}/slots`)).body.data;
  const mobile = createMobileJkn({ request: ask as never }, 'rs', { id, token: key });
  const found = async (code: string) =>
    (await ask(`/v1/bookings?q=${code}`, { token })).body.data.map(
      ({ channel }: { channel: string }) => channel,
    );
  return {
    mobile,
    key: { id, token: key },
    found,
    take: { tanggalperiksa: slot.schedule_date, jampraktek: '08:00-16:00' },
  };
};

/** Mobile JKN takes a number at the first of two clinics, and tries its token, key and code at the other. */
export const playAtTwoClinics = async (one: Ask, other: Ask) => {
  const [here, there] = [await prepare(one), await prepare(other)];
  for (const { mobile } of [here, there]) await mobile.login();
  await here.mobile.post('pasien/baru', newPatientAt());
  const taken = await here.mobile.post('antrean/ambil', takeAt(0, here.take));
  const { kodebooking } = taken.response ?? {};
  const stranger = createMobileJkn({ request: other as never }, 'rs', here.key);
  const keyElsewhere = (await stranger.login()).message;
  stranger.token = here.mobile.token;
  return {
    taken: taken.code,
    foundHere: await here.found(kodebooking),
    foundThere: await there.found(kodebooking),
    patientThere: (await there.mobile.post('antrean/ambil', takeAt(0, there.take))).code,
    codeThere: (await there.mobile.post('antrean/sisa', { kodebooking })).message,
    keyElsewhere,
    tokenElsewhere: (await stranger.post('antrean/sisa', { kodebooking })).message,
  };
};

/** What comes of it where each clinic answers for itself alone. */
export const apart = {
  taken: 200,
  foundHere: ['mobile_jkn'],
  foundThere: [],
  patientThere: 202,
  codeThere: 'Antrean Tidak Ditemukan',
  keyElsewhere: 'Username atau Password Tidak Sesuai',
  tokenElsewhere: 'Token salah atau sudah kedaluwarsa',
};
