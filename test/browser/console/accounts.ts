import assert from 'node:assert/strict';
import { assertAccessible, assertClean } from '../support/checks.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { type Scenario, type Stage, shoot } from '../support/stage.ts';
import { choose, confirm, press, type } from './keyboard.ts';
import { enter, untilThere } from './steps.ts';

const password = 'kopi-susu-pagi-7';

const personOf = async ({ url }: Stage, email: string) => {
  const token = await tokenOf(url, demo.admin);
  const { body } = await call(url, 'GET', `/v1/admin/people?q=${encodeURIComponent(email)}`, { token });
  return (body.data as { email: string; role: string; active: boolean; doctor_id: string | null }[]).find(
    (one) => one.email === email,
  );
};

const logInStatus = async ({ url }: Stage, email: string): Promise<number> =>
  (await call(url, 'POST', '/v1/auth/login', { body: { email, password } })).status;

export const accounts: readonly Scenario[] = [
  {
    name: 'somebody is invited, made a doctor, shut out and let in again by keyboard alone',
    play: async (stage) => {
      const { url } = stage;
      const own = Date.now().toString(36);
      const [name, email] = [`Tiara ${own}`, `tiara-${own}@klinik.example`];
      const watched = await enter(stage, demo.admin, '/konsol/orang');
      const { page } = watched;
      await page.getByRole('table').waitFor();
      await press(page, 'Undang orang');
      await type(page, 'Nama', name);
      await type(page, 'Email', email);
      await page.keyboard.press('Enter');
      await page.getByText('Berikan tautan ini kepada orangnya.').waitFor();
      const link = await page.locator('aside code').innerText();
      assert.equal((await personOf(stage, email))?.role, 'staff');
      const token = new URLSearchParams(link.split('#')[1] ?? '').get('token') ?? link;
      const chosen = await call(url, 'POST', '/v1/auth/password/reset', {
        body: { token, password, password_confirmation: password },
      });
      assert.equal(chosen.status, 200, JSON.stringify(chosen.body));
      assert.equal(await logInStatus(stage, email), 200);
      await assertAccessible(page, 'an invitation');
      await shoot(stage, page, 'konsol-orang-undangan');
      await page.keyboard.press('Escape');

      await type(page, 'Cari nama atau email', email);
      await page.getByRole('rowheader', { name }).waitFor();
      await press(page, `Ubah ${name}`);
      const { body } = await call(url, 'GET', '/v1/doctors?limit=1');
      const doctor = body.data[0] as { id: string; title: string; name: string };
      await untilThere(page, `document.activeElement?.matches('aside select')`);
      await choose(page, 'Peran', 'Dokter');
      await choose(page, 'Dokter yang mana', `${doctor.title} ${doctor.name}`);
      await press(page, 'Simpan');
      await page.getByText('Tersimpan.').waitFor();
      const changed = await personOf(stage, email);
      assert.deepEqual([changed?.role, changed?.doctor_id], ['doctor', doctor.id]);
      await page.getByText('Tidak ada perangkat yang masuk.').waitFor();

      await press(page, 'Nonaktifkan akun');
      await confirm(page, 'Nonaktifkan akun');
      await page.getByRole('button', { name: 'Aktifkan akun' }).waitFor();
      assert.equal((await personOf(stage, email))?.active, false);
      assert.equal(await logInStatus(stage, email), 401);
      await press(page, 'Aktifkan akun');
      await page.getByRole('button', { name: 'Nonaktifkan akun' }).waitFor();
      assert.equal((await personOf(stage, email))?.active, true);
      assert.equal(await logInStatus(stage, email), 200);
      await assertClean(watched, url);
      await watched.close();
    },
  },
  {
    name: 'the last admin stays one, and is told why',
    play: async (stage) => {
      const watched = await enter(stage, demo.admin, `/konsol/orang?q=${demo.admin}`);
      const { page } = watched;
      await page.getByRole('button', { name: /^Ubah/ }).click();
      await page.locator('aside').getByLabel('Peran').selectOption('staff');
      await page.getByRole('button', { name: 'Simpan' }).click();
      await page.getByText('Harus selalu ada satu admin.').first().waitFor();
      assert.equal((await personOf(stage, demo.admin))?.role, 'admin');
      await assertAccessible(page, 'the last admin');
      await watched.close();
    },
  },
];
