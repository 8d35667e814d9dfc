import assert from 'node:assert/strict';
import { assertClean, failedWith } from '../support/checks.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { type Scenario, type Stage, shoot } from '../support/stage.ts';
import { enter, logInOn } from './steps.ts';

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

export const endedAtDesk: readonly Scenario[] = [
  { name: 'a login that ended by itself keeps what was typed for the same person alone', play: playEnded },
];
