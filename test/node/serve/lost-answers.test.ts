import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { freePort, startService } from '../../support/faults/service.ts';
import { rowsOf } from '../../support/node/rows.ts';

const password = 'kata-sandi-uji-17';

const post = (base: string, path: string, body: object) =>
  fetch(base + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

it('a refresh whose process was killed before its answer arrived goes on with the next process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-lost-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'janji.db');
  const first = await startService(path, await freePort());
  const made = await post(first.base, '/v1/auth/register', {
    name: 'Orang',
    phone_number: '8123456789',
    phone_country_code: '62',
    email: 'orang@klinik.example',
    password,
    password_confirmation: password,
  });
  const { refresh_token } = (await made.json()).data;
  const rotated = () =>
    rowsOf(path, 'select count(*) from refresh_tokens where rotated_at is not null')[0]?.[0];
  // Killed as soon as the rotation is in the file; the answer is nobody's.
  const lost = post(first.base, '/v1/auth/refresh', { refresh_token }).catch(() => {});
  while (rotated() !== 1) await sleep(1);
  await first.kill();
  await lost;
  const next = await startService(path, await freePort());
  onTestFinished(() => next.kill());
  const again = await post(next.base, '/v1/auth/refresh', { refresh_token });
  expect(again.status).toBe(200);
  const { data } = await again.json();
  const profile = await fetch(`${next.base}/v1/auth/profile`, {
    headers: { Authorization: `Bearer ${data.access_token}` },
  });
  expect(profile.status).toBe(200);
  const further = await post(next.base, '/v1/auth/refresh', { refresh_token: data.refresh_token });
  expect(further.status).toBe(200);
});
