import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { call, demo, tokenOf } from '../support/people.ts';
import { desk, type Look, openPage, type Stage, type Watched } from '../support/stage.ts';

/** A console with somebody at it. */
export const enter = async (
  stage: Stage,
  email: string = demo.staff,
  path = '/konsol/',
  look: Look = { viewport: desk },
): Promise<Watched> => {
  const watched = await openPage(stage, look);
  await watched.page.goto(`${stage.url}${path}`);
  await logInOn(watched.page, email);
  return watched;
};

export const logInOn = async (page: Page, email: string, password: string = demo.password): Promise<void> => {
  // By its role: a form that waits behind the login may have one, unseen.
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Kata sandi', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation').waitFor();
};

/** The clinic's date. */
export const todayOf = async (url: string): Promise<string> =>
  (await call(url, 'GET', '/v1/clinic')).body.data.today as string;

export interface Listed {
  id: string;
  version: number;
  queue_label: string;
  status: string;
  visit: { status: string } | null;
  patient: { id: string; name: string };
  doctor_id: string;
  session_id: string;
  starts_at: string;
}

export const dayOf = async (url: string, more = ''): Promise<Listed[]> => {
  const token = await tokenOf(url, demo.staff);
  return (await call(url, 'GET', `/v1/bookings?limit=100${more}`, { token })).body.data as Listed[];
};

let nth = 0;

/** Somebody with an approved booking today at a free time of the demo clinic, made by the desk. */
export const expectedToday = async (url: string): Promise<Listed> => {
  nth += 1;
  const token = await tokenOf(url, demo.staff);
  const date = await todayOf(url);
  const name = `Pasien Uji ${Date.now().toString(36)}${nth}`;
  const patient = await call(url, 'POST', '/v1/patients', {
    token,
    body: { name, phone_number: `8${Date.now()}`.slice(0, 12), phone_country_code: '62' },
  });
  const { body } = await call(url, 'GET', `/v1/slots?date=${date}`, { token });
  const slot = body.data.at(-1);
  const made = await call(url, 'POST', '/v1/bookings', {
    token,
    body: {
      doctor_id: slot.doctor_id,
      session_id: slot.session_id,
      schedule_date: slot.schedule_date,
      schedule_time: slot.schedule_time,
      patient_id: patient.body.data.id,
    },
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return (await dayOf(url)).find((one) => one.id === made.body.data.id) as Listed;
};

export const rowOf = (page: Page, { id }: { id: string }) => page.locator(`[data-row="${id}"]`);

/** Waits for what no page shows. */
export const until = async (holds: () => Promise<boolean>, what: string, withinMs = 8_000): Promise<void> => {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, what);
    await new Promise((wake) => setTimeout(wake, 100));
  }
};

/** Waits until an expression holds in the page. The policy of the page lets no string be run there again and again. */
export const untilThere = (page: Page, expression: string): Promise<void> =>
  until(async () => Boolean(await page.evaluate(expression)), expression);
