import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { users } from '../../src/tables/accounts.ts';
import { notices } from '../../src/tables/mail.ts';
import {
  act,
  askPage,
  book,
  callbackSecret,
  createTelling,
  logOf,
  mailing,
  minute,
  openBox,
  tell,
  tellAt,
} from '../support/notices.ts';
import { createPerson } from '../support/people.ts';
import { fillReminders } from '../support/reminders.ts';
import { createWorld, mondayMorning, type World } from '../support/world.ts';

/** A clinic that sends messages alone, with one visit that was approved. */
const createMessaging = async (plan: string) => {
  const { settings, box } = openBox(plan);
  const telling = await createTelling({ ...settings, REMINDER_EARLY_HOURS: '0', REMINDER_LATE_HOURS: '0' });
  const id = await book(telling);
  await act(telling, id, 'approve');
  const logged: string[] = [];
  for (const level of ['warn', 'error'] as const)
    telling.world.deps.log[level] = (...line) => void logged.push(JSON.stringify(line));
  return { ...telling, id, box, logged };
};

const signature = async (body: string, secret = callbackSecret) => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const bytes = (text: string) => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['sign']);
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(body)));
  return `sha256=${[...mac].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};

/** A report as WhatsApp's Cloud API posts it. */
const reportOf = (id: string, status: string, more: object = {}) =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '1',
        changes: [
          {
            field: 'messages',
            value: {
              statuses: [
                { id: 'wamid.1', status, recipient_id: '628', biz_opaque_callback_data: id, ...more },
              ],
            },
          },
        ],
      },
    ],
  });

const report = async (world: World, body: string, given?: string) =>
  askPage(world, '/notices/status', {
    raw: body,
    headers: { 'X-Hub-Signature-256': given ?? (await signature(body)) },
  });

const noticeOf = async ({ db }: World) => (await db.select().from(notices))[0]?.id ?? '';

describe('a message', () => {
  it('waits as long as the gateway asks, tries again after its failures, and leaves once', async () => {
    const { world, box, logged } = await createMessaging('429,503,200');
    const sent: number[] = [];
    const began = world.clock.now;
    for (let seconds = 0; seconds <= 300; seconds += 5) {
      const before = (await box()).attempts.length;
      await tellAt(world, began + seconds * 1_000);
      if ((await box()).attempts.length > before) sent.push(seconds);
    }
    expect(sent).toEqual([0, 90, 105]);
    expect((await box()).attempts.map(({ status }) => status)).toEqual([429, 503, 200]);
    expect((await box()).delivered).toHaveLength(1);
    expect(await logOf(world)).toEqual(['approved message sent']);
    expect(logged.join()).toContain('HTTP 429');
    expect(logged.join()).not.toMatch(/81234567890|Orang/);
  });

  it('is given up after ten attempts, or at once where another would end alike', async () => {
    const failing = await createMessaging('500');
    for (let nth = 0; nth < 14; nth++) await tellAt(failing.world, failing.world.clock.now + 16 * minute);
    expect(await logOf(failing.world)).toEqual(['approved message failed HTTP 500']);
    expect((await failing.box()).attempts).toHaveLength(10);
    const refused = await createMessaging('400');
    await tell(refused.world);
    expect(await logOf(refused.world)).toEqual(['approved message failed HTTP 400']);
  });

  it('that cannot be written is tried again later, and keeps no other from being settled', async () => {
    const { world } = await createMessaging('200');
    world.deps.sendMessage = () => Promise.reject(new TypeError('Invalid character in header'));
    await tell(world);
    expect(await logOf(world)).toEqual(['approved message pending TypeError']);
  });

  it('whose answer was lost reaches the phone once, however often it is sent', async () => {
    const { world, box } = await createMessaging('lost,200');
    await tell(world);
    expect(await logOf(world)).toEqual(['approved message pending connection']);
    await tellAt(world, world.clock.now + minute);
    const { attempts, delivered } = await box();
    expect(attempts).toHaveLength(2);
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(1);
    expect(delivered).toHaveLength(1);
    expect(await logOf(world)).toEqual(['approved message sent']);
  });

  it('holds up no mail while the gateway does not answer', async () => {
    const world = await createWorld({ ...mailing, ...openBox().settings });
    await fillReminders(world, 60);
    await world.db.update(users).set({ emailProvedAt: 1 });
    const gateway = Promise.withResolvers<{ failure: 'timeout' }>();
    world.deps.sendMessage = () => gateway.promise;
    const told = tellAt(world, mondayMorning);
    await vi.waitUntil(() => world.mails.length === 60, { timeout: 20_000 });
    gateway.resolve({ failure: 'timeout' });
    await told;
    expect(new Set(world.mails.map(({ to }) => to)).size).toBe(60);
  });

  it('that a slow gateway takes late is not sent again by another process meanwhile', async () => {
    const { world, box } = await createMessaging('slow');
    await Promise.all([tell(world), tell(world), tell(world)]);
    expect((await box()).attempts).toHaveLength(1);
    expect(await logOf(world)).toEqual(['approved message sent']);
  });

  it('is claimed again once the lease of a process that died has ended, and not before', async () => {
    const { world, box } = await createMessaging('200');
    const working = world.deps.sendMessage;
    world.deps.sendMessage = () => new Promise(() => {});
    void tell(world);
    while ((await noticeOf(world)) === '' || (await world.db.select().from(notices))[0]?.leaseId === null)
      await new Promise((resolve) => setTimeout(resolve, 5));
    world.deps.sendMessage = working;
    await tellAt(world, world.clock.now + minute - 1);
    expect((await box()).attempts).toEqual([]);
    await tellAt(world, world.clock.now + 1);
    expect((await box()).delivered).toHaveLength(1);
  });

  it('is settled by whoever holds its lease, and not by a process that was too slow', async () => {
    const { world } = await createMessaging('200');
    const working = world.deps.sendMessage;
    const gates: (() => void)[] = [];
    world.deps.sendMessage = async (...message) => {
      const isSlow = gates.length === 0;
      await new Promise<void>((open) => gates.push(open));
      return isSlow ? { status: 500 } : working(...message);
    };
    const sending = async (count: number) => {
      while (gates.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const slow = tell(world);
    await sending(1);
    const other = tellAt(world, world.clock.now + minute);
    await sending(2);
    const [held] = await world.db.select().from(notices);
    gates[0]?.();
    await slow;
    expect(await world.db.select().from(notices)).toEqual([held]);
    gates[1]?.();
    await other;
    expect(await logOf(world)).toEqual(['approved message sent']);
  });

  it('does not go to a number that cannot be one', async () => {
    const { settings, box } = openBox();
    const telling = await createTelling(settings);
    const { world, patient } = telling;
    const profile = { phone_number: '0000', phone_country_code: '62' };
    await world.request('/v1/auth/profile', { method: 'PATCH', token: patient.token, body: profile });
    await act(telling, await book(telling), 'approve');
    await tell(world);
    expect(await logOf(world)).toEqual(['approved message dropped unreachable']);
    expect((await box()).attempts).toEqual([]);
  });
});

describe('a report of the gateway', () => {
  it('moves a message on and never back, and tells why it failed', async () => {
    const { world } = await createMessaging('200');
    await tell(world);
    const id = await noticeOf(world);
    for (const [status, state] of [
      ['sent', 'sent'],
      ['read', 'read'],
      ['delivered', 'read'],
      ['failed', 'read'],
    ] as const) {
      expect((await report(world, reportOf(id, status))).status).toBe(200);
      expect(await logOf(world)).toEqual([`approved message ${state}`]);
    }
    const failed = await createMessaging('200');
    await tell(failed.world);
    const errors = { errors: [{ code: 131_026, title: 'Message undeliverable to +6281234567890' }] };
    await report(failed.world, reportOf(await noticeOf(failed.world), 'failed', errors));
    expect(await logOf(failed.world)).toEqual(['approved message failed gateway 131026']);
  });

  it('of many messages at once is noted of each, a hundred a batch', async () => {
    const world = await createWorld(openBox().settings);
    world.deps.sendMessage = async () => ({ status: 200 });
    await fillReminders(world, 250);
    await tell(world);
    const sent = await world.db.select({ id: notices.id }).from(notices);
    const statuses = sent.map(({ id }) => ({ status: 'read', biz_opaque_callback_data: id }));
    const batch = vi.spyOn(world.deps.db, 'batch');
    await report(world, JSON.stringify({ entry: [{ changes: [{ value: { statuses } }] }] }));
    expect(batch.mock.calls.map(([statements]) => statements.length)).toEqual([100, 100, 50]);
    expect(await world.db.$count(notices, eq(notices.state, 'read'))).toBe(250);
  });

  it('is refused where it is not signed, or by another secret, and changes nothing', async () => {
    const { world } = await createMessaging('200');
    await tell(world);
    const body = reportOf(await noticeOf(world), 'read');
    for (const given of [
      '',
      'sha256=',
      await signature(body, 'rahasia-yang-lain-sama-sekali'),
      await signature(`${body} `),
    ])
      expect((await report(world, body, given)).body.code).toBe('unauthenticated');
    expect(await logOf(world)).toEqual(['approved message sent']);
  });

  it('of anything else is taken and left alone', async () => {
    const { world } = await createMessaging('200');
    await tell(world);
    for (const body of [
      '{}',
      '[]',
      'null',
      '7',
      '{"entry":{"changes":null}}',
      reportOf('siapa?', 'read'),
      reportOf(world.deps.newId(), 'read'),
    ])
      expect((await report(world, body)).status, body).toBe(200);
    expect((await report(world, '{')).body.code).toBe('malformed_json');
    expect(await logOf(world)).toEqual(['approved message sent']);
  });
});

describe('the log of notices', () => {
  it('shows an admin ids and states, page by page, by each filter', async () => {
    const telling = await createMessaging('200');
    const { world, id, patient } = telling;
    const other = await book(telling, { schedule_time: '13:00:00' });
    await act(telling, other, 'cancel');
    await tell(world);
    const { token } = await createPerson(world, 'admin');
    const list = async (query: string) => {
      const { status, body } = await world.request(`/v1/admin/notices${query}`, { token });
      expect(status).toBe(200);
      return body;
    };
    const all = await list('');
    expect(all.data).toHaveLength(2);
    expect(all.data.find(({ booking_id }: { booking_id: string }) => booking_id === id)).toMatchObject({
      kind: 'approved',
      channel: 'message',
      state: 'sent',
      reason: null,
      person_id: patient.id,
      attempts: 1,
    });
    expect(JSON.stringify(all)).not.toMatch(/8123|Orang|@/);
    expect((await list(`?booking_id=${other}`)).data).toMatchObject([{ kind: 'canceled' }]);
    expect((await list('?kind=approved')).data).toHaveLength(1);
    expect((await list('?state=failed')).data).toEqual([]);
    expect((await list('?channel=email')).data).toEqual([]);
    const first = await list('?limit=1');
    const second = await list(`?limit=1&cursor=${first.meta.next_cursor}`);
    expect([...first.data, ...second.data]).toEqual(all.data);
    expect(second.meta.next_cursor).toBeNull();
  });
});
