import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { fillClinicFile } from '../support/faults/clinic-file.ts';
import { freePort, startService } from '../support/faults/service.ts';

interface Post {
  id: string;
  bookingId: string;
  version: number;
  acknowledged: boolean;
}

/** A receiver that fails now and then, in one way or another, checks every signature, and notes what came. */
const startReceiver = async () => {
  const posts: Post[] = [];
  const forged: string[] = [];
  const state = { secret: '' };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const id = String(request.headers['webhook-id']);
    try {
      new Webhook(state.secret).verify(body, request.headers as Record<string, string>);
    } catch (error) {
      forged.push(String(error));
    }
    const { data } = JSON.parse(body);
    const fails = posts.length % 6 === 5 && !posts.some((post) => post.id === id);
    posts.push({ id, bookingId: data.booking_id, version: data.version, acknowledged: !fails });
    if (!fails) response.writeHead(204).end();
    else if (posts.length % 4 === 0) request.socket.destroy();
    else response.writeHead(500).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { posts, forged, state, url };
};

const attemptsIn = (path: string): Record<string, { attempts: number; state: string }> => {
  const database = new Database(path, { timeout: 2000 });
  try {
    const rows = database
      .prepare(
        'select e.write_id as id, d.attempts, d.state from webhook_deliveries d join booking_events e on e.sequence = d.sequence',
      )
      .all() as { id: string; attempts: number; state: string }[];
    return Object.fromEntries(rows.map(({ id, attempts, state }) => [id, { attempts, state }]));
  } finally {
    database.close();
  }
};

it('two processes on one file send no attempt twice, and every event in order with a valid signature', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-webhooks-'));
  const path = join(folder, 'janji.db');
  const clinic = await fillClinicFile(path, 12, 'admin');
  const settings = { WEBHOOK_ALLOW_PRIVATE: 'true', MAX_LIVE_BOOKINGS: '0' };
  const services = [
    await startService(path, await freePort(), settings),
    await startService(path, await freePort(), settings),
  ];
  onTestFinished(() => {
    for (const { child } of services) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const receiver = await startReceiver();
  let asked = 0;
  const post = async (token: string, route: string, body: object) => {
    const base = services[asked++ % 2]?.base;
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${base}${route}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as { data?: { id: string; secret: string } };
  };
  const added = await post(clinic.staff.token, '/v1/admin/webhooks', { url: receiver.url });
  receiver.state.secret = added.data?.secret ?? '';
  let events = 0;
  const live = async ({ token }: { token: string }, at: number): Promise<void> => {
    for (let n = 0; n < 4; n++) {
      const made = await post(
        token,
        '/v1/bookings',
        clinic.slots[(at * 2 + n * 5) % clinic.slots.length] ?? {},
      );
      if (made.data === undefined) continue;
      const canceled = await post(token, `/v1/bookings/${made.data.id}/cancel`, {});
      events += canceled.data === undefined ? 1 : 2;
    }
  };
  await Promise.all(clinic.patients.map(live));
  const isSettled = () => {
    const states = Object.values(attemptsIn(path));
    return states.length === events && states.every(({ state }) => state === 'delivered');
  };
  while (!isSettled()) await sleep(200);
  const expected = Object.entries(attemptsIn(path)).map(([id, { attempts }]) => [id, attempts]);
  const counted = Map.groupBy(receiver.posts, ({ id }) => id);
  expect([...counted].map(([id, posts]) => [id, posts.length]).sort()).toEqual(expected.sort());
  expect(receiver.forged).toEqual([]);
  const versions = new Map<string, number>();
  for (const { bookingId, version } of receiver.posts.filter(({ acknowledged }) => acknowledged)) {
    expect(version).toBe((versions.get(bookingId) ?? 0) + 1);
    versions.set(bookingId, version);
  }
  expect(events).toBeGreaterThan(20);
  expect(receiver.posts.length).toBeGreaterThan(events);
  expect(await Promise.all(services.map((service) => service.stop()))).toEqual([0, 0]);
});
