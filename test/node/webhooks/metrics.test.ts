import type { AddressInfo } from 'node:net';
import { type ServerType, serve } from '@hono/node-server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { deliverWebhooks } from '../../../src/modules/webhooks/delivery/deliver.ts';
import { proxyHeaders } from '../../../src/runtime/node/serve/proxy-headers.ts';
import { parseNodeSettings } from '../../../src/runtime/node/settings.ts';
import { mountMetrics } from '../../../src/runtime/node/watch/metrics-route.ts';
import { createPrometheus } from '../../../src/runtime/node/watch/prometheus.ts';
import { bookingInput, createPractice } from '../../support/clinic.ts';
import { createPerson } from '../../support/people.ts';
import { createReceiving } from '../../support/receiver.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
let server: ServerType;
let port = 0;
const token = 'a-token-for-the-scraper';

const start = async (settings: Record<string, string> = {}) => {
  world = await createWorld();
  const { db, hasher, clock } = world.deps;
  const stats = { busyCount: 3, reconnectCount: 2, queuedWrites: 0, commitCount: 41 };
  const prometheus = createPrometheus({ db, clock, hasher, databaseStats: () => stats });
  world.deps.metrics = prometheus.metrics;
  const app = createApp(world.deps, (mounted) =>
    mountMetrics(mounted, prometheus, parseNodeSettings(settings)),
  );
  server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise((done) => server.once('listening', done));
  port = (server.address() as AddressInfo).port;
};
beforeEach(() => start());
afterEach(() => void server.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers });

const send = (path: string, bearer: string, body: unknown) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

it('counts requests by route pattern and status, and bookings by what became of them', async () => {
  const practice = await createPractice(world);
  const [first, second] = [await createPerson(world), await createPerson(world)];
  const booked = await send('/v1/bookings', first.token, bookingInput(practice));
  await send('/v1/bookings', second.token, bookingInput(practice));
  const { data } = (await booked.json()) as { data: { id: string } };
  await send(`/v1/bookings/${data.id}/cancel`, first.token, {});
  await get(`/v1/somewhere/${data.id}`);
  const text = await (await get('/metrics')).text();
  expect(text).toContain('janji_booking_outcomes_total{action="create",code="ok"} 1');
  expect(text).toContain('janji_booking_outcomes_total{action="create",code="slot_full"} 1');
  expect(text).toContain('janji_booking_outcomes_total{action="cancel",code="ok"} 1');
  expect(text).toContain(
    'janji_http_request_duration_seconds_count{method="POST",route="/v1/bookings/:id/cancel",status="200"} 1',
  );
  expect(text).toContain('route="none",status="404"');
  expect(text).toContain('janji_database_commits_total 41');
  expect(text).toContain('janji_webhook_backlog 0');
  expect(text).not.toContain(data.id);
});

it('shows the webhooks’ backlog as it is at the scrape, from the first one on', async () => {
  const { practice, endpoint, receiver } = await createReceiving(world);
  receiver.answer = () => ({ status: 410 });
  await send('/v1/bookings', (await createPerson(world)).token, bookingInput(practice));
  await deliverWebhooks(world.deps);
  world.clock.now += 90_000;
  const text = await (await get('/metrics')).text();
  expect(text).toContain('janji_webhook_backlog 1');
  expect(text).toContain('janji_webhook_oldest_age_seconds 90');
  expect(text).toContain('janji_webhook_paused_endpoints 1');
  await world.request(`/v1/admin/webhooks/${endpoint.id}`, { method: 'DELETE', token: endpoint.token });
  expect(await (await get('/metrics')).text()).toContain('janji_webhook_paused_endpoints 0');
});

it('counts the jobs that failed and those that did not return', async () => {
  world.deps.metrics.jobFailed('mail');
  world.deps.metrics.jobOverdue('mail');
  world.deps.metrics.jobOverdue('mail');
  const text = await (await get('/metrics')).text();
  expect(text).toContain('janji_job_failures_total{job="mail"} 1');
  expect(text).toContain('janji_job_overdue_total{job="mail"} 2');
});

it('shows figures only to this machine, even if a header claims another address', async () => {
  const { status, headers } = await get('/metrics');
  expect([status, headers.get('Cache-Control')]).toEqual([200, 'no-store']);
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(headers.get('X-Request-Id')).toMatch(/^[\da-f-]{36}$/);
  expect((await get('/metrics', { 'X-Forwarded-For': '127.0.0.1' })).status).toBe(404);
  for (const name of proxyHeaders)
    expect([name, (await get('/metrics', { [name]: '127.0.0.1' })).status]).toEqual([name, 404]);
});

it('has no figures in production without a token, also for a proxy on this machine that adds no header', async () => {
  server.close();
  await start({ NODE_ENV: 'production' });
  expect((await get('/metrics')).status).toBe(404);
  expect((await get('/metrics', { Authorization: `Bearer ${token}` })).status).toBe(404);
});

it.each([{ NODE_ENV: 'production' }, { TRUST_PROXY: 'on' }, { TRUST_PROXY: '2' }])(
  'asks for the token in production and behind a proxy: %j',
  async (settings) => {
    server.close();
    await start({ METRICS_TOKEN: token, ...settings });
    expect((await get('/metrics')).status).toBe(401);
    expect((await get('/metrics', { Authorization: `Bearer ${token}x` })).status).toBe(401);
    expect((await get('/metrics', { Authorization: `Bearer ${token}` })).status).toBe(200);
  },
);
