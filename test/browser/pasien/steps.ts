import type { Locator, Page } from 'playwright-core';
import { type Look, openPage, type Stage, type Watched } from '../support/stage.ts';

/** Fills the login in that stands on the page, and sends it. */
export const fillLogin = async (page: Page, { email, password }: { email: string; password: string }) => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Kata sandi', { exact: true }).fill(password);
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
