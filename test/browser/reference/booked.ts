import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { desk, openPage, type Scenario, type Stage, shoot } from '../support/stage.ts';

const operation = (page: Page, id: string) => page.locator(`.opblock[id$="-${id}"]`);

const openGroup = (page: Page, tag: string): Promise<void> =>
  page.locator(`#operations-tag-${tag} .expand-operation`).click();

/** Opens an operation, fills in the given values, sends it, and returns the answer seen on the network. */
const tryIt = async (
  stage: Stage,
  page: Page,
  id: string,
  fill: { body?: object; path?: Record<string, string> } = {},
) => {
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
  await shoot(stage, page, `docs-${id}`);
  const answer = { status: response.status(), request: response.request(), body: await response.json() };
  await block.locator('.opblock-summary-control').click();
  return answer;
};

const bookThroughTheReference = async (stage: Stage): Promise<void> => {
  const { url } = stage;
  const { page, origins, complaints, close } = await openPage(stage, { viewport: desk });
  const opened = await page.goto(`${url}/docs`);
  assert.match(opened?.headers()['content-security-policy'] ?? '', /script-src 'self';/);
  for (const tag of ['auth', 'catalog', 'bookings']) await openGroup(page, tag);
  await operation(page, 'logIn').waitFor();
  await shoot(stage, page, 'docs');

  const account = { email: 'pasien@klinik.example', password: 'janji-demo-2026' };
  assert.equal((await tryIt(stage, page, 'logIn', { body: account })).status, 200);

  const doctors = await tryIt(stage, page, 'listDoctors');
  const doctor = doctors.body.data[0].id as string;
  const slots = await tryIt(stage, page, 'listSlots', { path: { id: doctor } });
  const { schedule_date, schedule_time, session_id } = slots.body.data.at(-1);
  const bookingInput = {
    doctor_id: doctor,
    session_id,
    schedule_date,
    schedule_time,
    notes: 'Lewat referensi',
  };
  const booked = await tryIt(stage, page, 'createBooking', { body: bookingInput });
  assert.equal(booked.status, 201, JSON.stringify(booked.body));
  const history = await tryIt(stage, page, 'getHistory');
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
  await close();
};

/** The reference as a newcomer uses it: one origin, and a silent console. */
export const booked: Scenario = {
  name: 'through "try it" one logs in, books, and reads the booking back',
  play: bookThroughTheReference,
};
