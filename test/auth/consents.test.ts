import { describe, expect, it } from 'vitest';
import { consents } from '../../src/core/tables/consents.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, registerPatient, type World } from '../support/world.ts';

const path = '/v1/auth/consents';

const setUp = async (version: string | null = '2026-11') => {
  const world = await createWorld();
  const admin = await createPerson(world, 'admin');
  const setNotice = (consent_version: string | null) =>
    world.request('/v1/admin/clinic', {
      method: 'PATCH',
      token: admin.token,
      body: { consent_version, privacy_notice_url: 'https://klinik.example/privasi' },
    });
  await setNotice(version);
  const say = (who: { token: string }, consent_version: string, given = true) =>
    world.request(path, { token: who.token, body: { consent_version, given } });
  return { world, setNotice, say };
};

const logOf = async (world: World) =>
  (await world.db.select().from(consents)).map(({ kind, version }) => `${kind} ${version}`);

describe('consent', () => {
  it('is noted by version and time, taken back, and never changed', async () => {
    const { world, setNotice, say } = await setUp();
    const person = await registerPatient(world);
    const empty = await world.request(path, { token: person.token });
    expect(empty.body.data).toEqual({
      consent_version: '2026-11',
      privacy_notice_url: 'https://klinik.example/privasi',
      agreed: false,
      log: [],
    });
    expect(await say(person, '2026-11')).toMatchObject({ status: 200, body: { data: { agreed: true } } });
    world.clock.now += 60_000;
    await setNotice('2027-01');
    expect((await world.request(path, { token: person.token })).body.data.agreed).toBe(false);
    expect((await say(person, '2027-01')).body.data.agreed).toBe(true);
    world.clock.now += 60_000;
    const after = await say(person, '2027-01', false);
    expect(after.body.data).toMatchObject({
      agreed: false,
      log: [
        { kind: 'withdrawn', consent_version: '2027-01', at: '2026-11-23T00:02:00.000Z' },
        { kind: 'given', consent_version: '2027-01', at: '2026-11-23T00:01:00.000Z' },
        { kind: 'given', consent_version: '2026-11', at: '2026-11-23T00:00:00.000Z' },
      ],
    });
  });

  it('said twice, or at once, is noted once', async () => {
    const { world, say } = await setUp();
    const person = await registerPatient(world);
    const answers = await Promise.all(Array.from({ length: 5 }, () => say(person, '2026-11')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await logOf(world)).toEqual(['given 2026-11']);
    await say(person, '2026-11', false);
    expect((await say(person, '2026-11', false)).status).toBe(200);
    expect(await logOf(world)).toEqual(['given 2026-11', 'withdrawn 2026-11']);
  });

  it('is given only to the version in force, also if it changes at that moment', async () => {
    const { world, setNotice, say } = await setUp();
    const person = await registerPatient(world);
    const refused = { status: 422, body: { errors: { consent_version: [expect.any(String)] } } };
    expect(await say(person, '2025-01')).toMatchObject(refused);
    beforeRoundTrip(world, 2, () => setNotice('2027-01'));
    expect(await say(person, '2026-11')).toMatchObject(refused);
    expect(await logOf(world)).toEqual([]);
  });

  it('comes with the registration if the client sends it, and is not required of a client that does not', async () => {
    const { world } = await setUp();
    const [asked, silent] = [
      await registerPatient(world, { consent_version: '2026-11' }),
      await registerPatient(world),
    ];
    expect((await world.request(path, { token: asked.token })).body.data.agreed).toBe(true);
    expect((await world.request(path, { token: silent.token })).body.data.log).toEqual([]);
    const late = registerPatient(world, { consent_version: '2020-01' });
    await expect(late).rejects.toThrow('consent_version');
    const { world: without } = await setUp(null);
    const person = await registerPatient(without, { consent_version: '2026-11' });
    expect((await without.request(path, { token: person.token })).body.data).toMatchObject({
      consent_version: null,
      log: [],
    });
  });

  it('is shown with the clinic to everybody', async () => {
    const { world } = await setUp();
    expect((await world.request('/v1/clinic')).body.data).toMatchObject({
      consent_version: '2026-11',
      privacy_notice_url: 'https://klinik.example/privasi',
    });
  });
});
