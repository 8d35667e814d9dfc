import { eq, gt, sql } from 'drizzle-orm';
import { describe, expect, inject, it } from 'vitest';
import type { Deps } from '../../src/core/deps.ts';
import { apiMailer } from '../../src/core/mailer.ts';
import { users } from '../../src/core/tables/accounts.ts';
import { notices } from '../../src/core/tables/mail.ts';
import { planNotices } from '../../src/modules/notices/plan.ts';
import { noticesInFlight } from '../../src/modules/notices/rules.ts';
import { mailing, openBox, tellAt } from '../support/notices.ts';
import { fillReminders } from '../support/reminders.ts';
import { createWorld, mondayMorning, type World } from '../support/world.ts';

const second = 1_000;
const visits = 120;

type Answer = Awaited<ReturnType<Deps['sendMessage']>>;

/** A clinic with more reminders than leave at once, by a gateway that answers what the test says. */
const createReminding = async (settings: Record<string, string> = {}) => {
  const world = await createWorld({ ...openBox().settings, ...settings });
  world.deps.log.warn = () => {};
  await fillReminders(world, visits);
  const gateway = { attempts: 0, answer: { status: 200 } as Answer };
  world.deps.sendMessage = async () => {
    gateway.attempts += 1;
    return gateway.answer;
  };
  /** How often the gateway is asked by a look so many seconds on. */
  const askedAt = async (seconds: number): Promise<number> => {
    gateway.attempts = 0;
    await tellAt(world, mondayMorning + seconds * second);
    return gateway.attempts;
  };
  return { world, gateway, askedAt };
};

const attemptsOf = async ({ db }: World) => {
  const rows = await db
    .select({ n: sql<number>`max(${notices.attempts})`.as('n'), state: notices.state })
    .from(notices)
    .groupBy(notices.state);
  return Object.fromEntries(rows.map(({ n, state }) => [state, n]));
};

describe('a channel', () => {
  it('rests as long as its gateway asks, and no notice loses an attempt by that', async () => {
    const { world, gateway, askedAt } = await createReminding();
    gateway.answer = { status: 429, retryAfterMs: 150 * second };
    expect(await askedAt(0)).toBeLessThanOrEqual(noticesInFlight);
    expect([await askedAt(60), await askedAt(120), await askedAt(149)]).toEqual([0, 0, 0]);
    for (let times = 1; times <= 12; times++)
      expect(await askedAt(150 * times)).toBeLessThanOrEqual(noticesInFlight);
    expect(await attemptsOf(world)).toEqual({ pending: 0 });
    gateway.answer = { status: 200 };
    expect(await askedAt(150 * 13)).toBe(visits);
    expect(await attemptsOf(world)).toEqual({ sent: 1 });
  });

  it('rests for a while where the gateway does not say how long', async () => {
    const { gateway, askedAt } = await createReminding();
    gateway.answer = { status: 429 };
    expect(await askedAt(0)).toBeGreaterThan(0);
    expect(await askedAt(29)).toBe(0);
    expect(await askedAt(30)).toBeGreaterThan(0);
  });

  it('does not rest for a failure that says nothing of the others', async () => {
    const { world, gateway, askedAt } = await createReminding();
    gateway.answer = { status: 500 };
    expect(await askedAt(0)).toBe(visits);
    expect(await attemptsOf(world)).toEqual({ pending: 1 });
    gateway.answer = { status: 200 };
    expect(await askedAt(15)).toBe(visits);
  });

  it('rests, longer each time, while nobody answers at all, and loses no notice by that', async () => {
    const { world, gateway, askedAt } = await createReminding();
    gateway.answer = { failure: 'connection' };
    const asked: number[] = [];
    for (let seconds = 0; seconds < 3 * 3_600; seconds += 30)
      if ((await askedAt(seconds)) > 0) asked.push(seconds);
    const pauses = asked.slice(1).map((at, nth) => at - (asked[nth] ?? 0));
    expect(pauses.slice(0, 6)).toEqual([30, 60, 120, 240, 480, 900]);
    expect(Math.max(...pauses)).toBe(900);
    // A few attempts showed that the gateway does not answer; those in progress at that time are not counted.
    const counted = await world.db.select().from(notices).where(gt(notices.attempts, 0));
    expect(counted.length).toBeLessThanOrEqual(9 * asked.length);
    expect((await attemptsOf(world)).failed).toBeUndefined();
    gateway.answer = { status: 200 };
    await askedAt(4 * 3_600);
    await askedAt(4 * 3_600 + 900);
    expect(await world.db.$count(notices, sql`state = 'sent'`)).toBe(visits);
  });

  it('holds up no other, and a provider of mail is heard as well', async () => {
    const { world, askedAt } = await createReminding(mailing);
    await world.db.update(users).set({ emailProvedAt: 1 });
    const box = `${inject('mailProvider')}/${crypto.randomUUID()}`;
    world.deps.mailer = apiMailer(`${box}/429-90`, 'kunci', 'Klinik <klinik@klinik.example>');
    const mails = async () => ((await (await fetch(box)).json()) as unknown[]).length;
    expect(await askedAt(0)).toBe(visits);
    const before = await mails();
    expect(before).toBeLessThanOrEqual(noticesInFlight);
    await askedAt(89);
    expect(await mails()).toBe(before);
    await askedAt(90);
    expect(await mails()).toBeGreaterThan(before);
    expect(await attemptsOf(world)).toEqual({ pending: 0, sent: 1 });
  });
});

it('a message whose answer is long in coming holds up no other', async () => {
  const { world } = await createReminding();
  let attempts = 0;
  const allAreSent = Promise.withResolvers<void>();
  world.deps.sendMessage = async () => {
    attempts += 1;
    if (attempts === visits) allAreSent.resolve();
    // The first is answered when all others have left.
    if (attempts === 1) await allAreSent.promise;
    return { status: 200 };
  };
  await tellAt(world, mondayMorning);
  expect(await attemptsOf(world)).toEqual({ sent: 1 });
});

it('an urgent notice leaves before all reminders, though these wait longer', async () => {
  const { world } = await createReminding();
  await planNotices(world.deps, mondayMorning);
  const [last] = await world.db.select().from(notices).orderBy(notices.id).limit(1);
  const urgent = { urgentUntil: mondayMorning + 3_600 * second, dueAt: mondayMorning + second };
  await world.db
    .update(notices)
    .set(urgent)
    .where(eq(notices.id, last?.id ?? ''));
  const left: (string | undefined)[] = [];
  world.deps.sendMessage = async ({ headers }) => {
    left.push(headers['Idempotency-Key']);
    return { status: 200 };
  };
  await tellAt(world, mondayMorning + second);
  expect(left).toHaveLength(visits);
  expect(left[0]).toBe(last?.id);
});
