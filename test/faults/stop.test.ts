import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { violationsIn } from '../support/faults/checker.ts';
import { fillClinicFile } from '../support/faults/clinic-file.ts';
import { freePort, startService } from '../support/faults/service.ts';

const rounds = 4;
const connections = 40;
/** More than are hashed at once. Each is a hash of its own, and a stop has 30 seconds on a machine that others use too. */
const logins = 12;
const metricsToken = 'token-metrik-untuk-uji-0123456789';
const goodbye = /\r\nconnection: close\r\n/i;

/** A keep-alive connection that says when its request is completely sent, and the bytes of the answer. */
const openConnection = async (port: number, headers: string) => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {});
  const ended = once(socket, 'close');
  const ask = (method: string, path: string, body: string) => {
    received = '';
    const length = Buffer.byteLength(body);
    const head = `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}`;
    socket.write(`${head}Content-Length: ${length}\r\n\r\n${body}`);
  };
  return { ask, ended, answer: () => received, destroy: () => socket.destroy() };
};

it('answers every request that it received before it stopped, says goodbye, and exits with 0', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'janji-stop-')), 'janji.db');
  const clinic = await fillClinicFile(path, connections);
  let goodbyes = 0;
  for (let round = 0; round < rounds; round++) {
    const port = await freePort();
    const service = await startService(path, port, { MAX_LIVE_BOOKINGS: '0' });
    const open = await Promise.all(
      clinic.patients.map(({ token }) => openConnection(port, `Authorization: Bearer ${token}\r\n`)),
    );
    const silent = await openConnection(port, '');
    // All of them are known and idle by now, so that a careless stop would cut them.
    for (const { ask } of open) ask('GET', '/v1/bookings/history', '');
    while (open.some(({ answer }) => !answer().includes('"success"'))) await sleep(5);
    open.forEach(({ ask }, at) => {
      ask('POST', '/v1/bookings', JSON.stringify(clinic.slots[(at + round) % clinic.slots.length]));
    });
    await sleep(round % 2);
    let isEnded = false;
    const stopped = service.stop().finally(() => {
      isEnded = true;
    });
    // A supervisor that repeats itself once the stop has begun must not cut the last answers.
    while (!isEnded && !open.some(({ answer }) => goodbye.test(answer()))) await sleep(1);
    service.child.kill('SIGTERM');
    expect(await stopped).toBe(0);
    await Promise.all([...open, silent].map(({ ended }) => ended));
    for (const { answer } of open) {
      expect(answer()).toMatch(/^HTTP\/1\.1 (201|409) /);
      if (goodbye.test(answer())) goodbyes += 1;
      expect(() => JSON.parse(answer().split('\r\n\r\n')[1] ?? '')).not.toThrow();
    }
    expect(service.errors()).toBe('');
  }
  // Those that were answered after the signal, so there were some to lose.
  expect(goodbyes).toBeGreaterThan(0);
  expect(violationsIn(path, clinic, []).filter((line) => !line.includes('never answered'))).toEqual([]);
});

it('ends what it works on for clients that are gone, and calls none of it a failure', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-stop-'));
  const path = join(folder, 'janji.db');
  await fillClinicFile(path, 1);
  const port = await freePort();
  const service = await startService(path, port, { METRICS_TOKEN: metricsToken });
  onTestFinished(() => {
    service.child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  const wrong = JSON.stringify({ email: 'x@klinik.example', password: 'bukan-kata-sandi-17' });
  const open = await Promise.all(Array.from({ length: logins }, () => openConnection(port, '')));
  for (const { ask } of open) ask('POST', '/v1/auth/login', wrong);
  const isHashing = async () => {
    const headers = { Authorization: `Bearer ${metricsToken}` };
    const metrics = await fetch(`${service.base}/metrics`, { headers });
    expect(metrics.status).toBe(200);
    return /janji_hashing_jobs\{state="waiting"\} [1-9]/.test(await metrics.text());
  };
  while (!(await isHashing())) await sleep(1);
  for (const { destroy } of open) destroy();
  expect(await service.stop()).toBe(0);
  expect(service.errors()).toBe('');
});
