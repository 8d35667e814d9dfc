import { describe, expect, it, vi } from 'vitest';
import { users } from '../../src/core/tables/accounts.ts';
import { notices } from '../../src/core/tables/mail.ts';
import { createMessaging } from '../support/messaging.ts';
import {
  act,
  book,
  createTelling,
  logOf,
  mailing,
  minute,
  openBox,
  tell,
  tellAt,
} from '../support/notices.ts';
import { fillReminders } from '../support/reminders.ts';
import { createWorld, mondayMorning } from '../support/world.ts';

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
    const isClaimed = async () => (await world.db.select().from(notices))[0]?.leaseId != null;
    await vi.waitUntil(isClaimed, { timeout: 60_000, interval: 5 });
    world.deps.sendMessage = working;
    await tellAt(world, world.clock.now + minute - 1);
    expect((await box()).attempts).toEqual([]);
    await tellAt(world, world.clock.now + 1);
    expect((await box()).delivered).toHaveLength(1);
  });

  it('is settled by the process that holds its lease, and not by a process that was too slow', async () => {
    const { world } = await createMessaging('200');
    const working = world.deps.sendMessage;
    const gates: (() => void)[] = [];
    world.deps.sendMessage = async (...message) => {
      const isSlow = gates.length === 0;
      await new Promise<void>((open) => gates.push(open));
      return isSlow ? { status: 500 } : working(...message);
    };
    const sending = (count: number) =>
      vi.waitUntil(() => gates.length >= count, { timeout: 60_000, interval: 5 });
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
