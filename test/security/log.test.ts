import { type SQL, sql } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { consoleLogger } from '../../src/core/log.ts';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { mailOutbox } from '../../src/core/tables/mail.ts';
import { runJobs } from '../../src/jobs/jobs.ts';
import { bookingInput } from '../support/clinic.ts';
import { createScene, endpoints, type Scene, tokenFor } from '../support/scene.ts';
import { bodyFor, requestPath } from '../support/shapes.ts';
import type { World } from '../support/world.ts';

interface Line {
  level: string;
  message: string;
  [field: string]: unknown;
}

const levels = ['debug', 'info', 'warn', 'error'] as const;

/** The service's log while `work` runs: the runtime's real logger, with the console captured. */
const listen = (): Line[] => {
  const lines: Line[] = [];
  for (const level of levels)
    vi.spyOn(console, level).mockImplementation((line: unknown) => void lines.push(line as Line));
  return lines;
};

afterEach(() => {
  vi.restoreAllMocks();
});

const sceneAt = async (LOG_LEVEL: string) => {
  const scene = await createScene({ LOG_LEVEL, RATE_LIMIT: 'off' });
  return scene;
};

/** Things that no log line, audit row or error may hold. */
const secrets = {
  password: 'sandi-rahasia-penanda-91',
  newPassword: 'sandi-penanda-baru-92',
  wrongPassword: 'tebakan-penanda-93',
  email: 'penanda-surel@klinik.example',
  stranger: 'penanda-asing@klinik.example',
  name: 'Penanda Nama Pasien',
  phone: '8999000111222',
  notes: 'penanda keluhan: demam',
  reason: 'penanda alasan batal',
  device: 'penanda-gawai',
  query: 'penanda-kueri',
  address: '203.0.113.213',
  agent: 'PenandaPeramban/9.9',
};

const registration = {
  name: secrets.name,
  phone_number: secrets.phone,
  phone_country_code: '62',
  email: secrets.email,
  password: secrets.password,
  password_confirmation: secrets.password,
  device_id: secrets.device,
};

const marked = { 'X-Test-Address': secrets.address, 'User-Agent': secrets.agent };

/** One person's requests to every kind of endpoint, valid and invalid; returns further values that must stay secret. */
const walk = async ({ world, clinic, people }: Scene) => {
  const found: string[] = [];
  const errors: unknown[] = [];
  const ask = async (path: string, sent: Parameters<World['request']>[1] = {}) => {
    const answer = await world.request(path, { ...sent, headers: { ...marked, ...sent.headers } });
    const { data } = answer.body ?? {};
    for (const value of [data?.access_token, data?.refresh_token, data?.secret]) if (value) found.push(value);
    if (answer.status >= 400) errors.push(answer.body);
    return answer;
  };
  const registered = await ask('/v1/auth/register', { body: registration });
  const { access_token: token, refresh_token, user } = registered.body.data;
  await ask('/v1/auth/register', { body: registration });
  await ask('/v1/auth/register', { body: { ...registration, password_confirmation: 'x', email: 'x' } });
  await ask('/v1/auth/login', { body: { email: secrets.email, password: secrets.password } });
  await ask('/v1/auth/login', { body: { email: secrets.email, password: secrets.wrongPassword } });
  await ask('/v1/auth/login', { body: { email: secrets.stranger, password: secrets.wrongPassword } });
  await ask('/v1/auth/login', { raw: `{"email":"${secrets.email}","password":"${secrets.password}"` });
  await ask('/v1/auth/refresh', { body: { refresh_token } });
  world.clock.now += 60_000;
  await ask('/v1/auth/refresh', { body: { refresh_token } });
  const again = await ask('/v1/auth/login', { body: { email: secrets.email, password: secrets.password } });
  const live = again.body.data.access_token as string;
  await ask('/v1/auth/profile', { token: `${token.slice(0, -4)}AAAA` });
  await ask(`/v1/auth/profile?access_token=${live}`, { token });
  const booked = await ask('/v1/bookings', {
    token: live,
    body: bookingInput(clinic.practice, { notes: secrets.notes, schedule_time: '11:00:00' }),
  });
  const { id } = booked.body.data;
  await ask(`/v1/bookings/${id}/cancel`, { token: live, body: { reason: secrets.reason } });
  await ask(`/v1/bookings/${id}/cancel`, { token: live, body: { reason: secrets.reason } });
  await ask(`/v1/patients?q=${secrets.query}`, { token: people.staff.token });
  await ask(`/v1/patients?cursor=${secrets.query}`, { token: people.staff.token });
  await ask(`/v1/admin/people/${user.id}`, { token: people.admin.token });
  await ask('/v1/admin/webhooks', {
    token: people.admin.token,
    body: { url: `https://hooks.klinik.example/${secrets.query}` },
  });
  const change = { current_password: secrets.wrongPassword, password: secrets.newPassword };
  await ask('/v1/auth/password', {
    token: live,
    body: { ...change, password_confirmation: change.password },
  });
  await ask('/v1/auth/password/forgot', { body: { email: secrets.email } });
  await ask('/v1/auth/password/forgot', { body: { email: secrets.stranger } });
  await Promise.all(world.background.splice(0));
  const reset = /\n([\w-]{43})\n/.exec(world.mails.at(-1)?.text ?? '')?.[1] ?? '';
  for (const key of [`${reset}x`, reset, reset])
    await ask('/v1/auth/password/reset', {
      body: { token: key, password: secrets.newPassword, password_confirmation: secrets.newPassword },
    });
  await ask(`/v1/${secrets.query}/${secrets.email}?email=${secrets.email}`);
  await runJobs(world.deps);
  return {
    hidden: [...Object.values(secrets), ...found, reset],
    ids: [user.id as string, id as string],
    errors,
  };
};

const holds = (where: unknown, hidden: readonly string[]): string[] => {
  const text = JSON.stringify(where);
  return hidden.filter((secret) => secret !== '' && text.includes(secret));
};

describe('the log', () => {
  it('has one line for each request: method, pattern of the route, status, code, time, id', async () => {
    const scene = await sceneAt('info');
    const lines = listen();
    const headers = { 'X-Request-Id': 'permintaan-0001' };
    await scene.world.request(`/v1/bookings/${scene.bookingId}`, {
      token: scene.clinic.patient.token,
      headers,
    });
    await scene.world.request(`/v1/bookings/${scene.bookingId}?x=1`, { headers });
    await scene.world.request('/v1/nothing', { headers });
    expect(lines).toEqual(
      [
        { route: '/v1/bookings/:id', status: 200, code: 'ok' },
        { route: '/v1/bookings/:id', status: 401, code: 'unauthenticated' },
        { route: 'none', status: 404, code: 'not_found' },
      ].map((line) => ({
        level: 'info',
        message: 'request',
        method: 'GET',
        ...line,
        ms: expect.any(Number),
        request_id: 'permintaan-0001',
      })),
    );
  });

  it.each([
    ['silent', 0],
    ['error', 0],
    ['warn', 0],
    ['info', 1],
    ['debug', 1],
  ])('at LOG_LEVEL %s has %i lines for a good request', async (level, count) => {
    const scene = await sceneAt(level);
    const lines = listen();
    await scene.world.request('/v1/sessions');
    expect(lines).toHaveLength(count);
  });

  it('and the audit trail, the outbox and the errors hold nothing that a person typed or must keep', async () => {
    const scene = await sceneAt('debug');
    const lines = listen();
    const { hidden, ids, errors } = await walk(scene);
    const { db } = scene.world;
    expect(lines.length).toBeGreaterThan(25);
    expect(holds(lines, [...hidden, ...ids])).toEqual([]);
    expect(holds(await db.select().from(securityEvents), hidden)).toEqual([]);
    expect(holds(await db.select().from(mailOutbox), hidden)).toEqual([]);
    expect(errors.length).toBeGreaterThan(10);
    expect(holds(errors, hidden)).toEqual([]);
  });

  it('of failures inside holds none of it either, whatever breaks under every route', async () => {
    const scene = await sceneAt('debug');
    const { world } = scene;
    const lines = listen();
    const { run } = world.db as unknown as { run: (query: SQL) => Promise<unknown> };
    for (const table of ['security_events', 'booking_events', 'search_words', 'mail_outbox', 'schedules'])
      await run.call(world.db, sql.raw(`alter table ${table} rename to gone_${table}`));
    const marker = Object.values(secrets);
    const seen: string[] = [];
    for (const contract of endpoints) {
      const fields = bodyFor(scene, contract);
      const typed = Object.fromEntries(
        Object.entries(secrets).flatMap(
          ([name, secret]) =>
            ({
              email: ['email'],
              name: ['name'],
              notes: ['notes'],
              reason: ['reason'],
              password: ['password', 'password_confirmation'],
              device: ['device_id'],
            })[name]
              ?.filter((field) => field in fields)
              .map((field) => [field, secret]) ?? [],
        ),
      );
      const method = contract.method.toUpperCase();
      const sent = { method, token: tokenFor(scene, contract), headers: marked };
      const path = requestPath(scene, contract);
      const answer = await world.request(
        path,
        method === 'GET' ? sent : { ...sent, body: { ...fields, ...typed } },
      );
      seen.push(`${answer.status}`);
      if (answer.status >= 400) expect(holds(answer.body, marker)).toEqual([]);
    }
    expect(seen.filter((status) => status === '500').length).toBeGreaterThan(10);
    expect(lines.filter(({ level }) => level === 'error').length).toBeGreaterThan(10);
    expect(holds(lines, [...marker, scene.bookingId, scene.clinic.patient.id])).toEqual([]);
    world.background.length = 0;
  });

  it('tells of an error its name and place, but no values that its text quotes over several lines', async () => {
    const scene = await sceneAt('info');
    const lines = listen();
    scene.world.deps.clock = () => {
      throw new Error(`first line\n${secrets.password}\n    and ${secrets.email}`);
    };
    await scene.world.request('/v1/auth/profile', { token: scene.clinic.patient.token });
    expect(lines.some(({ message }) => message === 'internal')).toBe(true);
    expect(holds(lines, Object.values(secrets))).toEqual([]);
  });
});

describe('the logger of Workers', () => {
  it('writes one object a call, at its level and above', () => {
    const lines = listen();
    const log = consoleLogger('warn');
    for (const level of levels) log[level](level, { count: 1 });
    expect(lines).toEqual(['warn', 'error'].map((level) => ({ level, message: level, count: 1 })));
  });
});
