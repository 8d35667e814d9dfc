import assert from 'node:assert/strict';
import { appCode } from '../../support/factors.ts';
import { assertAccessible, assertClean, failedWith } from '../support/checks.ts';
import { named, pressByKeyboard, simulateDevice } from '../support/device.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { desk, openPage, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { enter, logInOn, until } from './steps.ts';

const newStaff = async ({ url }: Stage) => {
  const email = `petugas-${Date.now().toString(36)}@klinik.example`;
  const password = 'kopi-susu-pagi-7';
  const body = { name: 'Dewi Dua Langkah', email, role: 'staff', password };
  const made = await call(url, 'POST', '/v1/admin/people', { token: await tokenOf(url, demo.admin), body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return { email, password };
};

/** The clinic's own settings: second factors, keys, its name and logo. */
export const owns: readonly Scenario[] = [
  {
    name: 'a passkey is made and opens the console, by the keyboard alone',
    play: async (stage) => {
      const { email, password } = await newStaff(stage);
      const url = named(stage.url);
      const watched = await openPage(stage, { viewport: desk });
      const { page } = watched;
      await simulateDevice(page);
      await page.goto(`${url}/konsol/`);
      await logInOn(page, email, password);
      await page.locator('summary', { hasText: 'Dewi' }).focus();
      await page.keyboard.press('Enter');
      await pressByKeyboard(page, 'Keamanan akun');
      await page.getByRole('heading', { name: 'Keamanan akun' }).waitFor();
      await page.getByRole('button', { name: 'Tambah kunci sandi' }).waitFor();
      await pressByKeyboard(page, 'Tambah kunci sandi');
      await page.getByLabel('Nama kunci sandi').focus();
      await page.keyboard.type('Kunci meja depan');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Kode pemulihan' }).waitFor();
      await assertAccessible(page, 'konsol, recovery codes');
      await shoot(stage, page, 'konsol-kode-pemulihan');
      await pressByKeyboard(page, 'Sudah saya simpan');
      await page.getByText('Kunci meja depan').waitFor();
      await shoot(stage, page, 'konsol-akun-kunci');
      await page.reload();
      await page.getByText('Kunci meja depan').waitFor();
      await page.locator('summary', { hasText: 'Dewi' }).click();
      await page.getByRole('button', { name: 'Keluar' }).click();
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Kata sandi', { exact: true }).fill(password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Langkah kedua' }).waitFor();
      await assertAccessible(page, 'konsol, second step by a passkey');
      await shoot(stage, page, 'konsol-masuk-kunci');
      await pressByKeyboard(page, 'Pakai kunci sandi');
      await page.getByRole('navigation').waitFor();
      await assertClean(watched, url, [failedWith(401)]);
      await watched.close();
    },
  },
  {
    name: 'who has to have a second factor is led to it, and then goes on',
    settings: { REQUIRE_SECOND_FACTOR: 'staff' },
    play: async (stage) => {
      const { email, password } = await newStaff(stage);
      const watched = await openPage(stage, { viewport: desk });
      const { page } = watched;
      await page.goto(`${stage.url}/konsol/antrean`);
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Kata sandi', { exact: true }).fill(password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Siapkan verifikasi dua langkah' }).waitFor();
      assert.equal(await page.getByRole('navigation').count(), 0);
      await assertAccessible(page, 'konsol, enrolment');
      await shoot(stage, page, 'konsol-wajib');
      await pressByKeyboard(page, 'Pakai aplikasi autentikator');
      await page.getByRole('img', { name: 'Kode QR untuk aplikasi autentikator' }).waitFor();
      await assertAccessible(page, 'konsol, authenticator app');
      const secret = ((await page.locator('p[class*="mono"]').textContent()) ?? '').replaceAll(' ', '');
      await page.getByLabel('Kode dari aplikasi autentikator').fill('000000');
      await page.keyboard.press('Enter');
      await page.getByText('Kode ini salah atau sudah dipakai.').first().waitFor();
      await page.getByLabel('Kode dari aplikasi autentikator').fill(appCode(secret, Date.now()));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Kode pemulihan' }).waitFor();
      await pressByKeyboard(page, 'Sudah saya simpan');
      await page.getByRole('navigation').waitFor();
      assert.equal(new URL(page.url()).pathname, '/konsol/antrean');
      await page.goto(`${stage.url}/konsol/akun`);
      await page.getByText('Klinik meminta paling sedikit satu').waitFor();
      assert.equal(await page.getByRole('button', { name: /^Hapus/ }).count(), 0);
      await assertClean(watched, stage.url, [failedWith(403, 422)]);
      await watched.close();
    },
  },
  {
    name: 'an API key is made, shown once, works, and is revoked; the password is asked for and the act goes on',
    play: async (stage) => {
      const watched = await enter(stage, demo.admin, '/konsol/kunci');
      const { page } = watched;
      const name = `Kasir ${Date.now().toString(36)}`;
      const confirmed: number[] = [];
      page.on('response', (response) => {
        if (response.url().endsWith('/reauthenticate')) confirmed.push(response.status());
      });
      // A login of more than ten minutes ago, as the service answers it.
      let isOld = true;
      await page.route('**/v1/admin/api-keys', async (route) => {
        if (route.request().method() !== 'POST' || !isOld) return route.continue();
        isOld = false;
        const body = {
          status: 'error',
          code: 'reauthentication_required',
          message: 'Silakan konfirmasi.',
          request_id: 'r-1',
        };
        await route.fulfill({ status: 403, contentType: 'application/json', body: JSON.stringify(body) });
      });
      // What the account confirms by cannot be read at first.
      let isLost = true;
      await page.route('**/v1/auth/profile', async (route) => {
        if (!isLost) return route.continue();
        isLost = false;
        const body = { status: 'error', code: 'unavailable', message: 'Sedang sibuk.', request_id: 'r-2' };
        await route.fulfill({ status: 503, contentType: 'application/json', body: JSON.stringify(body) });
      });
      await page.getByRole('button', { name: 'Buat kunci' }).focus();
      await page.keyboard.press('Enter');
      await page.getByLabel('Nama', { exact: true }).fill(name);
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Pastikan ini Anda' });
      await dialog.getByText('Sedang sibuk.').waitFor();
      assert.equal(await dialog.getByLabel('Kata sandi', { exact: true }).count(), 0);
      await assertAccessible(page, 'konsol, who is there cannot be asked');
      await shoot(stage, page, 'konsol-pastikan-gagal');
      await pressByKeyboard(page, 'Coba lagi');
      await dialog.getByLabel('Kata sandi', { exact: true }).waitFor();
      await assertAccessible(page, 'konsol, the password again');
      await page.keyboard.type(demo.password);
      await page.keyboard.press('Enter');
      await page.getByText(/^Boleh: /).waitFor();
      assert.deepEqual(confirmed, [200]);
      await page.getByLabel('Membaca janji').focus();
      await page.keyboard.press('Space');
      await page.getByLabel('Berlaku').selectOption('30 hari');
      await assertAccessible(page, 'konsol, a new key');
      await shoot(stage, page, 'konsol-kunci-baru');
      await page.getByLabel('Nama', { exact: true }).focus();
      await page.keyboard.press('Enter');
      const key = (await page.locator('code').textContent()) ?? '';
      assert.match(key, /^janji_/);
      const row = page.getByRole('row', { name: new RegExp(name) });
      await row.getByText('Membaca janji', { exact: true }).waitFor();
      assert.equal((await call(stage.url, 'GET', '/v1/bookings', { token: key })).status, 200);
      assert.equal((await call(stage.url, 'GET', '/v1/patients?q=a', { token: key })).status, 403);
      await shoot(stage, page, 'konsol-kunci');
      await page.reload();
      await row.waitFor();
      assert.equal(await page.locator('code').count(), 0);
      await pressByKeyboard(page, `Cabut: ${name}`);
      await page.getByRole('dialog').waitFor();
      await pressByKeyboard(page, 'Cabut');
      await page.getByText('Kunci sudah dicabut.').waitFor();
      assert.equal((await call(stage.url, 'GET', '/v1/bookings', { token: key })).status, 401);
      // This clinic has no sandbox: nothing of one is shown.
      assert.equal(await page.getByText(/sandbox/i).count(), 0);
      await assertClean(watched, stage.url, [failedWith(403, 422, 503)]);
      await watched.close();
    },
  },
  {
    name: 'the clinic gets a name, a rule and a logo, which all three programs show, and a print',
    play: async (stage) => {
      const watched = await enter(stage, demo.admin, '/konsol/klinik');
      const { page } = watched;
      await page.getByLabel(/^Nama klinik/).fill('Klinik Sehat Melati');
      await page.getByLabel(/^Telepon/).fill('+62 22 1234567');
      await page.getByLabel(/^Alamat \(https\)/).fill('ftp://klinik.example');
      await page.getByRole('button', { name: 'Simpan' }).focus();
      await page.keyboard.press('Enter');
      await page
        .getByText(/Alamat URL tidak valid/)
        .first()
        .waitFor();
      await assertAccessible(page, 'konsol, the clinic refused');
      await page.getByLabel(/^Alamat \(https\)/).fill('');
      await page.getByLabel('Paling awal dipesan, hari sebelumnya').fill('60');
      const fixed = page.getByLabel('Paling lambat dipesan, menit sebelum mulai');
      assert.equal(await fixed.getAttribute('readonly'), '', 'the environment sets it');
      // A picture that is larger than the service takes: the page makes it smaller.
      const picture = (await page.evaluate(`(() => {
        const canvas = document.createElement('canvas');
        canvas.width = 1200; canvas.height = 400;
        const pen = canvas.getContext('2d');
        const noise = pen.createImageData(1200, 400);
        for (let at = 0; at < noise.data.length; at++) noise.data[at] = (at * at * 7919) % 251;
        pen.putImageData(noise, 0, 0);
        pen.fillStyle = '#0b6a61'; pen.fillRect(40, 80, 1120, 240);
        return canvas.toDataURL('image/png').split(',')[1];
      })()`)) as string;
      const file = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(picture, 'base64') };
      assert.ok(file.buffer.length > 32_768, `${file.buffer.length}`);
      const logo = page.getByLabel('Logo', { exact: true });
      await logo.setInputFiles({ name: 'x.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg') });
      await page.getByText('Gambar ini tidak dapat dibaca.').waitFor();
      await logo.setInputFiles(file);
      await page.getByRole('img', { name: 'Logo baru, belum disimpan' }).waitFor();
      await assertAccessible(page, 'konsol, the clinic');
      await page.getByRole('button', { name: 'Simpan' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('Tersimpan.').waitFor();
      const { data } = (await call(stage.url, 'GET', '/v1/clinic')).body;
      assert.deepEqual([data.name, data.max_advance_days], ['Klinik Sehat Melati', 60]);
      assert.match(data.logo, /^\/logo\//);
      const drawn = `[...document.querySelectorAll('img[src="${data.logo}"]')].filter((one) => one.naturalWidth > 0 && one.getBoundingClientRect().height > 8).length`;
      const untilDrawn = async (count: number): Promise<void> => {
        const deadline = Date.now() + 10_000;
        while ((await page.evaluate(drawn)) !== count) {
          assert.ok(Date.now() < deadline, `${await page.evaluate(drawn)} logos are drawn`);
          await new Promise((wake) => setTimeout(wake, 100));
        }
      };
      await untilDrawn(2);
      await shoot(stage, page, 'konsol-klinik', true);
      await page.emulateMedia({ media: 'print' });
      await page.goto(`${stage.url}/konsol/`);
      await untilDrawn(1);
      await page.locator('main').waitFor();
      assert.match((await page.locator('p:has(+ header)').innerText()).trim(), /^Klinik Sehat Melati$/);
      await shoot(stage, page, 'konsol-cetak');
      await page.emulateMedia({ media: 'screen' });
      for (const path of ['/pasien/', '/layar/?antrean=semua&suara=mati']) {
        await page.goto(`${stage.url}${path}`);
        await untilDrawn(1);
        await shoot(stage, page, path.startsWith('/layar') ? 'layar-logo' : 'pasien-logo');
      }
      await page.goto(`${stage.url}/konsol/klinik`);
      // Another admin changes the address meanwhile: it shows, and no save from here brings the old one back.
      await page.getByRole('button', { name: 'Hapus logo' }).waitFor();
      const token = await tokenOf(stage.url, demo.admin);
      const { version } = (await call(stage.url, 'GET', '/v1/admin/clinic', { token })).body.data;
      const body = { version, address: 'Jalan Baru 99' };
      assert.equal((await call(stage.url, 'PATCH', '/v1/admin/clinic', { token, body })).status, 200);
      const address = page.getByRole('textbox', { name: 'Alamat (opsional)' });
      const reread = page.waitForResponse(/\/v1\/admin\/clinic/);
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
      await reread;
      await until(async () => (await address.inputValue()) === 'Jalan Baru 99', 'the new address shows');
      for (const phone of ['+62 22 7654321', '+62 22 7654322']) {
        await page.getByLabel(/^Telepon/).fill(phone);
        await page.getByRole('button', { name: 'Simpan' }).click();
        await page.getByText('Tersimpan.').waitFor();
      }
      const saved = (await call(stage.url, 'GET', '/v1/clinic')).body.data;
      assert.deepEqual([saved.address, saved.phone], ['Jalan Baru 99', '+62 22 7654322']);
      await page.getByRole('button', { name: 'Hapus logo' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Simpan' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('Tersimpan.').waitFor();
      assert.equal((await call(stage.url, 'GET', '/v1/clinic')).body.data.logo, null);
      await assertClean(watched, stage.url, [failedWith(422)]);
      await watched.close();
    },
  },
  {
    name: 'schedules are read by the reception and, the own ones, by a doctor; letters are chosen by an admin',
    play: async (stage) => {
      for (const email of [demo.staff, demo.doctor]) {
        const watched = await enter(stage, email);
        const { page } = watched;
        await page.getByRole('link', { name: 'Jadwal praktik' }).click();
        await page.getByText(/^Seluruhnya \d+ slot/).waitFor();
        await page.getByText('Hanya admin yang dapat mengubah bagian ini.').waitFor();
        assert.equal(await page.getByRole('button', { name: /^Tambah jadwal/ }).count(), 0);
        assert.equal(await page.getByLabel('Dokter', { exact: true }).count(), email === demo.staff ? 1 : 0);
        await assertAccessible(page, `schedules of ${email}`);
        await shoot(stage, page, `konsol-jadwal-${email.split('@')[0]}`);
        await assertClean(watched, stage.url);
        await watched.close();
      }
      const watched = await enter(stage, demo.admin, '/konsol/dokter');
      const { page } = watched;
      await page
        .getByRole('button', { name: /^Ubah dr/ })
        .first()
        .focus();
      await page.keyboard.press('Enter');
      const letters = page.getByRole('form', { name: 'Huruf antrean' });
      await letters.getByLabel('Huruf', { exact: true }).fill('mw');
      await page.keyboard.press('Enter');
      await letters.getByText('Nomor berikutnya memakai MW.').waitFor();
      await assertAccessible(page, 'letters of a queue');
      await shoot(stage, page, 'konsol-huruf');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
