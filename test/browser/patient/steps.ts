import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { clinicDate, freeSlots, type Practice } from '../support/clinic.ts';
import { type Look, openPage, type Stage, type Watched } from '../support/stage.ts';

/** Fills in the login form on the page, and sends it. */
export const fillLogin = async (page: Page, { email, password }: { email: string; password: string }) => {
  // A form of a login that has ended is still mounted behind it, hidden.
  const shown = (label: string) => page.getByLabel(label, { exact: true }).filter({ visible: true });
  await shown('Email').fill(email);
  await shown('Kata sandi').fill(password);
  await page.getByRole('button', { name: 'Masuk', exact: true }).click();
};

/** A page on which somebody is logged in, at an address of the patient's page. */
export const openAs = async (
  stage: Stage,
  person: { email: string; password: string },
  path = '',
  look: Look = {},
): Promise<Watched> => {
  const watched = await openPage(stage, look);
  await watched.page.goto(`${stage.url}/pasien/masuk`);
  await fillLogin(watched.page, person);
  await watched.page.waitForURL(`${stage.url}/pasien/`);
  if (path !== '') await watched.page.goto(`${stage.url}/pasien/${path}`);
  return watched;
};

/** As when somebody takes the phone up again: the page asks at once. */
export const takeUp = (page: Page) => page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);

/** The same until this is shown: where a look is under way already, none is added to it. */
export const takeUpUntil = async (page: Page, shown: Locator): Promise<void> => {
  for (let nth = 0; nth < 40 && !(await shown.isVisible()); nth++) {
    await takeUp(page);
    await page.waitForTimeout(500);
  }
  await shown.waitFor({ timeout: 1_000 });
};

/** The message after a booking. */
export const booked = 'Janji Anda sudah dibuat.';

/** Presses Tab until the element with this name has the focus, then Enter. */
export const goTo = async (page: Page, name: RegExp, key = 'Enter'): Promise<void> => {
  for (let nth = 0; nth < 150; nth++) {
    const at = (await page.evaluate(
      `(document.activeElement?.getAttribute('aria-label') || document.activeElement?.labels?.[0]?.innerText || document.activeElement?.innerText || '').trim().replace(/\\s+/g, ' ')`,
    )) as string;
    if (name.test(at)) {
      if (key !== '') await page.keyboard.press(key);
      return;
    }
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab never reaches ${name}`);
};

/** The confirmation of a slot. */
export const confirmPath = (
  practice: { doctor: string; session: string },
  slot: { schedule_date: string; schedule_time: string },
) =>
  `konfirmasi?dokter=${practice.doctor}&layanan=${practice.session}&tanggal=${slot.schedule_date}&jam=${slot.schedule_time.slice(0, 5)}`;

/** A free slot of the day after tomorrow. */
export const slotOn = async (url: string, practice: Practice, at = 0) => {
  const slot = (await freeSlots(url, practice, clinicDate(2)))[at];
  assert.ok(slot !== undefined);
  return slot;
};
