import assert from 'node:assert/strict';
import { appCode } from '../../support/factors.ts';
import { loseFirstAnswer, refuse } from '../support/answers.ts';
import { assertAccessible, assertClean, failedWith, untilFocused, untilHolds } from '../support/checks.ts';
import { bookFor, clinicDate, deskDoes, freeSlots, makePractice } from '../support/clinic.ts';
import { named, pressByKeyboard, simulateDevice } from '../support/device.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, newPatient } from '../support/people.ts';
import { desk, openPage, type Scenario, shoot } from '../support/stage.ts';
import { fillLogin, goTo, openAs, takeUp } from './steps.ts';

export const accountFlows: readonly Scenario[] = [
  {
    name: 'stays logged in over a reload, and is logged out in every tab',
    play: async (stage) => {
      const watched = await openAs(stage, await newPatient(stage.url), 'akun');
      const { page, context } = watched;
      await page.reload();
      await page.getByRole('button', { name: 'Keluar' }).waitFor();
      const cookies = await context.cookies(stage.url);
      const login = cookies.find(({ name }) => name === '__Host-janji-pasien');
      assert.ok(login?.httpOnly && login.secure && login.sameSite === 'Strict', JSON.stringify(login));
      const other = await context.newPage();
      await other.goto(`${stage.url}/pasien/riwayat`);
      await other.getByText('Belum ada kunjungan.').waitFor();
      await page.getByRole('button', { name: 'Keluar' }).click();
      await page.getByText('Anda sudah keluar.').waitFor();
      await other.getByText('Silakan masuk untuk melihat halaman ini.').waitFor();
      assert.equal(
        (await context.cookies(stage.url)).some(({ name }) => name === '__Host-janji-pasien'),
        false,
      );
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a logout that no answer came to holds, and leaves nothing that was typed to the next person',
    play: async (stage) => {
      const practice = await makePractice(stage.url);
      const [slot] = await freeSlots(stage.url, practice, clinicDate(2));
      assert.ok(slot !== undefined);
      const query = new URLSearchParams({
        dokter: practice.doctor,
        layanan: practice.session,
        tanggal: slot.schedule_date,
        jam: slot.schedule_time.slice(0, 5),
      });
      const watched = await openAs(stage, await newPatient(stage.url), `konfirmasi?${query}`);
      const { page, context } = watched;
      const logOut = async (): Promise<void> => {
        await page.getByRole('link', { name: 'Akun' }).click();
        await page.getByRole('button', { name: 'Keluar' }).click();
        await page.getByText('Anda sudah keluar.').waitFor();
      };
      const note = page.getByLabel(/Catatan untuk dokter/);
      await note.fill('Batuk tiga hari');
      await page.route('**/v1/auth/session', (route) =>
        route.request().method() === 'DELETE' ? route.abort() : route.continue(),
      );
      await logOut();
      await page.goBack();
      await fillLogin(page, await newPatient(stage.url));
      assert.equal(await note.inputValue(), '');
      await logOut();
      const isHeld = async () =>
        (await context.cookies(stage.url)).some(({ name }) => name === '__Host-janji-pasien');
      await page.goto(`${stage.url}/pasien/akun`);
      await page.getByText('Silakan masuk untuk melihat halaman ini.').waitFor();
      assert.ok(await isHeld(), 'the service has heard nothing yet');
      await page.unroute('**/v1/auth/session');
      await page.reload();
      await page.getByText('Silakan masuk untuk melihat halaman ini.').waitFor();
      assert.equal(await isHeld(), false);
      await assertClean(watched, stage.url, [/ERR_FAILED/]);
      await watched.close();
    },
  },
  {
    name: 'that was ended elsewhere asks for the login again, on the same address',
    play: async (stage) => {
      const person = await newPatient(stage.url);
      const watched = await openAs(stage, person, 'keluarga');
      const { page } = watched;
      await page.getByText(person.name).waitFor();
      await call(stage.url, 'DELETE', '/v1/auth/devices', { token: person.token });
      await page.getByRole('link', { name: 'Riwayat' }).click();
      await page.getByText('Sesi Anda telah berakhir.').waitFor();
      await fillLogin(page, person);
      await page.getByText('Belum ada kunjungan.').waitFor();
      await assertClean(watched, stage.url, [failedWith(401)]);
      await watched.close();
    },
  },
  {
    name: 'a wrong password is told without blame, and nothing that was typed is lost',
    play: async (stage) => {
      const person = await newPatient(stage.url);
      const watched = await openAs(stage, person, 'akun');
      const { page } = watched;
      await page.getByRole('button', { name: 'Keluar' }).click();
      await page.goto(`${stage.url}/pasien/masuk`);
      await fillLogin(page, { ...person, password: 'salah-sekali-2026' });
      await page.getByText('Email atau kata sandi salah.').waitFor();
      assert.equal(await page.getByLabel('Email').inputValue(), person.email);
      await page.getByLabel('Kata sandi', { exact: true }).fill(person.password);
      await page.getByRole('button', { name: 'Masuk', exact: true }).click();
      await page.waitForURL(`${stage.url}/pasien/`);
      await assertClean(watched, stage.url, [failedWith(401)]);
      await watched.close();
    },
  },
  {
    name: 'says that the second step took too long, and asks for the password alone again',
    play: async (stage) => {
      const watched = await openPage(stage);
      const { page } = watched;
      const json = { status: 'error', message: 'Salah.', request_id: 'r-1' };
      const wanted = { ...json, code: 'second_factor_required', challenge: 'x', kinds: ['totp'] };
      await page.route('**/v1/auth/session', (route) => route.fulfill({ status: 401, json: wanted }));
      await refuse(page, '**/v1/auth/login/second-factor', 401, 'challenge_invalid');
      await page.goto(`${stage.url}/pasien/masuk`);
      await fillLogin(page, { email: 'siti@klinik.example', password: 'teh-manis-sore-8' });
      await page.getByLabel('Kode dari aplikasi autentikator').fill('123456');
      await page.getByRole('button', { name: 'Verifikasi' }).click();
      await page.getByText('Waktu untuk langkah kedua telah habis.').waitFor();
      assert.equal(await page.getByLabel('Email').inputValue(), 'siti@klinik.example');
      await untilHolds(page, `document.activeElement?.name === 'password'`);
      await assertClean(watched, stage.url, [failedWith(401)]);
      await watched.close();
    },
  },
  {
    name: 'makes a calendar address that is shown once, and ends it',
    play: async (stage) => {
      const watched = await openAs(stage, await newPatient(stage.url), 'akun');
      const { page } = watched;
      await page.getByRole('link', { name: 'Langganan kalender' }).click();
      await page.getByRole('button', { name: 'Buat alamat' }).press('Enter');
      const shown = page.getByText(/\/v1\/feeds\/[\w-]{32}\.ics$/);
      await shown.waitFor();
      const address = (await shown.textContent()) ?? '';
      assert.match(await (await fetch(address)).text(), /^BEGIN:VCALENDAR/);
      const webcal = address.replace(/^https?/, 'webcal');
      for (const [name, start] of [
        ['Google Calendar', `https://calendar.google.com/calendar/render?cid=${encodeURIComponent(webcal)}`],
        ['Outlook', `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}`],
      ] as const)
        assert.equal(await page.getByRole('link', { name }).getAttribute('href'), start);
      await shoot(stage, page, 'kalender');
      await page.reload();
      await page.getByText('Menyebut layanan, dokter dan nama keluarga').waitFor();
      assert.equal(await shown.count(), 0);
      await page.getByRole('button', { name: /^Hapus: / }).click();
      await page.getByText('Alamat ini tidak berlaku lagi.').waitFor();
      await untilFocused(page, 'Langganan kalender');
      assert.equal((await fetch(address)).status, 404);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'changes profile and password, and ends another device',
    play: async (stage) => {
      const person = await newPatient(stage.url);
      const watched = await openAs(stage, person, 'akun/profil');
      const { page } = watched;
      await page.getByLabel('Nama lengkap').fill('Siti Nurhaliza');
      await page.getByLabel('Nomor ponsel').fill('+62 813 0000 1111');
      await page.getByRole('button', { name: 'Simpan' }).click();
      await page.getByText('Tersimpan.').waitFor();
      const { body } = await call(stage.url, 'GET', '/v1/auth/profile', { token: person.token });
      assert.deepEqual([body.data.user.name, body.data.user.phone_number], ['Siti Nurhaliza', '81300001111']);
      await page.goto(`${stage.url}/pasien/akun/perangkat`);
      await page.getByText(/\(perangkat ini\)/).waitFor();
      await page
        .getByText(/^Terakhir dipakai hari ini, /)
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Keluarkan semua perangkat lain' }).click();
      await page.getByText('Perangkat lain sudah dikeluarkan.').waitFor();
      assert.equal((await call(stage.url, 'GET', '/v1/auth/profile', { token: person.token })).status, 401);
      await page.goto(`${stage.url}/pasien/akun/kata-sandi`);
      await page.getByLabel('Kata sandi sekarang', { exact: true }).fill(person.password);
      await page.getByLabel('Kata sandi baru', { exact: true }).fill('teh-manis-sore-8');
      await page.getByLabel('Ulangi kata sandi', { exact: true }).fill('teh-manis-sore-8');
      await page.getByRole('button', { name: 'Simpan' }).click();
      await page.getByText('Kata sandi sudah diganti.').waitFor();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'chooses which notices to get, by keyboard alone',
    play: async (stage) => {
      const person = await newPatient(stage.url);
      const watched = await openAs(stage, person, 'akun');
      const { page } = watched;
      await page.getByRole('link', { name: 'Pemberitahuan' }).focus();
      await page.keyboard.press('Enter');
      const byMail = page.getByRole('checkbox', { name: 'Email' });
      await byMail.focus();
      await page.keyboard.press('Space');
      await page.getByRole('checkbox', { name: 'Dokter terlambat' }).focus();
      await page.keyboard.press('Space');
      await page.getByLabel('Bahasa pemberitahuan').selectOption('en');
      await page.getByRole('button', { name: 'Simpan' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('Tersimpan.').waitFor();
      const { body } = await call(stage.url, 'GET', '/v1/auth/notices', { token: person.token });
      const { email, message, language, kinds } = body.data;
      assert.deepEqual([email, message, language, kinds.includes('delayed')], [false, true, 'en', false]);
      await page.reload();
      await byMail.waitFor();
      assert.equal(await byMail.isChecked(), false);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'sets a second factor up, and logs in with it',
    play: async (stage) => {
      const person = await newPatient(stage.url);
      const watched = await openAs(stage, person, 'akun/verifikasi');
      const { page } = watched;
      await page.getByRole('button', { name: 'Pakai aplikasi autentikator' }).click();
      await page.getByRole('img', { name: 'Kode QR untuk aplikasi autentikator' }).waitFor();
      await assertAccessible(page, 'pasien, authenticator app');
      await shoot(stage, page, 'pasien-autentikator', true);
      const secret = ((await page.locator('p[class*="mono"]').textContent()) ?? '').replaceAll(' ', '');
      await page.getByLabel('Kode dari aplikasi autentikator').fill(appCode(secret, Date.now()));
      await page.getByRole('button', { name: 'Verifikasi' }).click();
      await page.getByRole('heading', { name: 'Kode pemulihan' }).waitFor();
      const codes = await page.locator('ul[class*="codes"] li').allTextContents();
      assert.equal(codes.length, 10);
      await assertAccessible(page, 'pasien, recovery codes');
      await page.emulateMedia({ media: 'print' });
      assert.equal(await page.getByText(codes[9] ?? '').isVisible(), true);
      assert.equal(await page.getByRole('navigation').isVisible(), false);
      assert.equal(await page.getByRole('button', { name: 'Sudah saya simpan' }).isVisible(), false);
      await page.emulateMedia({ media: 'screen' });
      await page.getByRole('button', { name: 'Sudah saya simpan' }).click();
      await page.getByText('10 kode pemulihan tersisa.').waitFor();
      await page.goto(`${stage.url}/pasien/akun`);
      await page.getByRole('button', { name: 'Keluar' }).click();
      await page.getByText('Anda sudah keluar.').waitFor();
      await page.goto(`${stage.url}/pasien/masuk`);
      await fillLogin(page, person);
      await page.getByRole('button', { name: 'Pakai kode pemulihan' }).click();
      await page.getByLabel('Kode pemulihan').fill(codes[0] ?? '');
      await page.getByRole('button', { name: 'Verifikasi' }).click();
      await page.waitForURL(`${stage.url}/pasien/`);
      await page.goto(`${stage.url}/pasien/akun/verifikasi`);
      await page.getByText('9 kode pemulihan tersisa.').waitFor();
      await page.getByRole('button', { name: 'Hapus: Aplikasi autentikator' }).click();
      await page.getByRole('dialog').getByText('Ini yang terakhir.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Hapus' }).click();
      await page.getByText('Belum aktif').waitFor();
      await untilHolds(page, `/^Belum aktif/.test(document.activeElement?.innerText ?? '')`);
      await assertClean(watched, stage.url, [failedWith(401)]);
      await watched.close();
    },
  },
  {
    name: 'makes a passkey, logs in by it, and takes it away, by the keyboard alone',
    play: async (stage) => {
      const person = await newPatient(stage.url);
      const url = named(stage.url);
      const watched = await openPage(stage);
      const { page } = watched;
      await simulateDevice(page);
      await page.goto(`${url}/pasien/masuk`);
      await fillLogin(page, person);
      await page.waitForURL(`${url}/pasien/`);
      await page.goto(`${url}/pasien/akun/verifikasi`);
      await page.getByRole('button', { name: 'Tambah kunci sandi' }).waitFor();
      await pressByKeyboard(page, 'Tambah kunci sandi');
      await page.getByLabel('Nama kunci sandi').focus();
      await page.keyboard.type('Ponsel Siti');
      await assertAccessible(page, 'pasien, new passkey');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Kode pemulihan' }).waitFor();
      await pressByKeyboard(page, 'Sudah saya simpan');
      await page.getByText('Ponsel Siti').waitFor();
      // A target that has scrolled under the bar is not checked there.
      await page.evaluate('scrollTo(0, 0)');
      await assertAccessible(page, 'pasien, factors');
      await shoot(stage, page, 'pasien-verifikasi', true);
      await page.goto(`${url}/pasien/akun`);
      await page.getByRole('button', { name: 'Keluar' }).click();
      await page.getByText('Anda sudah keluar.').waitFor();
      await page.goto(`${url}/pasien/masuk`);
      await fillLogin(page, person);
      await page.getByRole('button', { name: 'Pakai kunci sandi' }).waitFor();
      await assertAccessible(page, 'pasien, second step');
      await pressByKeyboard(page, 'Pakai kunci sandi');
      await page.waitForURL(`${url}/pasien/`);
      await page.goto(`${url}/pasien/akun/verifikasi`);
      await page.getByText('Ponsel Siti').waitFor();
      await pressByKeyboard(page, 'Tambah kunci sandi');
      await page.getByLabel('Nama kunci sandi').focus();
      await page.keyboard.press('Enter');
      await page.getByText('Perangkat ini sudah punya kunci sandi untuk akun Anda.').waitFor();
      await pressByKeyboard(page, 'Batal');
      await pressByKeyboard(page, 'Hapus: Ponsel Siti');
      await page.getByRole('dialog').waitFor();
      await pressByKeyboard(page, 'Hapus');
      await page.getByText('Belum aktif').waitFor();
      await assertClean(watched, url, [failedWith(401)]);
      await watched.close();
    },
  },
  {
    name: 'adds one of the family, books for nobody else, and lets them go',
    play: async (stage) => {
      const person = await newPatient(stage.url);
      const watched = await openAs(stage, person, 'keluarga');
      const { page } = watched;
      await page.getByRole('button', { name: 'Tambah anggota keluarga' }).click();
      await page.getByLabel('Nama lengkap').fill('Kirana Rahayu');
      await page.getByLabel('Tanggal lahir').first().fill('2019-04-23');
      await page.getByRole('button', { name: 'Tambahkan' }).click();
      await page.getByText('Anggota keluarga ditambahkan.').waitFor();
      await untilFocused(page, 'Keluarga');
      await page.getByText('anak · Selasa, 23 April 2019').waitFor();
      await page.getByRole('button', { name: 'Hapus dari keluarga: Kirana Rahayu' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Hapus dari keluarga' }).click();
      await page.getByText('Sudah dihapus dari keluarga.').waitFor();
      await page.getByText('Kirana Rahayu').waitFor({ state: 'detached' });
      await untilFocused(page, 'Keluarga');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'adds one of the family once where the first answer was lost, whatever is corrected in between',
    play: async (stage) => {
      const person = await newPatient(stage.url);
      const watched = await openAs(stage, person, 'keluarga');
      const { page } = watched;
      await page.getByRole('button', { name: 'Tambah anggota keluarga' }).click();
      await page.getByLabel('Nama lengkap').fill('Kirana Rahyu');
      await page.getByLabel('Tanggal lahir').first().fill('2019-04-23');
      const add = page.getByRole('button', { name: 'Tambahkan' });
      const keys = await loseFirstAnswer(page, /\/v1\/family$/);
      await add.click();
      await page.getByText(/^Layanan tidak dapat dihubungi/).waitFor();
      await page.getByLabel('Nama lengkap').fill('Kirana Rahayu');
      await add.click();
      await page.getByText(/^Permintaan sebelumnya sudah dikerjakan, dengan isian yang lain/).waitFor();
      await page.getByRole('button', { name: 'Ubah data: Kirana Rahyu' }).waitFor();
      assert.deepEqual([keys.length, keys[0]], [2, keys[1]]);
      const { body } = await call(stage.url, 'GET', '/v1/family', { token: person.token });
      assert.equal(body.data.length, 2);
      await assertClean(watched, stage.url, [failedWith(422), /ERR_CONNECTION_RESET/]);
      await watched.close();
    },
  },
  {
    name: 'corrects one of the family and the own record, by keyboard alone, in both languages',
    play: async (stage) => {
      const person = await newPatient(stage.url);
      const { token } = person;
      const child = { name: 'Kirana Rahayu', birth_date: '2019-04-23', relation: 'child' };
      await call(stage.url, 'POST', '/v1/family', { token, body: child });
      const watched = await openAs(stage, person, 'keluarga');
      const { page } = watched;
      const read = async () => (await call(stage.url, 'GET', '/v1/family', { token })).body.data;
      const write = async (field: string | RegExp, text: string): Promise<void> => {
        await page.getByLabel(field, { exact: true }).first().focus();
        await page.keyboard.press('Control+A');
        await page.keyboard.type(text);
      };
      await page.getByText('Kirana Rahayu').waitFor();
      await shoot(stage, page, 'keluarga', true);
      await goTo(page, /^Ubah data: Kirana/);
      await untilFocused(page, 'Ubah data Kirana Rahayu');
      await assertAccessibleInAllLooks(page, 'a member of the family is corrected');
      await write('Nama lengkap', 'Kirana Ayu Rahayu');
      await page.getByLabel('Hubungan').first().selectOption('sibling');
      await write('Tanggal lahir', '24/04/2019');
      await page.getByLabel('Jenis kelamin').selectOption('female');
      await write('Nomor ponsel', '0812 9999 0000');
      await write('NIK', '3171234567890001');
      await page.keyboard.press('Enter');
      await page.getByText('Tersimpan.').waitFor();
      await untilFocused(page, 'Keluarga');
      const [, kirana] = await read();
      assert.deepEqual(
        [
          kirana.name,
          kirana.relation,
          kirana.birth_date,
          kirana.sex,
          kirana.phone_number,
          kirana.national_id,
        ],
        ['Kirana Ayu Rahayu', 'sibling', '2019-04-24', 'female', '81299990000', '3171••••••••0001'],
      );
      // What was left alone, or emptied in passing, stays.
      await goTo(page, /^Ubah data: Kirana/);
      await page.getByText('Sekarang 3171••••••••0001.').waitFor();
      await shoot(stage, page, 'keluarga-ubah', true);
      await write('Alamat', 'Jalan Melati 7');
      await goTo(page, /^Simpan$/);
      await page.getByText(/^saudara · /).waitFor();
      const [, after] = await read();
      assert.deepEqual(
        [after.address, after.national_id, after.name],
        ['Jalan Melati 7', '3171••••••••0001', 'Kirana Ayu Rahayu'],
      );
      await goTo(page, /^Ubah data: Kirana/);
      await goTo(page, /^Batal$/);
      await untilFocused(page, 'Keluarga');

      await page.evaluate(`localStorage.setItem('bahasa', 'en')`);
      await page.reload();
      await page.getByRole('button', { name: 'Change the data: Siti' }).waitFor();
      await goTo(page, /^Change the data: Siti/);
      await untilFocused(page, 'Change the data of Siti Rahayu');
      await assertAccessibleInAllLooks(page, 'the own record is corrected');
      await page.setViewportSize(desk);
      await shoot(stage, page, 'keluarga-ubah-en', true);
      assert.equal(await page.getByLabel('Full name').count(), 0, 'the name is that of the account');
      await write('Insurance card (BPJS)', '12');
      await page.keyboard.press('Enter');
      await page.locator('[aria-invalid="true"]').waitFor();
      await write('Insurance card (BPJS)', '0001234567890');
      await page.keyboard.press('Enter');
      await page.getByText('Saved.').waitFor();
      assert.equal((await read())[0].insurance_number, '0001•••••7890');

      const practice = await makePractice(stage.url, 1, 'automatic');
      const [slot] = await freeSlots(stage.url, practice, clinicDate());
      assert.ok(slot !== undefined);
      const { id } = await bookFor(stage.url, token, practice, slot, { patient_id: after.id });
      await deskDoes(stage.url, id, 'check-in');
      await goTo(page, /^Change the data: Kirana/);
      await write('Date of birth', '25/04/2019');
      await page.keyboard.press('Enter');
      await page.getByText('Once a patient has visited, only the clinic can change').waitFor();
      await write('Date of birth', '24/04/2019');
      await write('Full name', 'Kirana Ayu');
      await page.keyboard.press('Enter');
      await page.getByText('Saved.').waitFor();
      assert.equal(
        (await read())[1].name,
        'Kirana Ayu',
        'what the clinic alone may change is not sent along',
      );
      await assertClean(watched, stage.url, [failedWith(409, 422)]);
      await watched.close();
    },
  },
  {
    name: 'chooses notices without taking back what another device chose',
    play: async (stage) => {
      const person = await newPatient(stage.url);
      const { token } = person;
      const watched = await openAs(stage, person, 'akun');
      const { page } = watched;
      await page.getByRole('link', { name: 'Pemberitahuan' }).click();
      const late = page.getByLabel('Dokter terlambat');
      await late.uncheck();
      assert.ok(await page.getByLabel('Janji disetujui').isChecked());
      const body = { email: false, kinds: ['delayed'] };
      await call(stage.url, 'PATCH', '/v1/auth/notices', { token, body });
      await takeUp(page);
      await untilHolds(page, `document.querySelectorAll('input:checked').length === 1`);
      await page.getByRole('button', { name: 'Simpan' }).click();
      await page.getByText('Tersimpan.').waitFor();
      const { data } = (await call(stage.url, 'GET', '/v1/auth/notices', { token })).body;
      assert.deepEqual([data.email, data.message, data.kinds], [false, true, []]);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'speaks English when asked to, and shows itself dark',
    play: async (stage) => {
      const watched = await openAs(stage, await newPatient(stage.url), 'akun');
      const { page } = watched;
      await page.getByLabel('Bahasa', { exact: true }).selectOption('en');
      await page.getByRole('button', { name: 'Log out' }).waitFor();
      assert.equal(await page.evaluate('document.documentElement.lang'), 'en');
      await page.getByLabel('Appearance', { exact: true }).selectOption('dark');
      await page.reload();
      await page.getByRole('button', { name: 'Log out' }).waitFor();
      assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'dark');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'asks for a way to a new password, and refuses a link that was used',
    play: async (stage) => {
      const person = await newPatient(stage.url);
      const watched = await openAs(stage, person, 'lupa-sandi');
      const { page } = watched;
      await page.getByLabel('Email').fill(person.email);
      await page.getByRole('button', { name: 'Kirim' }).click();
      await page.getByText('Bila email itu terdaftar').waitFor();
      await page.goto(`${stage.url}/pasien/atur-ulang#token=${'x'.repeat(43)}`);
      await page.getByLabel('Kata sandi baru', { exact: true }).fill('teh-manis-sore-8');
      assert.equal(await page.evaluate('location.hash'), '', 'the token is gone from the address');
      await page.getByLabel('Ulangi kata sandi', { exact: true }).fill('teh-manis-sore-8');
      await page.getByRole('button', { name: 'Simpan' }).click();
      await page.getByRole('link', { name: 'Minta tautan baru' }).waitFor();
      await page.goto(`${stage.url}/pasien/atur-ulang#token=${'y'.repeat(43)}`);
      await page.getByRole('link', { name: 'Minta tautan baru' }).waitFor({ state: 'detached' });
      assert.equal(await page.evaluate('location.hash'), '', 'another link in the same tab is taken, too');
      await assertClean(watched, stage.url, [failedWith(422)]);
      await watched.close();
    },
  },
];
