import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { MailRefused } from '../../src/core/mailer.ts';
import { users } from '../../src/core/tables/accounts.ts';
import { clinic, schedules } from '../../src/core/tables/catalog.ts';
import { mailOutbox } from '../../src/core/tables/mail.ts';
import { missing } from '../../src/modules/setup/rules.ts';
import { createAdmin } from '../support/admin.ts';
import { createDoctor, createSchedule, createSession } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, type World } from '../support/world.ts';

const path = '/v1/admin/setup';
const withMail = { MAIL_API_URL: 'https://mail.klinik.example/emails', MAIL_API_KEY: 'kunci' };

const setUp = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  const admin = await createAdmin(world);
  const lacks = async (): Promise<string[]> => (await admin.get(path)).body.data.missing;
  return { world, admin, lacks };
};

const settled = (world: World, expiresAt: number, fields: Partial<typeof mailOutbox.$inferInsert>) =>
  world.db.insert(mailOutbox).values({
    id: world.deps.newId(),
    kind: 'new_device',
    userId: 'u',
    language: 'id',
    createdAt: expiresAt,
    expiresAt,
    attempts: 1,
    dueAt: expiresAt,
    ...fields,
  });

describe('what a clinic lacks', () => {
  it('is everything at first, goes as it is done, and comes back when it is undone', async () => {
    const { world, admin, lacks } = await setUp();
    const left = missing.filter((one) => one !== 'mail_failing' && one !== 'backup');
    expect(await lacks()).toEqual(left);
    await admin.patch('/v1/admin/clinic', { name: 'Klinik Baru' });
    const sessionId = await createSession(world);
    expect(await lacks()).toEqual(['doctor', 'schedule', 'second_factor', 'mail']);
    const doctorId = await createDoctor(world);
    await createSchedule(world, { doctorId, sessionId, validUntil: '2026-11-23' });
    expect(await lacks()).toEqual(['second_factor', 'mail']);
    const guard = async (role: 'patient' | 'staff', fields: Partial<typeof users.$inferInsert>) => {
      const { id } = await createPerson(world, role);
      await world.db
        .update(users)
        .set({ secondFactorAt: 1, ...fields })
        .where(eq(users.id, id));
    };
    await guard('patient', {});
    await guard('staff', { deactivatedAt: 1 });
    expect(await lacks()).toEqual(['second_factor', 'mail']);
    await guard('staff', {});
    expect(await lacks()).toEqual(['mail']);
    await world.db.update(users).set({ secondFactorAt: null });
    // The last day of the hours is today.
    world.clock.now += 86_400_000;
    expect(await lacks()).toEqual(['schedule', 'second_factor', 'mail']);
    await world.db.update(schedules).set({ validUntil: null });
    expect(await lacks()).toEqual(['second_factor', 'mail']);
    await admin.patch(`/v1/admin/sessions/${sessionId}`, { active: false });
    expect(await lacks()).toEqual(['session', 'schedule', 'second_factor', 'mail']);
  });

  it('is mail where the last one did not leave, until one does', async () => {
    const { world, lacks, admin } = await setUp(withMail);
    expect((await admin.get(path)).body.data).toMatchObject({ sends_mail: true, sends_messages: false });
    expect(await lacks()).not.toContain('mail_failing');
    const { now } = world.clock;
    await settled(world, now + 1, { sentAt: 1 });
    await settled(world, now + 2, { lastError: 'ECONNECTION' });
    expect(await lacks()).toContain('mail_failing');
    expect(await lacks()).not.toContain('mail');
    await settled(world, now + 3, { failedAt: 3, lastError: 'Obsolete' });
    expect(await lacks()).toContain('mail_failing');
    await settled(world, now + 4, { sentAt: 4 });
    expect(await lacks()).not.toContain('mail_failing');
  });

  it('is a backup where the service can make some, until there is a good one', async () => {
    const { world, lacks } = await setUp();
    const state = { everyMs: 86_400_000, lastGoodAt: null, lastFailedAt: null };
    const standing: [boolean, World['deps']['backupState']][] = [
      [false, undefined],
      [true, () => null],
      [true, () => state],
      [true, () => ({ ...state, lastFailedAt: 1 })],
      [false, () => ({ ...state, lastGoodAt: 1 })],
    ];
    for (const [isMissing, backupState] of standing) {
      world.deps.backupState = backupState as () => null;
      expect((await lacks()).includes('backup')).toBe(isMissing);
    }
  });

  it('is nothing in a demo clinic', async () => {
    const { world, lacks } = await setUp();
    await world.db.update(clinic).set({ demoSince: 1 });
    expect(await lacks()).toEqual([]);
  });
});

describe('a trial letter', () => {
  it("goes to the admin's own address, in their language", async () => {
    const { world, admin } = await setUp(withMail);
    const headers = { 'Accept-Language': 'en' };
    const sent = await world.request(`${path}/test-mail`, { method: 'POST', token: admin.token, headers });
    expect(sent).toMatchObject({ status: 200, body: { message: expect.stringContaining('trial letter') } });
    expect(world.mails).toMatchObject([
      { to: expect.stringMatching(/^admin/), subject: expect.stringContaining('trial letter') },
    ]);
  });

  it('says why it did not leave, and never in the words of a server', async () => {
    const { world, admin } = await setUp(withMail);
    const ask = () => admin.post(`${path}/test-mail`, {});
    world.deps.mailer = { reachesPeople: true, send: () => Promise.reject(new MailRefused('HTTP 401')) };
    expect(await ask()).toMatchObject({ status: 409, body: { code: 'mail_not_sent', reason: 'HTTP 401' } });
    world.deps.mailer = { reachesPeople: true, send: () => Promise.reject(new TypeError('kata@rahasia')) };
    const refused = await ask();
    expect(refused.body.reason).toBe('TypeError');
    expect(JSON.stringify(refused.body)).not.toContain('rahasia');
  });

  it('leaves no clinic that has no mail', async () => {
    const { world, admin } = await setUp();
    const refused = await admin.post(`${path}/test-mail`, {});
    expect(refused.body).toMatchObject({ code: 'mail_not_sent', reason: 'not_set' });
    expect(world.mails).toEqual([]);
  });

  it('can be requested only a few times', async () => {
    const { admin } = await setUp({ ...withMail, RATE_LIMIT: 'on' });
    const codes: number[] = [];
    for (let nth = 0; nth < 5; nth++) codes.push((await admin.post(`${path}/test-mail`, {})).status);
    expect(codes).toEqual([200, 200, 200, 429, 429]);
  });
});
