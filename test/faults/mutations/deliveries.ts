import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import type { WebhookOutcome } from '../../../src/core/deps.ts';
import { bookingEvents, webhookDeliveries } from '../../../src/core/tables/webhooks.ts';
import { deliverWebhooks } from '../../../src/modules/webhooks/delivery/deliver.ts';
import { leaseMs } from '../../../src/modules/webhooks/delivery/rules.ts';
import { createPerson } from '../../support/people.ts';
import { openClinic } from './clinic.ts';
import { openStress, report } from './stress.ts';

// Several processes deliver at once to a receiver that fails and dawdles, while events are written. After each round
// every event must have arrived, each attempt once, in order per booking, and nothing after its receipt was written down.

const stress = await openStress({ MAX_LIVE_BOOKINGS: '0' });
const clinic = await openClinic(stress);
const { random, app, db, clock, deps, world } = stress;
const admin = await createPerson(world, 'admin');

const ask = async (token: string, path: string, body: object) => {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await app.request(`http://localhost${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return (await response.json()) as { data?: { id: string } };
};

const violations: string[] = [];
const posts = new Map<string, number>();
const receipts = new Map<string, Set<number>>();
const settled = new Set<string>();
const underWay = new Map<string, number>();
let isSteady = false;
let answered = 0;
const dawdling = new Set<() => void>();

deps.sendWebhook = async ({ headers, body }) => {
  const id = headers['webhook-id'] ?? '';
  const { data } = JSON.parse(body) as { data: { booking_id: string; version: number } };
  posts.set(id, (posts.get(id) ?? 0) + 1);
  const versions = receipts.get(data.booking_id) ?? new Set();
  receipts.set(data.booking_id, versions);
  if (settled.has(`${data.booking_id} ${data.version}`))
    violations.push(`${id} came again after its receipt`);
  const before = data.version - 1;
  if (before > 0 && !versions.has(before)) violations.push(`${id} came before the event that goes before it`);
  // By the time of the claim: the clock may have run past a lease before its message was sent.
  const claimedAt = Number(headers['webhook-timestamp']) * 1000;
  const other = underWay.get(id);
  if (other !== undefined && Math.abs(claimedAt - other) < leaseMs)
    violations.push(`${id} was sent by two at once`);
  underWay.set(id, claimedAt);
  try {
    return await answerTo(versions, data.version);
  } finally {
    underWay.delete(id);
  }
};

const answerTo = async (versions: Set<number>, version: number): Promise<WebhookOutcome> => {
  answered += 1;
  // A process that dies here leaves its leases behind.
  if (!isSteady && random() < 0.03) throw new Error('killed');
  if (!isSteady && random() < 0.1) {
    // Longer than its lease: another process has taken the attempt over when this one comes back, empty-handed.
    await new Promise<void>((resolve) => dawdling.add(resolve));
    return { failure: 'timeout' };
  }
  await sleep(random() * 3);
  if (!isSteady && random() < 0.2) return { status: 500 };
  versions.add(version);
  return { status: 200 };
};

await ask(admin.token, '/v1/admin/webhooks', { url: 'https://hooks.klinik.example/janji' });

const live = async ({ token }: { token: string }): Promise<void> => {
  for (let acts = 0; acts < 2; acts++) {
    const slot = clinic.slots[Math.floor(random() * clinic.slots.length)];
    const { doctor_id, session_id, schedule_date, schedule_time } = slot ?? clinic.slots[0] ?? {};
    const made = await ask(token, '/v1/bookings', { doctor_id, session_id, schedule_date, schedule_time });
    if (made.data !== undefined) await ask(token, `/v1/bookings/${made.data.id}/cancel`, {});
  }
};

const deliver = async (): Promise<void> => {
  // A lost answer costs a process its round, never an event.
  await deliverWebhooks(deps).catch((error: Error) => {
    if (!/killed|lost/.test(String(error.cause ?? error))) violations.push(String(error));
  });
};

const readDeliveries = async () => {
  const rows = await db
    .select({
      state: webhookDeliveries.state,
      attempts: webhookDeliveries.attempts,
      bookingId: webhookDeliveries.bookingId,
      version: bookingEvents.version,
    })
    .from(webhookDeliveries)
    .innerJoin(bookingEvents, eq(bookingEvents.sequence, webhookDeliveries.sequence));
  for (const { state, bookingId, version } of rows)
    if (state === 'delivered') settled.add(`${bookingId} ${version}`);
  return rows;
};

const countReceipts = () => [...receipts.values()].reduce((sum, versions) => sum + versions.size, 0);

/** How many messages of a round meet a receiver that fails, before it becomes steady: on a slow machine they come late. */
const shaken = 12;

const round = async (): Promise<string[]> => {
  isSteady = false;
  answered = 0;
  let isOver = false;
  const lives = Promise.all(clinic.patients.map(live)).finally(() => (isOver = true));
  const rounds = Array.from({ length: 4 }, async () => {
    for (let times = 0; times < 3 || !isSteady; times++) {
      await sleep(random() * 8);
      await deliver();
    }
  });
  // The clock runs past the leases while some attempts are still under way.
  await sleep(60);
  for (let waits = 0; waits < 100 && answered < shaken && !isOver; waits++) await sleep(5);
  clock.now += leaseMs + 1000;
  isSteady = true;
  await deliver();
  await readDeliveries();
  const waking = setInterval(() => {
    for (const wake of dawdling) wake();
    dawdling.clear();
  }, 5);
  await Promise.all([lives, ...rounds]);
  for (let times = 0; times < 4; times++) {
    clock.now += 6 * 60_000;
    await deliver();
  }
  clearInterval(waking);
  const deliveries = await readDeliveries();
  const written = await db.$count(bookingEvents);
  const sent = [...posts.values()].reduce((sum, count) => sum + count, 0);
  const claimed = deliveries.reduce((sum, { attempts }) => sum + attempts, 0);
  const unsettled = deliveries.filter(({ state }) => state !== 'delivered');
  return [
    ...violations,
    ...(unsettled.length > 0 ? [`${unsettled.length} events never arrived`] : []),
    ...(sent !== claimed ? [`${claimed} attempts were claimed and ${sent} sent`] : []),
    ...(written !== countReceipts() ? [`${countReceipts()} of ${written} events have a receipt`] : []),
  ];
};

await report(stress, round, () => ({ acknowledged: countReceipts(), lost: stress.tally.lost }));
