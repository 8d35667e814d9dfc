import assert from 'node:assert/strict';
import { loseFirstAnswer } from '../support/answers.ts';
import { assertClean, failedWith, untilHolds } from '../support/checks.ts';
import { bookFor, clinicDate, deskDoes, makePractice } from '../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, newPatient, tokenOf } from '../support/people.ts';
import { openPage, type Scenario, shoot } from '../support/stage.ts';
import { booked, confirmPath, fillLogin, openAs, slotOn } from './steps.ts';

export const bookingFlows: readonly Scenario[] = [
  {
    name: 'books from the search to the ticket, and logs in on the way',
    play: async (stage) => {
      const practice = await makePractice(stage.url);
      const person = await newPatient(stage.url);
      const watched = await openPage(stage);
      const { page } = watched;
      await page.goto(`${stage.url}/`);
      assert.equal(page.url(), `${stage.url}/pasien/`);
      await page.getByRole('link', { name: 'Cari dokter' }).click();
      await page.getByLabel('Nama dokter atau spesialisasi').fill(practice.name);
      await page.getByRole('link', { name: new RegExp(practice.name) }).click();
      await page.getByRole('heading', { name: /^Jam praktik/ }).waitFor();
      await shoot(stage, page, 'waktu');
      await page.locator('a[href*="/konfirmasi"]').last().click();
      await fillLogin(page, person);
      await page.getByLabel(/Catatan untuk dokter/).fill('Alergi penisilin');
      await page.getByRole('button', { name: 'Buat janji' }).click();
      await page.getByText(booked).waitFor();
      assert.match(page.url(), /\/pasien\/tiket\/[0-9a-f-]{36}$/);
      await page.getByText('Alergi penisilin').waitFor();
      const { body } = await call(stage.url, 'GET', '/v1/bookings/history', { token: person.token });
      assert.equal(body.data.length, 1);
      assert.equal(body.data[0].notes, 'Alergi penisilin');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a search and its field say the same: after the way back, and with a session pressed in mid-word',
    play: async (stage) => {
      const practice = await makePractice(stage.url);
      const watched = await openPage(stage);
      const { page } = watched;
      await page.goto(`${stage.url}/pasien/dokter`);
      const field = page.getByLabel('Nama dokter atau spesialisasi');
      const found = page.getByRole('link', { name: new RegExp(practice.name) });
      const any = page.getByText('Dokter mana saja');
      await any.waitFor();
      await page.getByRole('link', { name: practice.sessionName, exact: true }).click();
      await any.waitFor({ state: 'detached' });
      await field.fill(practice.name);
      await page.waitForURL(/[?&]q=/);
      await page.goBack();
      await any.waitFor();
      assert.equal(await field.inputValue(), '', 'all doctors are shown');
      await page.clock.install();
      await field.fill(practice.name);
      await page.getByRole('link', { name: practice.sessionName, exact: true }).click();
      await page.clock.runFor(1_000);
      await found.first().waitFor();
      const { searchParams } = new URL(page.url());
      assert.deepEqual(
        [searchParams.get('q'), searchParams.get('layanan')],
        [practice.name, practice.session],
      );
      assert.equal(await field.inputValue(), practice.name);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'books the soonest time with any doctor, who is named beside it, by keyboard',
    play: async (stage) => {
      const from = clinicDate(1);
      const { body: sessions } = await call(stage.url, 'GET', '/v1/sessions');
      const found: { id: string; slots: { doctor_id: string; doctor_name: string }[] }[] = [];
      for (const { id } of sessions.data) {
        const { body } = await call(stage.url, 'GET', `/v1/slots?from=${from}&session_id=${id}`);
        found.push({ id, slots: body.data });
      }
      const shared = found.find(({ slots }) => new Set(slots.map(({ doctor_id }) => doctor_id)).size > 1);
      assert.ok(shared !== undefined, 'The demo clinic has no session of two doctors.');
      const person = await newPatient(stage.url);
      const watched = await openAs(stage, person, `dokter?layanan=${shared.id}`);
      const { page } = watched;
      const first = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Paling awal' }).first();
      await first.getByText('Dokter mana saja').waitFor();
      await assertAccessibleInAllLooks(page, 'any doctor');
      await shoot(stage, page, 'dokter-mana-saja', true);
      await first.getByRole('link').press('Enter');
      await page.getByRole('heading', { name: /^Jam praktik/ }).waitFor();
      const time = page.locator('a[href*="/konfirmasi"]').last();
      await time.waitFor();
      await assertAccessibleInAllLooks(page, 'the times of any doctor');
      await shoot(stage, page, 'waktu-siapa-saja', true);
      const name = (await time.locator('span').first().innerText()).trim();
      assert.ok(
        shared.slots.some(({ doctor_name }) => doctor_name === name),
        `${name} is no doctor of the session`,
      );
      await time.press('Enter');
      await page.getByText(name).first().waitFor();
      await page.getByRole('button', { name: 'Buat janji' }).press('Enter');
      await page.getByText(booked).waitFor();
      await page.getByText(name).first().waitFor();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'registers while booking, and keeps the slot',
    play: async (stage) => {
      const practice = await makePractice(stage.url);
      const watched = await openPage(stage);
      const { page } = watched;
      await page.goto(`${stage.url}/pasien/${confirmPath(practice, await slotOn(stage.url, practice))}`);
      await page.getByRole('button', { name: 'Belum punya akun? Daftar' }).click();
      await page.getByLabel('Nama lengkap').fill('Wulan Hapsari');
      await page.getByLabel('Nomor ponsel').fill('0812-3456-7890');
      await page.getByLabel('Email').fill(`wulan-${Date.now()}@klinik.example`);
      await page.getByLabel('Kata sandi', { exact: true }).fill('kopi-susu-pagi-7');
      await page.getByLabel('Ulangi kata sandi', { exact: true }).fill('berbeda-sama-sekali');
      await page.getByRole('button', { name: 'Daftar', exact: true }).click();
      await page.getByRole('alert').waitFor();
      await untilHolds(page, `document.activeElement?.getAttribute('role') === 'alert'`);
      await page.getByLabel('Ulangi kata sandi', { exact: true }).fill('kopi-susu-pagi-7');
      await page.getByRole('button', { name: 'Daftar', exact: true }).click();
      await page.getByRole('button', { name: 'Buat janji' }).click();
      await page.getByText(booked).waitFor();
      await assertClean(watched, stage.url, [failedWith(422)]);
      await watched.close();
    },
  },
  {
    name: 'is told that the slot was just taken, and takes another one with the note kept',
    play: async (stage) => {
      const practice = await makePractice(stage.url);
      const person = await newPatient(stage.url);
      const other = await newPatient(stage.url);
      const slot = await slotOn(stage.url, practice);
      const watched = await openAs(stage, person, confirmPath(practice, slot));
      const { page } = watched;
      await page.getByLabel(/Catatan untuk dokter/).fill('Batuk tiga hari');
      await bookFor(stage.url, other.token, practice, slot);
      await page.getByRole('button', { name: 'Buat janji' }).click();
      const conflict = page.getByRole('alert').filter({ hasText: 'Jadwal ini baru saja terisi.' });
      await conflict.waitFor();
      await shoot(stage, page, 'konflik', true);
      assert.equal(await conflict.getByRole('listitem').count(), 3);
      await conflict.getByRole('link').first().click();
      await conflict.waitFor({ state: 'detached' });
      assert.equal(await page.getByLabel(/Catatan untuk dokter/).inputValue(), 'Batuk tiga hari');
      await page.getByRole('button', { name: 'Buat janji' }).click();
      await page.getByText(booked).waitFor();
      await assertClean(watched, stage.url, [failedWith(409)]);
      await watched.close();
    },
  },
  {
    name: 'is told before booking which limit keeps the time from them, and that visits they missed make it wait for approval',
    play: async (stage) => {
      const { url } = stage;
      const practice = await makePractice(url, 3, 'automatic');
      const token = await tokenOf(url, demo.admin);
      const path = `/v1/admin/sessions/${practice.session}`;
      const limit = async (body: object) =>
        assert.equal((await call(url, 'PATCH', path, { token, body })).status, 200);
      const person = await newPatient(url);
      await bookFor(url, person.token, practice, await slotOn(url, practice));
      const at = confirmPath(practice, await slotOn(url, practice, 4));
      const watched = await openAs(stage, person, at);
      const { page } = watched;
      await page.getByText('Janji ini langsung disetujui.').waitFor();
      for (const [limits, said, name] of [
        [{ max_per_day: 1 }, 'Batas per hari tercapai', 'sehari'],
        [{ max_per_day: null, min_days_between: 5 }, 'Terlalu dekat dengan janji lain', 'jarak'],
        [{ min_days_between: null, open_to: 'known' }, 'Hanya pasien lama', 'lama'],
      ] as const) {
        await limit(limits);
        await page.reload();
        await page.getByText(said).waitFor();
        assert.equal(await page.getByText('Janji ini langsung disetujui.').count(), 0);
        await assertAccessibleInAllLooks(page, `a limit before booking, ${name}`);
        await shoot(stage, page, `batas-${name}`, true);
      }
      // Pressed all the same, the service says it as a sentence.
      await page.getByRole('button', { name: 'Buat janji' }).click();
      await page.getByRole('alert').getByRole('link', { name: 'Lihat waktu lain' }).waitFor();
      await limit({ open_to: 'all' });
      // The clinic books the time that has begun, and the patient did not come.
      const today = clinicDate();
      const open = await call(url, 'GET', `/v1/doctors/${practice.doctor}/slots?from=${today}&to=${today}`, {
        token,
      });
      const [now] = open.body.data;
      assert.ok(now !== undefined, 'no slot is left today');
      const missed = await bookFor(url, token, practice, now, { patient_id: person.id });
      await deskDoes(url, missed.id, 'no-show');
      const rule = (approval_after_no_shows: number) =>
        call(url, 'PATCH', '/v1/admin/clinic', { token, body: { approval_after_no_shows } });
      assert.equal((await rule(1)).status, 200);
      try {
        await page.reload();
        await page.getByText('Karena beberapa kunjungan terlewat').waitFor();
        await assertAccessibleInAllLooks(page, 'missed visits, before booking');
        await shoot(stage, page, 'batas-terlewat', true);
        await page.evaluate(`localStorage.setItem('bahasa', 'en')`);
        await page.reload();
        await page.getByText('Since some visits were missed').waitFor();
        await page.getByRole('button', { name: 'Book', exact: true }).click();
        await page.getByText('Waiting for approval').first().waitFor();
      } finally {
        await rule(0);
      }
      await assertClean(watched, url, [failedWith(422)]);
      await watched.close();
    },
  },
  {
    name: 'is led to the booking that stands in the way',
    play: async (stage) => {
      const practice = await makePractice(stage.url, 5);
      const person = await newPatient(stage.url);
      const slot = await slotOn(stage.url, practice);
      const { id } = await bookFor(stage.url, person.token, practice, slot);
      const watched = await openAs(stage, person, confirmPath(practice, slot));
      const { page } = watched;
      await page.getByRole('button', { name: 'Buat janji' }).click();
      await page.getByRole('link', { name: 'Lihat janji itu' }).click();
      await page.waitForURL(`${stage.url}/pasien/tiket/${id}`);
      await assertClean(watched, stage.url, [failedWith(409)]);
      await watched.close();
    },
  },
  {
    name: 'books once where the answer was lost',
    play: async (stage) => {
      const practice = await makePractice(stage.url, 5);
      const person = await newPatient(stage.url);
      const watched = await openAs(stage, person, confirmPath(practice, await slotOn(stage.url, practice)));
      const { page } = watched;
      const keys = await loseFirstAnswer(page, '**/v1/bookings');
      await page.getByRole('button', { name: 'Buat janji' }).click();
      await page.getByText('Sedang memastikan').waitFor();
      // With another note it would be another request, and another booking.
      const note = page.getByLabel(/Catatan untuk dokter/);
      await note.focus();
      await page.keyboard.type('Batuk');
      assert.equal(await note.inputValue(), '');
      await page.getByText(booked).waitFor();
      assert.equal(keys.length, 2);
      assert.equal(keys[0], keys[1]);
      const { body } = await call(stage.url, 'GET', '/v1/bookings/history', { token: person.token });
      assert.equal(body.data.length, 1);
      await assertClean(watched, stage.url, [/ERR_CONNECTION_RESET/]);
      await watched.close();
    },
  },
  {
    name: 'goes to the first free day where the week is empty, and shows why days are closed',
    play: async (stage) => {
      const practice = await makePractice(stage.url);
      const watched = await openPage(stage);
      const { page } = watched;
      await page.goto(`${stage.url}/pasien/dokter/${practice.doctor}`);
      await page.getByRole('heading', { name: /^Jam praktik/ }).waitFor();
      const details = page.locator('details summary');
      if ((await details.count()) > 0) {
        await details.click();
        await page.getByText('Sudah lewat').first().waitFor();
      }
      await page.getByLabel('Tanggal lain').fill(clinicDate(20));
      await page.getByLabel('Tanggal lain').press('Enter');
      await page.getByText('48 kosong').first().waitFor();
      assert.match(page.url(), new RegExp(`tanggal=${clinicDate(20)}`));
      await page.reload();
      await page.getByText('48 kosong').first().waitFor();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
