import { expect } from 'vitest';
import { demoIds, demoPassword } from '../../src/modules/demo/demo.ts';

interface Given {
  method?: string;
  token?: string;
  body?: object;
  headers?: Record<string, string>;
}

/** Asks one demo clinic. */
type AskClinic = (
  path: string,
  given?: Given,
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came.
) => Promise<{ status: number; headers: Headers; body: any }>;

const ownPage = { 'Sec-Fetch-Site': 'same-origin' };
const patient = { email: 'pasien@klinik.example', password: demoPassword };

const logIn = async (ask: AskClinic, email = patient.email, headers: Record<string, string> = {}) => {
  const answer = await ask('/v1/auth/login', { body: { email, password: demoPassword }, headers });
  expect(answer.status).toBe(200);
  return { ...answer.body.data, device: answer.headers.get('X-Device-Token') } as {
    access_token: string;
    refresh_token: string;
    device: string;
  };
};

const book = async (ask: AskClinic, token: string): Promise<string> => {
  const [doctor_id] = demoIds.doctors;
  const [session_id] = demoIds.sessions;
  const slots = await ask(`/v1/doctors/${doctor_id}/slots`);
  const [{ schedule_date, schedule_time }] = slots.body.data;
  const body = { doctor_id, session_id, schedule_date, schedule_time };
  const booked = await ask('/v1/bookings', { token, body });
  expect(booked.status).toBe(201);
  return booked.body.data.id;
};

/** Everything by which a demo clinic lets somebody in, made there. */
export const makeCredentials = async (ask: AskClinic) => {
  const { access_token: token, refresh_token: refreshToken, device } = await logIn(ask);
  const bookingId = await book(ask, token);
  await book(ask, token);
  const page = await ask('/v1/bookings/history?limit=1', { token });
  const feed = await ask('/v1/calendar-feeds', { token, body: {} });
  const link = await ask(`/v1/bookings/${bookingId}/calendar-link`, { token });
  const opened = await ask('/v1/auth/session', { body: { ...patient, app: 'pasien' }, headers: ownPage });
  const [cookie = ''] = (opened.headers.getSetCookie()[0] ?? '').split(';');
  const admin = await logIn(ask, 'admin@klinik.example');
  const scopes = ['bookings:read'];
  const made = await ask('/v1/admin/api-keys', {
    token: admin.access_token,
    body: { name: 'Mesin', scopes },
  });
  expect([feed, link, opened, made].map(({ status }) => status)).toEqual([201, 200, 200, 201]);
  return {
    token,
    refreshToken,
    device,
    cursor: new URLSearchParams({ cursor: page.body.meta.next_cursor }).toString(),
    feed: feed.body.data.path as string,
    link: link.body.data.path as string,
    cookie,
    key: made.body.data.key as string,
  };
};

type Credentials = Awaited<ReturnType<typeof makeCredentials>>;

/** The statuses with which a clinic answers to each of them, and whether it knows the device again. */
export const tryCredentials = async (ask: AskClinic, given: Credentials) => {
  const { token, refreshToken, device, cursor, feed, link, cookie, key } = given;
  const known = await logIn(ask, patient.email, { 'X-Device-Token': device });
  // Nobody is logged in by a cookie that does not hold: 200, and null.
  const page = await ask('/v1/auth/session/refresh', {
    body: { app: 'pasien' },
    headers: { ...ownPage, Cookie: cookie },
  });
  const answers = {
    token: await ask('/v1/auth/profile', { token }),
    // By who is logged in there, since the token holds at its clinic alone.
    cursor: await ask(`/v1/bookings/history?limit=1&${cursor}`, { token: known.access_token }),
    feed: await ask(feed),
    link: await ask(link),
    key: await ask('/v1/bookings?limit=1', { token: key }),
    refreshToken: await ask('/v1/auth/refresh', { body: { refresh_token: refreshToken } }),
  };
  const statuses = Object.entries(answers).map(([name, { status }]) => [name, status]);
  return {
    ...(Object.fromEntries(statuses) as Record<keyof typeof answers, number>),
    opensPage: page.body.data !== null,
    knowsDevice: known.device.split('.')[0] === device.split('.')[0],
  };
};

export const atItsClinic = {
  token: 200,
  cursor: 200,
  feed: 200,
  link: 200,
  key: 200,
  refreshToken: 200,
  opensPage: true,
  knowsDevice: true,
};

/** At a copy of the clinic's database under another id. */
export const atACopy = {
  token: 401,
  cursor: 400,
  feed: 404,
  link: 404,
  key: 401,
  refreshToken: 401,
  opensPage: false,
  knowsDevice: false,
};
