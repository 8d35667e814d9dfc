import { type SQL, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { isCommonPassword } from '#test-common-passwords';
import { freshDatabase, runtime } from '#test-database';
import { createApp } from '../../src/app.ts';
import { ClinicMismatch } from '../../src/core/clinic/row.ts';
import type { Db } from '../../src/core/db/db.ts';
import type { BesideSandbox, OpenSandbox } from '../../src/core/deps.ts';
import { consoleLogger } from '../../src/core/log.ts';
import { noMetrics } from '../../src/core/metrics.ts';
import { parseConfig } from '../../src/core/settings/config.ts';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { clinic, doctors } from '../../src/core/tables/catalog.ts';
import { mailOutbox } from '../../src/core/tables/mail.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { failureFormats } from '../../src/interface/dialects.ts';
import { createKey } from '../../src/modules/auth/keys/actions.ts';
import { keyClaims } from '../../src/modules/auth/keys/key.ts';
import { demoIds, seedDemo } from '../../src/modules/demo/demo.ts';
import { withTestKeys } from '../../src/modules/sandbox/front.ts';
import { openOnDemand } from '../../src/modules/sandbox/on-demand.ts';
import { openSandbox } from '../../src/service.ts';
import { createAdmin } from '../support/admin.ts';
import { rememberingHasher } from '../support/hasher.ts';
import { addKey } from '../support/keys.ts';
import { createMobileJkn } from '../support/peers/mobile-jkn.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, mondayMorning, secret, secretsOf, testClinicId, type World } from '../support/world.ts';

const hour = 3_600_000;
const allScopes = [
  'catalog:read',
  'catalog:write',
  'bookings:read',
  'bookings:write',
  'patients:write',
  'patients:read',
];

/** A sandbox alone, over a time that the test controls. */
const openAlone = async (settings: Record<string, string> = {}) => {
  const real = { now: mondayMorning };
  const sent: string[] = [];
  const db = await freshDatabase();
  const shared = {
    config: parseConfig({ RATE_LIMIT: 'off', LOG_LEVEL: 'error', ...settings }),
    ...secretsOf(secret),
    clock: () => real.now,
    hasher: rememberingHasher(),
    commonPasswords: async () => isCommonPassword,
    mailer: { reachesPeople: true as const, send: async ({ to }: { to: string }) => void sent.push(to) },
    log: consoleLogger('error'),
    clientAddress: () => '203.0.113.7',
    background: (work: Promise<unknown>) => void work.catch(() => {}),
    sendWebhook: async () => ({ status: 200 }),
    sendMessage: async () => ({ status: 200 }),
    awaitEvents: async () => false,
    eventsWritten: () => {},
    askPartner: async () => ({ failure: 'connection' as const }),
    metrics: noMetrics,
  };
  const open = (
    changed: Record<string, string> = {},
    { in: own = db, ...more }: { dataKey?: string; in?: Db } = {},
  ) =>
    openSandbox({ db: own }, testClinicId, { ...shared, ...more, config: { ...shared.config, ...changed } });
  return { db, real, sent, open, sandbox: await open() };
};

const keyOf = async ({ deps }: OpenSandbox, scopes = allScopes): Promise<string> => {
  const by = {
    actorId: demoIds.doctors[0],
    role: 'admin',
    deviceLoginId: null,
    requestId: 'r',
    now: deps.clock(),
  };
  const input = { name: 'Uji', scopes, expires_at: null } as Parameters<typeof createKey>[2];
  return (await createKey(deps, by as Parameters<typeof createKey>[1], input, () => null)).key;
};

/** Requests as they arrive at the clinic, which answers 418 itself. */
const callerOf = (sandbox: OpenSandbox | BesideSandbox | undefined) => {
  const beside = sandbox && ('open' in sandbox ? sandbox : { open: async () => sandbox });
  const fetch = withTestKeys(() => new Response('klinik', { status: 418 }), beside, []);
  return async (method: string, path: string, token?: string, body?: unknown) => {
    const answer = await fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text.startsWith('{') ? JSON.parse(text) : text,
    };
  };
};

const iso = (instant: number): string => new Date(instant).toISOString();

describe('a test key', () => {
  it('is taken from Mobile JKN, too: its token and all that is asked with it are of the sandbox', async () => {
    const { sandbox } = await openAlone({ BPJS: 'rs' });
    const token = await keyOf(sandbox, ['antrean:write']);
    const id = (await keyClaims(sandbox.deps.tokenKeys, token))?.userId ?? '';
    const marks: (string | null)[] = [];
    const reaching = (beside: BesideSandbox | undefined) => {
      const clinic = () => new Response('klinik', { status: 418 });
      const fetch = withTestKeys(clinic, beside, failureFormats);
      const request = async (path: string, { raw, ...init }: { raw?: BodyInit; [name: string]: unknown }) => {
        const answer = await fetch(
          new Request(`http://localhost${path}`, { ...init, ...(raw && { body: raw }) }),
        );
        marks.push(answer.headers.get('X-Sandbox'));
        return { status: answer.status, headers: answer.headers, body: await answer.json() };
      };
      return createMobileJkn({ request: request as World['request'] }, 'rs', { id, token });
    };
    const mobile = reaching({ open: async () => sandbox });
    expect((await mobile.login()).code).toBe(200);
    expect(mobile.token).toMatch(/^janji_test_/);
    const { code, message } = await mobile.post('antrean/status', { kodepoli: 'ANA' });
    expect([code, message]).toEqual([201, 'Kode Dokter tidak boleh kosong']);
    expect(marks).toEqual(['true', 'true']);
    const wrong = { code: 201, message: 'Token salah atau sudah kedaluwarsa' };
    const lonely = reaching(undefined);
    lonely.token = mobile.token;
    expect(await lonely.post('antrean/status', {})).toMatchObject(wrong);
    mobile.token = `${mobile.token}A`;
    expect(await mobile.post('antrean/status', {})).toMatchObject(wrong);
    expect(marks.slice(2)).toEqual([null, null]);
  });

  it('reaches the sandbox by itself, whose answers say so, and is told apart from the keys of a clinic', async () => {
    const { sandbox } = await openAlone();
    const call = callerOf(sandbox);
    const key = await keyOf(sandbox);
    expect(key).toMatch(/^janji_test_[\w-]{40}$/);
    const answer = await call('GET', '/v1/admin/doctors', key);
    expect([answer.status, answer.headers.get('X-Sandbox')]).toEqual([200, 'true']);
    expect(answer.body.data.map(({ name }: { name: string }) => name)).toContain('Sari Wulandari');
    // Nobody else is sent there.
    for (const token of [undefined, 'janji_abcdefghijklmnopqrstuvwxyz', 'eyJhbGciOiJIUzI1NiJ9.e30.x'])
      expect((await call('GET', '/v1/admin/doctors', token)).status).toBe(418);
  });

  it('that the sandbox did not make is refused everywhere, also where nobody needs a key, and so is every one without a sandbox', async () => {
    const { sandbox } = await openAlone();
    const forged = `janji_test_${'a'.repeat(40)}`;
    const register = { name: 'Budi', email: 'budi@klinik.example', password: 'kata-sandi-uji-17' };
    for (const [call, key] of [
      [callerOf(sandbox), forged],
      [callerOf(sandbox), 'janji_test_x'],
      [callerOf(undefined), await keyOf(sandbox)],
    ] as const)
      for (const [method, path, body] of [
        ['GET', '/v1/clinic', undefined],
        ['POST', '/v1/auth/register', register],
        ['POST', '/v1/sandbox/reset', undefined],
      ] as const) {
        const { status, body: answer, headers } = await call(method, path, key, body);
        expect([path, status, answer.code]).toEqual([path, 401, 'unauthenticated']);
        expect(headers.get('WWW-Authenticate')).toContain('Bearer');
      }
  });

  it('never lets a request reach the clinic, however it is sent', async () => {
    const { sandbox } = await openAlone();
    const key = await keyOf(sandbox);
    const fetch = withTestKeys(
      () => new Response('klinik', { status: 418 }),
      { open: async () => sandbox },
      [],
    );
    const ask = async (Authorization: string) =>
      (await fetch(new Request('http://localhost/v1/clinic', { headers: { Authorization } }))).status;
    expect(await ask(`bearer   ${key}`)).toBe(200);
    for (const sent of [
      key,
      `Bearer "${key}"`,
      `Bearer\t${key}`,
      `Token ${key}`,
      `Bearer ${key}, Bearer ${key}`,
      key.toUpperCase(),
    ])
      expect([sent, await ask(sent)]).toEqual([sent, 401]);
  });

  it('gets nothing that a cache between the two may give to others', async () => {
    const { sandbox } = await openAlone();
    const call = callerOf(sandbox);
    const key = await keyOf(sandbox);
    const doctor = `/v1/doctors/${demoIds.doctors[0]}`;
    for (const path of ['/v1/clinic', '/v1/sessions', doctor, `${doctor}/queue`]) {
      const { status, headers } = await call('GET', path, key);
      expect([path, status, headers.get('Cache-Control')]).toEqual([
        path,
        200,
        expect.not.stringContaining('public'),
      ]);
    }
  });

  it('opens the sandbox after a change of DATA_KEY too, and one that nobody made does not', async () => {
    const { sandbox, open } = await openAlone();
    const key = await keyOf(sandbox);
    const call = callerOf(await open({}, { dataKey: Buffer.alloc(32, 'another').toString('base64url') }));
    for (const path of ['/v1/admin/doctors', '/v1/clinic'])
      expect([path, (await call('GET', path, key)).status]).toEqual([path, 200]);
    const invented = `janji_test_${'a'.repeat(40)}`;
    for (const path of ['/v1/admin/doctors', '/v1/clinic'])
      expect([path, (await call('GET', path, invented)).status]).toEqual([path, 401]);
  });

  it('obeys its scopes', async () => {
    const { sandbox } = await openAlone();
    const call = callerOf(sandbox);
    const reader = await keyOf(sandbox, ['catalog:read']);
    expect((await call('GET', '/v1/admin/doctors', reader)).status).toBe(200);
    expect((await call('POST', '/v1/sandbox/reset', reader)).body.code).toBe('insufficient_scope');
  });
});

describe('the clock of the sandbox', () => {
  it('is set forward, goes on from there, and what is due until then is done', async () => {
    const { db, real, sandbox, sent } = await openAlone();
    const call = callerOf(sandbox);
    const key = await keyOf(sandbox);
    expect((await call('GET', '/v1/sandbox/clock', key)).body.data).toEqual({ now: iso(mondayMorning) });
    const patient = await call('POST', '/v1/patients', key, { name: 'Uji Jam', birth_date: '1990-01-01' });
    const made = await call('POST', '/v1/bookings', key, {
      patient_id: patient.body.data.id,
      doctor_id: demoIds.doctors[0],
      session_id: demoIds.sessions[0],
      schedule_date: '2026-11-26',
      schedule_time: '10:00:00',
    });
    expect(made.status).toBe(201);
    const next = mondayMorning + 5 * 24 * hour;
    const set = await call('POST', '/v1/sandbox/clock', key, { now: iso(next) });
    expect([set.status, set.body.data]).toEqual([200, { now: iso(next) }]);
    // The day of the demo clinic was filled by the jobs of that time.
    const dates = await db.selectDistinct({ date: bookings.scheduleDate }).from(bookings);
    expect(dates.map(({ date }) => date)).toContain('2026-11-28');
    real.now += hour;
    expect((await call('GET', '/v1/sandbox/clock', key)).body.data).toEqual({ now: iso(next + hour) });
    const past = await call('GET', `/v1/bookings/${made.body.data.id}`, key);
    expect(past.status).toBe(200);
    expect(sent).toEqual([]);
  });

  it('goes back for nobody, and not beyond ten years', async () => {
    const { real, sandbox } = await openAlone();
    const call = callerOf(sandbox);
    const key = await keyOf(sandbox);
    const set = (now: unknown) => call('POST', '/v1/sandbox/clock', key, { now });
    expect((await set(iso(real.now + hour))).status).toBe(200);
    for (const now of [iso(real.now), iso(Date.now() + 3_700 * 24 * hour), 'besok', 12]) {
      const { status, body } = await set(now);
      expect([now, status, body.code]).toEqual([now, 422, 'validation_failed']);
    }
    expect((await call('GET', '/v1/sandbox/clock', key)).body.data).toEqual({ now: iso(real.now + hour) });
  });

  it('is the same for every process that opens the sandbox', async () => {
    const { real, sandbox, open } = await openAlone();
    const key = await keyOf(sandbox);
    const other = await open();
    await callerOf(sandbox)('POST', '/v1/sandbox/clock', key, { now: iso(real.now + 7 * hour) });
    const read = await callerOf(other)('GET', '/v1/sandbox/clock', key);
    expect(read.body.data).toEqual({ now: iso(real.now + 7 * hour) });
  });
});

describe('the sandbox', () => {
  it('begins again on request: its data and its time, but not its keys', async () => {
    const { db, real, sandbox } = await openAlone();
    const call = callerOf(sandbox);
    const key = await keyOf(sandbox);
    await call('POST', '/v1/patients', key, { name: 'Uji Hilang', birth_date: '1990-01-01' });
    const doctor = `/v1/admin/doctors/${demoIds.doctors[0]}`;
    await call('PATCH', doctor, key, { name: 'Nama Lain' });
    await call('POST', '/v1/sandbox/clock', key, { now: iso(real.now + 30 * 24 * hour) });
    const [before] = await db.select({ version: doctors.calendarVersion }).from(doctors);
    const { status, body } = await call('POST', '/v1/sandbox/reset', key);
    expect([status, body.data]).toEqual([200, { now: iso(real.now) }]);
    expect((await call('GET', doctor, key)).body.data.name).toBe('Sari Wulandari');
    const names = (await db.select({ name: patients.name }).from(patients)).map(({ name }) => name);
    expect(names).not.toContain('Uji Hilang');
    expect(names).toContain('Darmo Suwito');
    expect(await db.select().from(bookings)).toEqual([]);
    expect(before?.version).toBeGreaterThan(1_000_000);
  });

  it('that begins again counts no request of its key at a time that is still to come', async () => {
    const { real, sandbox } = await openAlone({ RATE_LIMIT: 'on' });
    const call = callerOf(sandbox);
    const key = await keyOf(sandbox);
    await call('POST', '/v1/sandbox/clock', key, { now: iso(real.now + 30 * 24 * hour) });
    expect((await call('GET', '/v1/sandbox/clock', key)).status).toBe(200);
    expect((await call('POST', '/v1/sandbox/reset', key)).status).toBe(200);
    expect((await call('GET', '/v1/sandbox/clock', key)).status).toBe(200);
  });

  it('that begins again decides bookings on no calendar of before', async () => {
    const { real, sandbox } = await openAlone();
    const call = callerOf(sandbox);
    const key = await keyOf(sandbox);
    const of = { doctor_id: demoIds.doctors[0], session_id: demoIds.sessions[0] };
    const bookLate = async () => {
      const patient = await call('POST', '/v1/patients', key, {
        name: 'Uji Malam',
        birth_date: '1990-01-01',
      });
      const late = { schedule_date: '2026-11-26', schedule_time: '18:00:00' };
      const { body } = await call('POST', '/v1/bookings', key, {
        ...of,
        ...late,
        patient_id: patient.body.data.id,
      });
      return body.code ?? body.status;
    };
    const holiday = { name: 'Cuti', start_date: '2026-12-24' };
    expect((await call('POST', '/v1/admin/closures', key, holiday)).status).toBe(201);
    const evening = { weekday: 4, start_time: '18:00:00', end_time: '20:00:00', slot_minutes: 30 };
    expect((await call('POST', '/v1/admin/schedules', key, { ...of, ...evening })).status).toBe(201);
    expect(await bookLate()).toBe('success');
    // Its calendars have changed as often as seconds have passed.
    real.now += 1_000;
    expect((await call('POST', '/v1/sandbox/reset', key)).status).toBe(200);
    expect(await bookLate()).toBe('slot_unavailable');
  });

  it('sends no mail, whatever the clinic does', async () => {
    const { db, real, sandbox, sent } = await openAlone({ PUBLIC_URL: 'https://janji.klinik.example' });
    const call = callerOf(sandbox);
    const key = await keyOf(sandbox);
    await call('POST', '/v1/auth/password/forgot', key, { email: 'pasien@klinik.example' });
    await call('POST', '/v1/sandbox/clock', key, { now: iso(real.now + hour) });
    expect(sent).toEqual([]);
    expect(
      (await db.select({ sentAt: mailOutbox.sentAt }).from(mailOutbox)).every(
        ({ sentAt }) => sentAt !== null,
      ),
    ).toBe(true);
  });

  it('refuses a database that holds a clinic', async () => {
    const world = await createWorld();
    await createAdmin(world);
    const { deps } = world;
    await expect(openSandbox({ db: world.db }, 'klinik', { ...deps, ...secretsOf(secret) })).rejects.toThrow(
      /one of its own/,
    );
  });

  it('refuses that of its clinic itself, also where that is a demo clinic, and changes nothing there', async () => {
    const world = await createWorld();
    const { deps, db } = world;
    await seedDemo(db, deps.hasher, world.clock.now);
    const before = await db.select().from(doctors);
    for (const CLINIC_TIME_ZONE of ['Asia/Jakarta', 'Asia/Makassar'])
      await expect(
        openSandbox({ db }, testClinicId, {
          ...deps,
          ...secretsOf(secret),
          config: { ...deps.config, CLINIC_TIME_ZONE },
        }),
      ).rejects.toThrow(
        new ClinicMismatch('The database of the sandbox is that of its clinic: give it another one.'),
      );
    expect(await db.select().from(doctors)).toEqual(before);
  });
});

describe('a refusal for a test key', () => {
  it('is readable for pages of the clinic’s origins, and for no others', async () => {
    const { sandbox } = await openAlone();
    const token = await keyOf(sandbox);
    const origin = 'https://klinik.example';
    const away = { open: () => Promise.reject(new Error('away')) };
    for (const [beside, status] of [
      [undefined, 401],
      [away, 503],
    ] as const)
      for (const Origin of [origin, 'https://lain.example']) {
        const fetch = withTestKeys(() => new Response('klinik'), beside, [], [origin]);
        const headers = { Authorization: `Bearer ${token}`, Origin };
        const answer = await fetch(new Request('http://localhost/v1/doctors', { headers }));
        const allowed = answer.headers.get('Access-Control-Allow-Origin');
        expect([answer.status, allowed]).toEqual([status, Origin === origin ? origin : null]);
      }
  });
});

describe('a sandbox', () => {
  it('is filled once by those who open it at the same time', async () => {
    const { open } = await openAlone();
    const empty = { in: await freshDatabase() };
    const [one, other] = await Promise.all([open({}, empty), open({}, empty)]);
    const key = await keyOf(one);
    for (const each of [one, other])
      expect((await callerOf(each)('GET', '/v1/admin/doctors', key)).status).toBe(200);
  });

  it('begins again in the zone to which its clinic was moved, with its keys', async () => {
    const { sandbox, open } = await openAlone();
    const key = await keyOf(sandbox);
    const add = (call: ReturnType<typeof callerOf>) =>
      call('POST', '/v1/patients', key, { name: 'Uji Zona', birth_date: '1990-01-01' });
    expect((await add(callerOf(sandbox))).status).toBe(201);
    const moved = await open({ CLINIC_TIME_ZONE: 'Asia/Makassar' });
    const call = callerOf(moved);
    expect((await call('GET', '/v1/clinic', key)).body.data.time_zone).toBe('Asia/Makassar');
    const found = await call('GET', '/v1/patients?q=uji+zona', key);
    expect([found.status, found.body.data]).toEqual([200, []]);
    expect((await add(call)).status).toBe(201);
    // Opened again in the same zone, it goes on.
    const again = callerOf(await open({ CLINIC_TIME_ZONE: 'Asia/Makassar' }));
    expect((await again('GET', '/v1/patients?q=uji+zona', key)).body.data).toHaveLength(1);
  });

  it('does what became due before the next request, at the latest after a minute', async () => {
    const { sandbox, db, real } = await openAlone();
    const call = callerOf(sandbox);
    const key = await keyOf(sandbox);
    const filledDays = async () => {
      expect((await call('GET', '/v1/clinic', key)).status).toBe(200);
      const days = await db.selectDistinct({ date: bookings.scheduleDate }).from(bookings);
      return days.map(({ date }) => date);
    };
    expect(await filledDays()).toContain('2026-11-23');
    expect(await filledDays()).not.toContain('2026-11-24');
    real.now += 24 * hour;
    expect(await filledDays()).toContain('2026-11-24');
  });

  it('that cannot be opened is 503 for test keys, is tried and logged ever more seldom, and is opened once that is possible', async () => {
    const { sandbox } = await openAlone();
    const key = await keyOf(sandbox);
    const logged: unknown[] = [];
    let isAway = true;
    let tries = 0;
    let now = 0;
    const log = { error: (...line: unknown[]) => void logged.push(line) };
    const beside = openOnDemand(
      async () => {
        tries += 1;
        if (isAway) throw new ClinicMismatch('Kotak pasir sedang pergi.');
        return sandbox;
      },
      { log, clock: () => now },
    );
    const call = callerOf(beside);
    const away = await call('GET', '/v1/clinic', key);
    expect([away.status, away.body.code]).toEqual([503, 'unavailable']);
    expect(away.headers.get('X-Sandbox')).toBe('true');
    expect(logged).toEqual([['the sandbox cannot be opened', { reason: 'Kotak pasir sedang pergi.' }]]);
    expect((await call('GET', '/v1/clinic')).status).toBe(418);
    // Somebody goes on asking each second.
    const triedAfter: number[] = [];
    for (const began = now; now < began + 1_000_000; now += 1_000) {
      const before = tries;
      const asked = [
        call('GET', '/v1/clinic', key),
        call('GET', '/v1/clinic', `janji_test_${'a'.repeat(40)}`),
      ];
      for (const { status } of await Promise.all(asked)) expect(status).toBe(503);
      if (tries > before) triedAfter.push(now / 1_000);
    }
    expect(triedAfter).toEqual([1, 3, 7, 15, 31, 63, 127, 255, 511, 811]);
    expect(logged).toHaveLength(11);
    isAway = false;
    now += 300_000;
    expect((await call('GET', '/v1/clinic', key)).status).toBe(200);
    expect(logged).toHaveLength(11);
  });

  it('that is open is open for all, though another request failed to open it a moment before', async () => {
    const { sandbox } = await openAlone();
    const results = [Promise.reject(new Error('away')), Promise.resolve(sandbox)];
    const beside = openOnDemand(async () => results.shift() ?? sandbox, {
      log: { error: () => {} },
      clock: () => 0,
    });
    const [failed, opened] = await Promise.allSettled([beside.open(), beside.open()]);
    expect([failed.status, opened.status]).toEqual(['rejected', 'fulfilled']);
    expect(await beside.open()).toBe(sandbox);
  });

  it('whose database fails is 503 for test keys, and the clinic answers', async () => {
    const { sandbox, db } = await openAlone();
    const key = await keyOf(sandbox);
    const call = callerOf(sandbox);
    const { run } = db as Db & { run: (statement: SQL) => Promise<unknown> };
    await run.call(db, sql`alter table clinic rename to clinic_gone`);
    try {
      const failed = await call('GET', '/v1/clinic', key);
      expect([failed.status, failed.body.code]).toEqual([503, 'unavailable']);
      expect((await call('GET', '/v1/clinic')).status).toBe(418);
    } finally {
      await run.call(db, sql`alter table clinic_gone rename to clinic`);
    }
  });
});

describe('what a clinic with a sandbox answers to everybody', () => {
  it('is told apart by shared caches from what a test key gets at the same address', async () => {
    const { deps } = await createWorld({ PUBLIC_CACHE: 'on' });
    const beside = createApp({ ...deps, besideSandbox: { open: async () => null } });
    const alone = createApp(deps);
    const ask = async (app: typeof alone, path: string, headers: Record<string, string> = {}) => {
      const answer = await app.request(path, { headers });
      await answer.text();
      const names = (answer.headers.get('Vary') ?? '')
        .split(/, */)
        .filter((name) => name === 'Authorization');
      return { status: answer.status, names, tag: answer.headers.get('ETag') ?? '' };
    };
    for (const path of ['/v1/clinic', '/v1/sessions', '/v1/doctors', '/v1/queues']) {
      const first = await ask(beside, path);
      expect([path, first.status, first.names]).toEqual([path, 200, ['Authorization']]);
      // Of those that are kept this one is.
      expect([path, await ask(beside, path)]).toEqual([path, first]);
      const known = await ask(beside, path, { 'If-None-Match': first.tag });
      expect([path, known.status, known.names]).toEqual([path, 304, ['Authorization']]);
    }
    expect((await ask(alone, '/v1/sessions')).names).toEqual([]);
  });
});

// D1 has one database for the tests.
describe.runIf(runtime === 'node')('a clinic with a sandbox beside it', () => {
  it('lets admins make and revoke test keys, which its trail names, and nothing of them reaches its data', async () => {
    const world = await createWorld();
    const { token } = await createAdmin(world);
    const { sandbox } = await openAlone();
    const app = createApp({ ...world.deps, besideSandbox: { open: async () => sandbox } });
    const call = async (method: string, path: string, bearer: string, body?: unknown) => {
      const answer = await app.request(`http://localhost${path}`, {
        method,
        headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    };
    const made = await call('POST', '/v1/sandbox/keys', token, { name: 'Integrasi', scopes: allScopes });
    expect(made.status).toBe(201);
    const { key, id } = made.body.data;
    expect(key).toMatch(/^janji_test_/);
    const before = await world.db.select().from(patients);
    const added = await call('POST', '/v1/patients', key, { name: 'Uji Beda', birth_date: '1990-01-01' });
    expect(added.status).toBe(201);
    expect(await world.db.select().from(patients)).toEqual(before);
    // A key of the clinic opens nothing of the sandbox.
    const own = await addKey(world, ['catalog:write', 'catalog:read']);
    for (const path of ['clock', 'reset'])
      expect(
        (await call('POST', `/v1/sandbox/${path}`, own.token, { now: iso(mondayMorning) })).body.code,
      ).toBe('insufficient_scope');
    expect((await call('GET', '/v1/sandbox', own.token)).body.code).toBe('insufficient_scope');
    expect((await call('GET', '/v1/sandbox/clock', own.token)).status).toBe(401);
    expect((await call('GET', `/v1/admin/doctors/${demoIds.doctors[0]}`, own.token)).status).toBe(404);
    expect((await call('DELETE', `/v1/sandbox/keys/${id}`, token)).status).toBe(200);
    expect((await call('GET', '/v1/admin/doctors', key)).status).toBe(401);
    const trail = await world.db.select().from(securityEvents);
    const lines = trail.filter(({ detail }) => detail?.includes('"sandbox":"true"')).map(({ type }) => type);
    expect(lines).toEqual(['api_key_created', 'api_key_revoked']);
    expect(JSON.stringify(trail)).not.toContain(key);
  });

  it('shows admins its clock and its keys, and lets them set the one and begin again, with a recent login alone', async () => {
    const world = await createWorld();
    const { token } = await createAdmin(world);
    const { sandbox, real, db } = await openAlone();
    const app = createApp({ ...world.deps, besideSandbox: { open: async () => sandbox } });
    const call = async (method: string, path: string, body?: unknown, bearer = token) => {
      const answer = await app.request(`http://localhost${path}`, {
        method,
        headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    };
    expect((await call('GET', '/v1/admin/setup')).body.data.has_sandbox).toBe(true);
    const scopes = ['catalog:read'];
    const one = await call('POST', '/v1/sandbox/keys', { name: 'Kasir', scopes });
    const other = await call('POST', '/v1/sandbox/keys', { name: 'Lama', scopes });
    await call('DELETE', `/v1/sandbox/keys/${other.body.data.id}`);
    const { key, ...listed } = one.body.data;
    const read = async () => (await call('GET', '/v1/sandbox')).body.data;
    expect(await read()).toEqual({ now: iso(mondayMorning), keys: [listed] });
    const later = iso(real.now + hour);
    const set = await call('POST', '/v1/sandbox/clock', { now: later });
    expect([set.status, set.body.data]).toEqual([200, { now: later }]);
    expect((await read()).now).toBe(later);
    expect((await call('POST', '/v1/sandbox/clock', { now: iso(real.now) })).body.code).toBe(
      'validation_failed',
    );
    // Another process sets the clock.
    await db.update(clinic).set({ clockAheadMs: 5 * hour });
    expect((await read()).now).toBe(iso(real.now + 5 * hour));
    const reset = await call('POST', '/v1/sandbox/reset');
    expect([reset.status, reset.body.data]).toEqual([200, { now: iso(real.now) }]);
    expect((await read()).keys).toEqual([listed]);
    const lines = (await world.db.select().from(securityEvents)).filter(({ type }) =>
      type.startsWith('sandbox_'),
    );
    expect(lines.map(({ type, detail }) => [type, JSON.parse(detail ?? '')])).toEqual([
      ['sandbox_clock_set', { until: later, sandbox: 'true' }],
      ['sandbox_reset', { sandbox: 'true' }],
    ]);
    // Nobody but an admin, and no admin whose login is old.
    const acts = [
      ['POST', '/v1/sandbox/clock', { now: later }],
      ['POST', '/v1/sandbox/reset', undefined],
    ] as const;
    const { token: doctor } = await createPerson(world, 'doctor');
    for (const [method, path, body] of [['GET', '/v1/sandbox', undefined] as const, ...acts])
      expect((await call(method, path, body, doctor)).body.code).toBe('forbidden');
    world.clock.now += hour / 2;
    for (const [method, path, body] of acts)
      expect((await call(method, path, body)).body.code).toBe('reauthentication_required');
  });

  it('shows one that is not made yet as an empty one at the real time, and makes it for whoever sets its clock', async () => {
    const world = await createWorld();
    const { token } = await createAdmin(world);
    const { sandbox } = await openAlone();
    let isMade = false;
    const open = async (how?: 'make') => {
      isMade ||= how === 'make';
      return isMade ? sandbox : null;
    };
    const app = createApp({ ...world.deps, besideSandbox: { open } });
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const read = async () =>
      (await (await app.request('http://localhost/v1/sandbox', { headers })).json()).data;
    expect(await read()).toEqual({ now: iso(world.clock.now), keys: [] });
    expect(isMade).toBe(false);
    const now = iso(mondayMorning + hour);
    const body = JSON.stringify({ now });
    const set = await app.request('http://localhost/v1/sandbox/clock', { method: 'POST', headers, body });
    expect(set.status).toBe(200);
    expect((await read()).now).toBe(now);
  });

  it('has none of these endpoints without a sandbox', async () => {
    const world = await createWorld();
    const { token } = await createAdmin(world);
    const call = (method: string, path: string) =>
      world.app.request(`http://localhost${path}`, { method, headers: { Authorization: `Bearer ${token}` } });
    for (const [method, path] of [
      ['POST', '/v1/sandbox/keys'],
      ['GET', '/v1/sandbox'],
      ['POST', '/v1/sandbox/reset'],
    ] as const)
      expect((await call(method, path)).status).toBe(404);
    const setup = await (await call('GET', '/v1/admin/setup')).json();
    expect(setup.data.has_sandbox).toBe(false);
  });
});
