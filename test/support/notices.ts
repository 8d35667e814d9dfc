import { eq } from 'drizzle-orm';
import { inject } from 'vitest';
import { users } from '../../src/core/tables/accounts.ts';
import { notices } from '../../src/core/tables/mail.ts';
import { sendDueNotices } from '../../src/modules/notices/sending/send.ts';
import { sendByFetch } from '../../src/modules/webhooks/delivery/send-by-fetch.ts';
import { bookingInput, createPractice } from './clinic.ts';
import type { Box } from './message-gateway.ts';
import { createPerson } from './people.ts';
import { createWorld, mondayMorning, type World } from './world.ts';

export const minute = 60_000;
export const hour = 60 * minute;

export const callbackSecret = 'rahasia-panggilan-balik';

/** The settings of a clinic that mails. */
export const mailing = {
  MAIL_API_URL: 'https://mail.klinik.example',
  PUBLIC_URL: 'https://janji.klinik.example',
};

/** A box of the gateway beside the tests, and the settings of a clinic that sends messages to it. */
export const openBox = (plan = '200') => {
  const box = `${inject('messageGateway')}/${crypto.randomUUID()}`;
  return {
    settings: {
      NOTICE_API_URL: `${box}/${plan}`,
      NOTICE_API_KEY: 'kunci-gateway',
      NOTICE_CALLBACK_SECRET: callbackSecret,
    },
    box: async (): Promise<Box> => (await fetch(box)).json() as Promise<Box>,
  };
};

/** A practice whose clinic sends notices of visits, with a patient whose e-mail is proved. */
export const createTelling = async (settings: Record<string, string> = mailing, now = mondayMorning) => {
  const world = await createWorld(settings, now);
  world.deps.sendMessage = sendByFetch;
  const practice = await createPractice(world, { capacity: 5 });
  const staff = await createPerson(world, 'staff');
  const patient = await createPerson(world);
  await proveEmail(world, patient.id);
  // The first run of all only notes where to begin.
  await tell(world);
  return { world, practice, staff, patient };
};

export const proveEmail = (world: World, id: string) =>
  world.db.update(users).set({ emailProvedAt: world.clock.now }).where(eq(users.id, id));

/** The job of each minute. */
export const tell = (world: World) =>
  sendDueNotices(world.deps, world.clock.now, new AbortController().signal);

/** The same, at another instant. */
export const tellAt = (world: World, now: number) => {
  world.clock.now = now;
  return tell(world);
};

type Telling = Awaited<ReturnType<typeof createTelling>>;

/** Books as the patient and gives the booking's id. */
export const book = async ({ world, practice, patient }: Telling, fields: Record<string, unknown> = {}) => {
  const body = bookingInput(practice, { schedule_time: '12:00:00', ...fields });
  const { status, body: answer } = await world.request('/v1/bookings', { token: patient.token, body });
  if (status !== 201) throw new Error(`The booking failed: ${JSON.stringify(answer)}`);
  return answer.data.id as string;
};

/** The clinic's changes to a booking. */
export const act = async ({ world, staff }: Telling, id: string, verb: string, body: object = {}) => {
  const { status, body: answer } = await world.request(`/v1/bookings/${id}/${verb}`, {
    token: staff.token,
    body,
  });
  if (status !== 200) throw new Error(`${verb} failed: ${JSON.stringify(answer)}`);
};

/** The log: kind, channel, state and reason of each notice, in the order of kinds. */
export const logOf = async ({ db }: World) => {
  const rows = await db.select().from(notices).orderBy(notices.createdAt, notices.kind, notices.channel);
  return rows.map(({ kind, channel, state, reason }) =>
    [kind, channel, state, reason].filter(Boolean).join(' '),
  );
};

/** Requests a route beside the API: a page, or a report that is accepted. */
export const askPage = async (
  { app }: World,
  path: string,
  { method, raw, headers }: { method?: string; raw?: string; headers?: Record<string, string> } = {},
) => {
  const response = await app.request(`http://localhost${path}`, {
    method: method ?? (raw === undefined ? 'GET' : 'POST'),
    headers: { ...(raw !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(raw !== undefined && { body: raw }),
  });
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
};
