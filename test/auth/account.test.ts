import { describe, expect, it } from 'vitest';
import { deviceWords } from '../../src/auth/account/rules.ts';
import { sendDueMail } from '../../src/auth/mail/send.ts';
import { runJobs } from '../../src/jobs/jobs.ts';
import { deviceLogins, passwordResets, users } from '../../src/tables/accounts.ts';
import { mailOutbox } from '../../src/tables/mail.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, password, registerPatient, type World } from '../support/world.ts';
import { WEAKER } from './password-hashes.ts';

const next = 'sandi-yang-baru-42';

const logIn = (world: World, email: string, typed = password, headers: Record<string, string> = {}) =>
  world.request('/v1/auth/login', { body: { email, password: typed }, headers });

const profile = async (world: World, token: string) =>
  (await world.request('/v1/auth/profile', { token })).status;

const settled = async (world: World) => {
  await Promise.all(world.background.splice(0));
};

const change = (world: World, token: string, current_password: string, password = next) =>
  world.request('/v1/auth/password', {
    token,
    body: { current_password, password, password_confirmation: password },
  });

const forgot = async (world: World, email: string, headers: Record<string, string> = {}) => {
  const answer = await world.request('/v1/auth/password/forgot', { body: { email }, headers });
  await settled(world);
  return answer;
};

const reset = (world: World, token: string, password = next) =>
  world.request('/v1/auth/password/reset', { body: { token, password, password_confirmation: password } });

const tokenIn = (world: World) => /\n([\w-]{43})\n/.exec(world.mails.at(-1)?.text ?? '')?.[1] ?? '';

describe('the profile', () => {
  it('changes what is named and keeps the rest', async () => {
    const world = await createWorld();
    const { token, email } = await registerPatient(world);
    const body = { name: ' Putri Ayu ', phone_number: '0811222333' };
    const changed = await world.request('/v1/auth/profile', { method: 'PATCH', token, body });
    expect(changed).toMatchObject({ status: 200, body: { message: 'Profil berhasil diperbarui.' } });
    const shown = await world.request('/v1/auth/profile', { token });
    expect(shown.body.data).toEqual(changed.body.data);
    expect(shown.body.data).toMatchObject({
      user: { name: 'Putri Ayu', phone_number: '0811222333', phone_country_code: '62', email },
      role: 'patient',
    });
  });

  it('ignores role, e-mail and id in the body', async () => {
    const world = await createWorld();
    const { token, email, id } = await registerPatient(world);
    const others = { role: 'admin', email: 'other@klinik.example', id: 'x', password_hash: 'x' };
    const body = { name: 'Nama Baru', ...others };
    const { body: answer } = await world.request('/v1/auth/profile', { method: 'PATCH', token, body });
    expect(answer.data).toMatchObject({ user: { id, email }, role: 'patient' });
  });

  it('loses no field to another change at the same time', async () => {
    const world = await createWorld();
    const { token } = await registerPatient(world);
    const patch = (body: object) => world.request('/v1/auth/profile', { method: 'PATCH', token, body });
    await Promise.all([
      patch({ name: 'Nama Baru' }),
      patch({ phone_number: '777777' }),
      patch({ phone_country_code: '65' }),
    ]);
    const { body } = await world.request('/v1/auth/profile', { token });
    expect(body.data.user).toMatchObject({
      name: 'Nama Baru',
      phone_number: '777777',
      phone_country_code: '65',
    });
  });
});

describe('changing the password', () => {
  it('ends the other device logins, keeps the own, and lets only the new password in', async () => {
    const world = await createWorld();
    const { token, email } = await registerPatient(world);
    const other = (await logIn(world, email)).body.data;
    expect((await change(world, token, password)).status).toBe(200);
    expect(await profile(world, token)).toBe(200);
    expect(await profile(world, other.access_token)).toBe(401);
    const refreshed = await world.request('/v1/auth/refresh', {
      body: { refresh_token: other.refresh_token },
    });
    expect(refreshed.status).toBe(401);
    expect((await logIn(world, email)).status).toBe(401);
    expect((await logIn(world, email, next)).status).toBe(200);
    await settled(world);
    expect(world.mails.at(-1)).toMatchObject({ to: email, subject: 'Kata sandi Anda telah diubah' });
  });

  it('needs the present one', async () => {
    const world = await createWorld();
    const { token, email } = await registerPatient(world);
    const refused = await change(world, token, 'wrong-password');
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { current_password: ['Kata sandi saat ini salah.'] } },
    });
    expect((await logIn(world, email)).status).toBe(200);
  });

  it('cannot be guessed through: the waits are those of the login', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const { token } = await registerPatient(world);
    for (let nth = 0; nth < 5; nth++)
      expect((await change(world, token, `wrong-password-${nth}`)).status).toBe(422);
    expect((await change(world, token, password)).status).toBe(429);
  });

  it('lets one of two changes at the same time win', async () => {
    const world = await createWorld();
    const { token } = await registerPatient(world);
    const answers = await Promise.all([
      change(world, token, password, `${next}a`),
      change(world, token, password, `${next}b`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  it('leaves no login open that was made with the old password meanwhile', async () => {
    const world = await createWorld();
    const { token, email } = await registerPatient(world);
    const { verify } = world.deps.hasher;
    world.deps.hasher.verify = async (phc, typed) => {
      const matches = await verify(phc, typed);
      world.deps.hasher.verify = verify;
      await change(world, token, password);
      return matches;
    };
    expect((await logIn(world, email)).status).toBe(401);
    const live = (await world.db.select().from(deviceLogins)).filter(({ revokedAt }) => revokedAt === null);
    expect(live).toHaveLength(1);
  });
});

describe('a forgotten password', () => {
  it('is set anew by the token from the mail, which ends every login', async () => {
    const world = await createWorld();
    const { token, email, refreshToken } = await registerPatient(world);
    expect((await forgot(world, email)).status).toBe(202);
    expect(world.mails[0]).toMatchObject({ to: email, subject: 'Atur ulang kata sandi Anda' });
    expect((await reset(world, tokenIn(world))).status).toBe(200);
    expect(await profile(world, token)).toBe(401);
    const refreshed = await world.request('/v1/auth/refresh', { body: { refresh_token: refreshToken } });
    expect(refreshed.status).toBe(401);
    expect((await logIn(world, email)).status).toBe(401);
    expect((await logIn(world, email, next)).status).toBe(200);
  });

  it('is answered alike whether or not anyone has the e-mail, and writes to nobody else', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    const [known, unknown] = [await forgot(world, email), await forgot(world, 'nobody@klinik.example')];
    const comparable = ({ status, body, headers }: typeof known) => [
      status,
      body,
      [...headers].filter(([name]) => name !== 'x-request-id'),
    ];
    expect(comparable(known)).toEqual(comparable(unknown));
    expect(world.mails).toHaveLength(1);
  });

  it('has a token that is good once, even for two at the same time', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    await forgot(world, email);
    const token = tokenIn(world);
    const answers = await Promise.all([reset(world, token), reset(world, token, `${next}x`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await reset(world, token)).toMatchObject({ status: 422, body: { code: 'reset_token_invalid' } });
  });

  it('has a token that is good for 30 minutes', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    await forgot(world, email);
    world.clock.now += 30 * 60_000;
    expect((await reset(world, tokenIn(world))).status).toBe(422);
    await forgot(world, email);
    world.clock.now += 30 * 60_000 - 1;
    expect((await reset(world, tokenIn(world))).status).toBe(200);
  });

  it('is spent by a change of the password', async () => {
    const world = await createWorld();
    const { email, token } = await registerPatient(world);
    await forgot(world, email);
    const mailed = tokenIn(world);
    await change(world, token, password);
    expect((await reset(world, mailed)).status).toBe(422);
  });

  it('keeps the token when the new password is refused', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    await forgot(world, email);
    expect((await reset(world, tokenIn(world), 'password')).body.errors.password).toHaveLength(1);
    expect((await reset(world, tokenIn(world))).status).toBe(200);
  });

  it('is never stored in plain text', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    await forgot(world, email);
    const token = tokenIn(world);
    expect(token).toHaveLength(43);
    const stored = [await world.db.select().from(passwordResets), await world.db.select().from(mailOutbox)];
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it('is written about in the language of whoever asked', async () => {
    const world = await createWorld({ PASSWORD_RESET_URL: 'https://klinik.example/sandi' });
    const { email } = await registerPatient(world);
    await forgot(world, email, { 'Accept-Language': 'en' });
    expect(world.mails[0]?.subject).toBe('Reset your password');
    expect(world.mails[0]?.text).toMatch(/\nhttps:\/\/klinik\.example\/sandi#token=[\w-]{43}\n/);
  });
});

describe('mail', () => {
  it('is tried again after a failure, later each time, with the same token and id', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    const send = world.deps.mailer.send;
    world.deps.log.warn = () => {};
    world.deps.mailer.send = async () => {
      throw new Error('no connection');
    };
    await forgot(world, email);
    world.deps.mailer.send = send;
    await runJobs(world.deps);
    expect(world.mails).toHaveLength(0);
    world.clock.now += 15_000;
    await runJobs(world.deps);
    expect(world.mails).toHaveLength(1);
    expect((await reset(world, tokenIn(world))).status).toBe(200);
  });

  it('is sent once by many senders at the same time', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    await world.request('/v1/auth/password/forgot', { body: { email } });
    await Promise.all([...world.background, ...Array.from({ length: 10 }, () => sendDueMail(world.deps))]);
    expect(world.mails).toHaveLength(1);
    world.clock.now += 120_000;
    await sendDueMail(world.deps);
    expect(world.mails).toHaveLength(1);
  });

  it('is taken over when its sender died', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    const send = world.deps.mailer.send;
    const dying = new Promise<void>((reached) => {
      world.deps.mailer.send = () => {
        reached();
        return new Promise(() => {});
      };
    });
    await world.request('/v1/auth/password/forgot', { body: { email } });
    await dying;
    world.background.length = 0;
    world.deps.mailer.send = send;
    await sendDueMail(world.deps);
    expect(world.mails).toHaveLength(0);
    world.clock.now += 60_000;
    await sendDueMail(world.deps);
    expect(world.mails).toHaveLength(1);
  });

  it('is not sent once its token was used', async () => {
    const world = await createWorld();
    const { email, token } = await registerPatient(world);
    world.deps.log.warn = () => {};
    const send = world.deps.mailer.send;
    world.deps.mailer.send = async () => {
      throw new Error('no connection');
    };
    await forgot(world, email);
    world.deps.mailer.send = send;
    await change(world, token, password);
    await settled(world);
    world.clock.now += 60_000;
    await sendDueMail(world.deps);
    expect(world.mails.map(({ subject }) => subject)).toEqual(['Kata sandi Anda telah diubah']);
  });
});

describe('devices', () => {
  const chrome =
    'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36';

  it('are listed with their software in words, the newest first, and which one asks', async () => {
    const world = await createWorld();
    const { token, email } = await registerPatient(world, { device_id: 'ponsel' });
    world.clock.now += 1000;
    await logIn(world, email, password, { 'User-Agent': chrome });
    const { body } = await world.request('/v1/auth/devices', { token });
    expect(body.data).toHaveLength(2);
    expect(body.data[0]).toMatchObject({ user_agent: 'Chrome, Android', current: false });
    expect(body.data[1]).toMatchObject({ device_id: 'ponsel', current: true });
    expect(Object.keys(body.data[0])).toEqual([
      'id',
      'device_id',
      'user_agent',
      'created_at',
      'last_seen_at',
      'current',
    ]);
  });

  it('are paged', async () => {
    const world = await createWorld();
    const { token, email } = await registerPatient(world);
    for (let nth = 0; nth < 4; nth++) await logIn(world, email);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await world.request(`/v1/auth/devices?limit=2${query}`, { token });
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.meta.next_cursor;
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(5);
    expect(seen).toHaveLength(5);
  });

  it('end one by one, and nobody ends those of others', async () => {
    const world = await createWorld();
    const [own, stranger] = [await registerPatient(world), await registerPatient(world)];
    const other = (await logIn(world, own.email)).body.data;
    const listed = (await world.request('/v1/auth/devices', { token: own.token })).body.data;
    const target = listed.find(({ current }: { current: boolean }) => !current);
    const end = (token: string) =>
      world.request(`/v1/auth/devices/${target.id}`, { method: 'DELETE', token });
    expect((await end(stranger.token)).status).toBe(404);
    expect(await profile(world, other.access_token)).toBe(200);
    expect((await end(own.token)).status).toBe(200);
    expect(await profile(world, other.access_token)).toBe(401);
    expect(await profile(world, own.token)).toBe(200);
    expect((await end(own.token)).status).toBe(404);
  });

  it('end all but the one that asks', async () => {
    const world = await createWorld();
    const { token, email } = await registerPatient(world);
    const others = [(await logIn(world, email)).body.data, (await logIn(world, email)).body.data];
    const ended = await world.request('/v1/auth/devices', { method: 'DELETE', token });
    expect(ended).toMatchObject({ status: 200, body: { data: { ended: 2 } } });
    for (const { access_token } of others) expect(await profile(world, access_token)).toBe(401);
    expect(await profile(world, token)).toBe(200);
  });

  it('are seen again after five minutes, without a write for each request', async () => {
    const world = await createWorld();
    const { token } = await registerPatient(world);
    const seen = async () => (await world.db.select().from(deviceLogins))[0]?.lastSeenAt;
    const first = await seen();
    world.clock.now += 5 * 60_000 - 1;
    await profile(world, token);
    expect(world.background).toHaveLength(0);
    world.clock.now += 1;
    await profile(world, token);
    await settled(world);
    expect(await seen()).toBe((first ?? 0) + 5 * 60_000);
  });

  it.each([
    [chrome, 'Chrome, Android'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0',
      'Edge, Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari, iPhone',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox, Linux'],
    ['okhttp/4.12.0', 'okhttp'],
    ['', ''],
    ['<script>alert(1)</script>', ''],
  ])('are told in words: %s', (userAgent, words) => expect(deviceWords(userAgent)).toBe(words));
});

describe('the audit trail of accounts', () => {
  it('tells an admin who did what, newest first, by type and person, and nobody else', async () => {
    const world = await createWorld();
    const admin = await createPerson(world, 'admin');
    const { token, email, id } = await registerPatient(world);
    await logIn(world, email, 'wrong-password');
    await logIn(world, 'nobody@klinik.example', 'wrong-password');
    await world.request('/v1/auth/logout', { method: 'POST', token });
    const list = (query = '', who = admin.token) =>
      world.request(`/v1/admin/security-events${query}`, { token: who });
    const all = (await list()).body.data;
    expect(all.map(({ type }: { type: string }) => type)).toEqual([
      'logout',
      'login_failed',
      'login_failed',
      'registered',
    ]);
    expect(all[1].user_id).toBeNull();
    expect(JSON.stringify(all)).not.toMatch(/nobody@|wrong-password|203\.0\.113/);
    expect((await list(`?type=login_failed&user_id=${id}`)).body.data).toHaveLength(1);
    // Two lines more by now: of this admin, who reads the trail.
    const page = (await list('?limit=4')).body;
    expect((await list(`?limit=4&cursor=${page.meta.next_cursor}`)).body.data).toHaveLength(2);
    const other = await registerPatient(world);
    expect((await list('', other.token)).status).toBe(403);
  });
});

describe('a weak hash', () => {
  it('is replaced at the next login, and the login succeeds', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    await world.db.update(users).set({ passwordHash: WEAKER[0] as string });
    expect((await logIn(world, email, 'correct horse')).status).toBe(200);
    const [user] = await world.db.select().from(users);
    expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await logIn(world, email, 'correct horse')).status).toBe(200);
  });
});
