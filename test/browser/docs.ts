// Opens the reference in a real browser, against both runtimes: logs in through "try it", books and reads the
// booking back. Fails on a request to another origin and on anything in the console. Screenshots go to
// BROWSER_SHOTS, or to a folder that it names.

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Served, startByScript } from './servers.ts';
import { launch } from './support/browser.ts';

const shots = process.env.BROWSER_SHOTS ?? mkdtempSync(join(tmpdir(), 'janji-docs-'));

/** A picture a step, in a folder for each port that is served. */
const shotOf = (page: Page, step: string) => join(shots, new URL(page.url()).port, `${step}.png`);

const operation = (page: Page, id: string) => page.locator(`.opblock[id$="-${id}"]`);

const openGroup = (page: Page, tag: string): Promise<void> =>
  page.locator(`#operations-tag-${tag} .expand-operation`).click();

/** Opens an operation, fills in what is given, sends it, and gives the answer that the network saw. */
const tryIt = async (page: Page, id: string, fill: { body?: object; path?: Record<string, string> } = {}) => {
  const block = operation(page, id);
  await block.locator('.opblock-summary-control').click();
  await block.locator('.execute').waitFor();
  if (fill.body !== undefined)
    await block.locator('textarea.body-param__text').fill(JSON.stringify(fill.body));
  for (const [name, value] of Object.entries(fill.path ?? {}))
    await block.locator(`tr[data-param-name="${name}"] input`).fill(value);
  const answered = page.waitForResponse((response) => response.url().includes('/v1/'));
  await block.locator('.execute').click();
  const response = await answered;
  await block.locator('.live-responses-table .response-col_status').first().waitFor();
  await page.screenshot({ path: shotOf(page, id) });
  const answer = { status: response.status(), request: response.request(), body: await response.json() };
  await block.locator('.opblock-summary-control').click();
  return answer;
};

const bookThroughTheReference = async (browser: Browser, { name, url }: Served): Promise<void> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  const origins = new Set<string>();
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin);
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));

  const opened = await page.goto(`${url}/docs`);
  assert.match(opened?.headers()['content-security-policy'] ?? '', /script-src 'self';/);
  for (const tag of ['auth', 'catalog', 'bookings']) await openGroup(page, tag);
  await operation(page, 'logIn').waitFor();
  await page.screenshot({ path: shotOf(page, 'docs') });

  const account = { email: 'pasien@klinik.example', password: 'janji-demo-2026' };
  assert.equal((await tryIt(page, 'logIn', { body: account })).status, 200);

  const doctors = await tryIt(page, 'listDoctors');
  const doctor = doctors.body.data[0].id as string;
  const slots = await tryIt(page, 'listSlots', { path: { id: doctor } });
  const { schedule_date, schedule_time, session_id } = slots.body.data.at(-1);
  const bookingInput = {
    doctor_id: doctor,
    session_id,
    schedule_date,
    schedule_time,
    notes: 'Lewat referensi',
  };
  const booked = await tryIt(page, 'createBooking', { body: bookingInput });
  assert.equal(booked.status, 201, JSON.stringify(booked.body));
  const history = await tryIt(page, 'getHistory');
  assert.deepEqual(
    history.body.data.find(({ id }: { id: string }) => id === booked.body.data.id),
    booked.body.data,
  );

  assert.deepEqual([...origins], [url]);
  assert.deepEqual(complaints, []);
  const stored = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  );
  assert.doesNotMatch(stored as string, /eyJ/, 'a token was stored');
  await page.close();
  process.stdout.write(
    `/docs against ${name}: logged in, booked, read back; one origin, a silent console.\n`,
  );
};

const browser = await launch();
try {
  for (const script of ['start', 'dev'] as const) {
    const served = await startByScript(script);
    await bookThroughTheReference(browser, served).finally(served.stop);
  }
} finally {
  await browser.close();
}
process.stdout.write(`Screenshots: ${shots}\n`);
