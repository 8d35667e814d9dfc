import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { notices } from '../../src/core/tables/mail.ts';
import { createMessaging, noticeOf } from '../support/messaging.ts';
import { act, askPage, book, callbackSecret, logOf, openBox, tell } from '../support/notices.ts';
import { createPerson } from '../support/people.ts';
import { fillReminders } from '../support/reminders.ts';
import { createWorld, type World } from '../support/world.ts';

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

describe('a report of the gateway', () => {
  it('moves a message on and never back, and says why it failed', async () => {
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

  it('of anything else is accepted and ignored', async () => {
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
    expect(JSON.stringify(all)).not.toMatch(/81234567890|Orang|@/);
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
