import { describe, expect, it } from 'vitest';
import { deviceLogins, securityEvents, setupLinks, users } from '../../src/core/tables/accounts.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { makeSetupLink } from '../../src/modules/setup/link.ts';
import { linkTtlMs } from '../../src/modules/setup/rules.ts';
import { beforeRoundTrip, crashAtRoundTrip } from '../support/interleave.ts';
import { jar, loginCookie, own, refresh } from '../support/page-login.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, password, registerPatient, testClinicId, type World } from '../support/world.ts';

const path = '/v1/setup';
const origin = 'https://janji.klinik.example';

/** The token of a new link. */
const newToken = async ({ db, clock }: World): Promise<string> => {
  const link = await makeSetupLink(db, testClinicId, origin, clock.now);
  return link.split('#')[1] ?? '';
};

const first = { name: 'Kepala', email: 'kepala@klinik.example', password, password_confirmation: password };
const make = (world: World, token: string, more: object = {}) =>
  world.request(path, { body: { token, ...first, ...more }, headers: own });
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) =>
  `${status} ${body.code ?? ''}`;
const adminsOf = async ({ db }: World) =>
  (await db.select().from(users)).filter(({ role }) => role === 'admin');

describe('the set-up link', () => {
  it('makes the first admin, who is logged in to the console, found by name, and recorded in the audit trail', async () => {
    const world = await createWorld();
    expect((await world.request(path)).body.data).toEqual({ open: true });
    const made = await make(world, await newToken(world));
    expect(made).toMatchObject({
      status: 201,
      body: { data: { role: 'admin', user: { name: 'Kepala', email: first.email } } },
    });
    const { access_token: token, user } = made.body.data;
    expect(loginCookie(made)).toMatch(/^__Host-janji-konsol=s\./);
    expect((await refresh(world, jar(loginCookie(made)), 'konsol')).body.data.user.id).toBe(user.id);
    const found = await world.request('/v1/admin/people?q=kepala', { token });
    expect(found.body.data).toMatchObject([{ id: user.id, role: 'admin', password_set: true }]);
    const trail = await world.db.select().from(securityEvents);
    expect(trail.map(({ type, userId, detail }) => [type, userId, detail])).toEqual([
      ['role_changed', user.id, '{"from":null,"to":"admin","doctor_id":null}'],
      ['login', user.id, null],
      ['list_read', null, expect.anything()],
    ]);
    expect((await world.request(path)).body.data).toEqual({ open: false });
    expect(await world.db.select().from(setupLinks)).toEqual([]);
    const login = { email: first.email, password };
    expect((await world.request('/v1/auth/login', { body: login })).status).toBe(200);
  });

  it('carries its token after the #, and the database holds none of it', async () => {
    const world = await createWorld();
    const link = new URL(await makeSetupLink(world.db, testClinicId, origin, world.clock.now));
    expect([link.origin, link.pathname, link.search]).toEqual([origin, '/mulai/', '']);
    expect(link.hash).toMatch(/^#[\w-]{43}$/);
    const [row] = await world.db.select().from(setupLinks);
    expect(JSON.stringify(row)).not.toContain(link.hash.slice(1));
  });

  it('is valid once, for an hour, and until there is a newer one', async () => {
    const world = await createWorld();
    const token = await newToken(world);
    expect(codeOf(await make(world, `${token.slice(0, -1)}_`))).toBe('422 setup_link_invalid');
    world.clock.now += linkTtlMs;
    expect(codeOf(await make(world, token))).toBe('422 setup_link_invalid');
    const [older, newer] = [await newToken(world), await newToken(world)];
    expect(codeOf(await make(world, older))).toBe('422 setup_link_invalid');
    world.clock.now += linkTtlMs - 1;
    expect(codeOf(await make(world, newer))).toBe('201 ');
    expect(codeOf(await make(world, newer, { email: 'lain@klinik.example' }))).toBe('409 setup_closed');
    expect(await adminsOf(world)).toHaveLength(1);
  });

  it('is closed if there is an admin, for every link', async () => {
    const world = await createWorld();
    await createPerson(world, 'admin');
    expect(codeOf(await make(world, await newToken(world)))).toBe('409 setup_closed');
    expect((await world.request(path)).body.data).toEqual({ open: false });
  });

  it('of another clinic opens nothing here', async () => {
    const world = await createWorld();
    const link = await makeSetupLink(world.db, 'klinik-lain', origin, world.clock.now);
    expect(codeOf(await make(world, link.split('#')[1] ?? ''))).toBe('422 setup_link_invalid');
  });

  it('makes one admin, however many come with it at once', async () => {
    const world = await createWorld();
    const token = await newToken(world);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, nth) => make(world, token, { email: `kepala${nth}@klinik.example` })),
    );
    expect(answers.map(codeOf).sort()).toEqual(['201 ', ...Array(7).fill('409 setup_closed')]);
    const everything = [users, patients, deviceLogins].map((table) => world.db.select().from(table));
    expect((await Promise.all(everything)).map((rows) => rows.length)).toEqual([1, 1, 1]);
  });

  it.each([
    ['another admin was made', (world: World) => createPerson(world, 'admin'), '409 setup_closed'],
    ['a newer link was made', (world: World) => newToken(world), '422 setup_link_invalid'],
    [
      'a patient took the e-mail',
      (world: World) => registerPatient(world, { email: first.email }),
      '409 email_taken',
    ],
  ] as const)('makes nobody where, after it was read, %s', async (_what, meanwhile, code) => {
    const world = await createWorld();
    const token = await newToken(world);
    beforeRoundTrip(world, 2, () => meanwhile(world));
    expect(codeOf(await make(world, token))).toBe(code);
    expect((await adminsOf(world)).filter(({ name }) => name === first.name)).toEqual([]);
    expect(await world.db.select().from(deviceLogins)).toHaveLength(code.startsWith('422') ? 0 : 1);
  });

  it('stays good where the e-mail is taken, and for another one', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    const token = await newToken(world);
    expect(codeOf(await make(world, token, { email }))).toBe('409 email_taken');
    expect(codeOf(await make(world, token))).toBe('201 ');
  });

  it('stays good where the password is refused or the database goes away before the write', async () => {
    const world = await createWorld();
    const token = await newToken(world);
    const weak = { password: 'password', password_confirmation: 'password' };
    expect(codeOf(await make(world, token, weak))).toBe('422 validation_failed');
    const mend = crashAtRoundTrip(world, 2, 'before');
    expect(codeOf(await make(world, token))).toBe('503 unavailable');
    mend();
    expect(codeOf(await make(world, token))).toBe('201 ');
  });

  it('allows only a few guesses, and only from our own page', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const codes: string[] = [];
    for (let nth = 0; nth < 25; nth++) codes.push(codeOf(await make(world, `tebakan-${nth}`)));
    expect(codes.filter((code) => code === '422 setup_link_invalid').length).toBeLessThanOrEqual(20);
    expect(codes.at(-1)).toBe('429 rate_limited');
    const elsewhere = { body: { token: await newToken(world), ...first } };
    expect(codeOf(await world.request(path, elsewhere))).toBe('403 cross_site');
  });
});
