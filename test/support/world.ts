import { isCommonPassword } from '#test-common-passwords';
import { freshArchive, freshDatabase } from '#test-database';
import { ensureClinic } from '../../src/core/clinic/row.ts';
import { clinicKeys } from '../../src/core/crypto/clinic-keys.ts';
import { keyText } from '../../src/core/crypto/key-text.ts';
import type { Db } from '../../src/core/db/db.ts';
import { createEventWaiters } from '../../src/core/events/waiters.ts';
import { createKeptAnswers } from '../../src/core/http/public-cache.ts';
import { consoleLogger } from '../../src/core/log.ts';
import type { Mail } from '../../src/core/mailer.ts';
import { noMetrics } from '../../src/core/metrics.ts';
import { parseConfig } from '../../src/core/settings/config.ts';
import { assemble } from '../../src/service.ts';
import { holdToContract } from './contract.ts';
import { holdToDialect } from './dialects.ts';
import { rememberingHasher } from './hasher.ts';
import { watchPlans } from './plans.ts';

export { runtime } from '#test-database';

/** Monday 2026-11-23, 07:00 in Jakarta. */
export const mondayMorning = Date.parse('2026-11-23T00:00:00Z');
export const secret = 'a-secret-that-is-used-by-tests-only-0123456789';
export const testClinicId = 'klinik-uji';
export const password = 'kata-sandi-uji-17';

/** 32 bytes, different for each secret of the tests. */
const dataKeyOf = (secret: string): string => keyText(btoa(`data key: ${secret.slice(0, 22)}`));

/** A server's secrets, each with a data key of its own. */
export const secretsOf = (secret: string, previous?: string) => ({
  secret,
  dataKey: dataKeyOf(secret),
  ...(previous !== undefined && { previousSecret: previous, previousDataKey: dataKeyOf(previous) }),
});

/** The keys of the tests' clinic under other secrets, data keys included. */
export const findKeys = (secret: string, previous?: string) =>
  clinicKeys({ clinicId: testClinicId, hasLegacyKeys: false }, secretsOf(secret, previous));

export interface Sent {
  method?: string;
  token?: string | undefined;
  body?: unknown;
  /** A body that is sent as it is. */
  raw?: BodyInit;
  headers?: Record<string, string>;
}

/** The request as `fetch` takes it. */
export const toInit = ({ method, token, body, raw, headers }: Sent) => {
  const hasBody = body !== undefined || raw !== undefined;
  return {
    method: method ?? (hasBody ? 'POST' : 'GET'),
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(hasBody && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(hasBody && { body: raw ?? JSON.stringify(body) }),
  };
};

export interface Got {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came.
  body: any;
}

const works = new Set<Promise<unknown>[]>();

/** Waits for all background work, and fails if any of it failed. */
export const settleAll = () => Promise.all([...works].flatMap((background) => background.splice(0)));

/** Leaves the worlds of a file behind. */
export const forgetWorlds = (): void => works.clear();

/** A service of its own on an empty database, or on an existing one, with a clock that the test controls. */
export const createWorld = async (
  settings: Record<string, string> = {},
  now = mondayMorning,
  standing?: Db,
) => {
  const config = parseConfig({ RATE_LIMIT: 'off', LOG_LEVEL: 'error', ...settings });
  // D1 has one database, which is emptied here.
  await settleAll();
  const db = standing ?? (await freshDatabase());
  const clinic = await ensureClinic(db, config.CLINIC_TIME_ZONE, config.CLINIC_ID ?? testClinicId);
  const clock = { now };
  const background: Promise<unknown>[] = [];
  const waiters = createEventWaiters();
  const mails: Mail[] = [];
  /** What the runtime counts; raised by the test that wants kept answers to be dropped. */
  const writes = { count: 0 };
  const archive = config.ARCHIVE_AFTER_DAYS > 0 ? { db: await freshArchive() } : undefined;
  const database = { db: watchPlans(db), archive };
  const { deps, app } = await assemble(clinic, database, {
    config,
    secret: config.JWT_SECRET ?? secret,
    dataKey: config.DATA_KEY ?? dataKeyOf(secret),
    clock: () => clock.now,
    hasher: rememberingHasher(),
    commonPasswords: async () => isCommonPassword,
    mailer: {
      ...(config.MAIL_API_URL !== undefined && { reachesPeople: true as const }),
      send: async (mail) => void mails.push(mail),
    },
    log: consoleLogger(config.LOG_LEVEL),
    clientAddress: (request) => request.headers.get('X-Test-Address') ?? '203.0.113.7',
    background: (work) => {
      background.push(work);
      // Judged by `afterEach`, which may come later than the failure.
      work.catch(() => {});
    },
    sendWebhook: async () => ({ failure: 'connection' }),
    sendMessage: async () => ({ failure: 'connection' }),
    awaitEvents: waiters.wait,
    eventsWritten: waiters.wake,
    askPartner: async () => ({ failure: 'connection' }),
    metrics: noMetrics,
    publicCache: createKeptAnswers(
      () => clock.now,
      () => writes.count,
    ),
  });

  const request = async (path: string, sent: Sent = {}): Promise<Got> => {
    const init = toInit(sent);
    const response = await app.request(`http://localhost${path}`, init);
    const text = await response.text();
    const isJson = response.headers.get('Content-Type')?.match(/^application\/(fhir\+)?json/);
    const got = {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    };
    const asked = { method: init.method, path: new URL(path, 'http://localhost').pathname };
    holdToContract({ ...asked, ...got });
    await holdToDialect({ ...asked, ...got }, config);
    return got;
  };

  works.add(background);
  return { app, deps, db, clock, request, background, mails, writes };
};

export type World = Awaited<ReturnType<typeof createWorld>>;

let people = 0;

/** Registers a patient and gives their id and token. */
export const registerPatient = async (world: World, fields: Record<string, unknown> = {}) => {
  people += 1;
  const body = {
    name: `Pasien ${people}`,
    phone_number: '81234567890',
    phone_country_code: '62',
    email: `pasien${people}@klinik.example`,
    password,
    password_confirmation: password,
    device_id: '',
    ...fields,
  };
  const { status, body: answer } = await world.request('/v1/auth/register', { body });
  if (status !== 201) throw new Error(`Registration failed: ${JSON.stringify(answer)}`);
  const { user, access_token, refresh_token } = answer.data;
  return {
    id: user.id as string,
    email: body.email,
    token: access_token as string,
    refreshToken: refresh_token as string,
  };
};
