import assert from 'node:assert/strict';
import type { Route } from 'playwright-core';
import { assertClean, failedWith } from '../support/checks.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { type Scenario, type Stage, shoot } from '../support/stage.ts';
import { enter, expectedToday, logInOn, rowOf } from './steps.ts';

/** Input in a patient's record is restored once the same person has logged in again, and for nobody else. */
const playEnded = async (stage: Stage): Promise<void> => {
  const { url } = stage;
  const token = await tokenOf(url, demo.staff);
  const added = await call(url, 'POST', '/v1/patients', {
    token,
    body: { name: 'Sari Melati', phone_number: `8${Date.now()}`.slice(0, 12), phone_country_code: '62' },
  });
  const id = added.body.data.id as string;
  const watched = await enter(stage, demo.staff, `/konsol/pasien/${id}`);
  const { page } = watched;
  const endElsewhere = () => call(url, 'DELETE', '/v1/auth/devices', { token });
  await page.getByText('Perbaiki data', { exact: true }).click();
  const name = page.getByLabel('Nama lengkap', { exact: true });
  const save = page.getByRole('button', { name: 'Simpan' }).first();

  await name.fill('Sari Melati Putri');
  await endElsewhere();
  await save.click();
  await page.getByText('Sesi Anda telah berakhir.').waitFor();
  assert.equal(await name.isVisible(), false);
  await shoot(stage, page, 'konsol-sesi-berakhir');
  await logInOn(page, demo.staff);
  await save.waitFor();
  assert.equal(await name.inputValue(), 'Sari Melati Putri');
  await save.click();
  await page.getByRole('heading', { level: 1, name: 'Sari Melati Putri' }).waitFor();

  await name.fill('Tidak untuk yang lain');
  await endElsewhere();
  await save.click();
  await page.getByText('Sesi Anda telah berakhir.').waitFor();
  await logInOn(page, demo.admin);
  await page.getByRole('heading', { level: 1, name: 'Sari Melati Putri' }).waitFor();
  assert.equal(await page.locator('input[value="Tidak untuk yang lain"]').count(), 0);
  assert.equal(await page.getByText('Tidak untuk yang lain').count(), 0);
  await assertClean(watched, url, [failedWith(401)]);
  await watched.close();
};

/** A press that found the login ended can be repeated after it; nothing then says that there is no login. */
const playEndedAtPress = async (stage: Stage): Promise<void> => {
  const { url } = stage;
  const booking = await expectedToday(url);
  const watched = await enter(stage);
  const { page } = watched;
  const token = await tokenOf(url, demo.staff);
  const ended = page.getByText('Sesi Anda telah berakhir.');
  const pressTwice = async (press: () => Promise<void>): Promise<void> => {
    // The press finds it, and no look of the page by itself before that.
    let letCome = (): void => {};
    const come = new Promise<void>((resolve) => (letCome = resolve));
    const wait = async (route: Route) => {
      if (route.request().method() === 'GET') await come;
      await route.fallback();
    };
    await page.route('**/v1/**', wait);
    await call(url, 'DELETE', '/v1/auth/devices', { token });
    await press();
    await ended.waitFor();
    letCome();
    await page.unroute('**/v1/**', wait);
    await logInOn(page, demo.staff);
    await page.getByRole('heading', { name: 'Masuk ke konsol' }).waitFor({ state: 'detached' });
    assert.equal(await ended.count(), 0, 'still said after the login');
    await press();
  };

  await pressTwice(() =>
    rowOf(page, booking)
      .getByRole('button', { name: /^Catat hadir/ })
      .click(),
  );
  const next = rowOf(page, booking).getByRole('button', { name: /^Panggil/ });
  await next.waitFor();
  await pressTwice(() =>
    page
      .getByRole('complementary')
      .getByRole('button', { name: /^Panggil berikutnya/ })
      .first()
      .click(),
  );
  await page.getByText(/ dipanggil\.$/).waitFor({ state: 'attached' });

  await page.goto(`${url}/konsol/datang`);
  await page.getByLabel('Nama atau telepon').fill(`Wati ${Date.now().toString(36)}`);
  await page.getByRole('button', { name: /^Pasien baru/ }).click();
  await page.getByLabel('Tanggal lahir').fill('2/3/1990');
  await pressTwice(() => page.getByRole('button', { name: 'Buat & catat hadir' }).click());
  await page.getByRole('heading', { name: 'Tercatat' }).waitFor();
  await assertClean(watched, url, [failedWith(401)]);
  await watched.close();
};

export const endedAtDesk: readonly Scenario[] = [
  { name: 'a login that ended by itself keeps what was typed for the same person alone', play: playEnded },
  {
    name: 'a press that found the login ended is repeated after it, and nothing is said to be wrong',
    play: playEndedAtPress,
  },
];
