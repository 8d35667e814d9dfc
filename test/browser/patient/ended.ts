import assert from 'node:assert/strict';
import { assertClean, failedWith } from '../support/checks.ts';
import { call, newPatient } from '../support/people.ts';
import { type Scenario, type Stage, shoot } from '../support/stage.ts';
import { fillLogin, openAs } from './steps.ts';

const ended = 'Sesi Anda telah berakhir.';

/** Input is restored for the same person once they have logged in again, and for nobody else. */
const playEnded = async (stage: Stage): Promise<void> => {
  const person = await newPatient(stage.url);
  const watched = await openAs(stage, person, 'akun/profil');
  const { page } = watched;
  const endElsewhere = () => call(stage.url, 'DELETE', '/v1/auth/devices', { token: person.token });
  const save = page.getByRole('button', { name: 'Simpan' });
  const name = page.getByLabel('Nama lengkap');

  await name.fill('Siti Nurhaliza');
  await endElsewhere();
  await save.click();
  await page.getByText(ended).waitFor();
  assert.equal(await name.isVisible(), false);
  await shoot(stage, page, 'sesi-berakhir', true);
  await fillLogin(page, person);
  await save.waitFor();
  assert.equal(await name.inputValue(), 'Siti Nurhaliza');
  assert.equal(await page.getByRole('alert').count(), 0, 'nothing is said to be wrong');
  await save.click();
  await page.getByText('Tersimpan.').waitFor();

  await page.goto(`${stage.url}/pasien/akun/pemberitahuan`);
  const late = page.getByRole('checkbox', { name: 'Dokter terlambat' });
  await late.uncheck();
  await endElsewhere();
  await save.click();
  await page.getByText(ended).waitFor();
  await fillLogin(page, person);
  await late.waitFor();
  assert.equal(await late.isChecked(), false);

  await page.goto(`${stage.url}/pasien/keluarga`);
  await page.getByRole('button', { name: 'Tambah anggota keluarga' }).click();
  await name.fill('Kirana Rahayu');
  await page.getByLabel('Tanggal lahir').first().fill('2019-04-23');
  await endElsewhere();
  await page.getByRole('button', { name: 'Tambahkan' }).click();
  await page.getByText(ended).waitFor();
  await fillLogin(page, person);
  await name.waitFor();
  assert.equal(await name.inputValue(), 'Kirana Rahayu');
  await endElsewhere();
  await page.getByRole('button', { name: 'Tambahkan' }).click();
  await page.getByText(ended).waitFor();
  const other = await newPatient(stage.url);
  await fillLogin(page, other);
  await page.getByRole('button', { name: 'Tambah anggota keluarga' }).waitFor();
  assert.equal(await name.count(), 0);
  assert.equal(await page.getByText('Siti Nurhaliza').count(), 0);
  await assertClean(watched, stage.url, [failedWith(401)]);
  await watched.close();
};

export const endedFlows: readonly Scenario[] = [
  { name: 'a login that ended by itself keeps what was typed for the same person alone', play: playEnded },
];
