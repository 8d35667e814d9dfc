import assert from 'node:assert/strict';
import { holdBack, loseFirstAnswer } from '../support/answers.ts';
import { assertClean, failedWith, untilFocused, untilHolds } from '../support/checks.ts';
import { bookFor, freeSlots, makePractice } from '../support/clinic.ts';
import { call, demo, newPatient, tokenOf } from '../support/people.ts';
import { type Scenario, shoot } from '../support/stage.ts';
import { dayOf, enter, expectedToday, rowOf, todayOf, until } from './steps.ts';

export const flows: readonly Scenario[] = [
  {
    name: 'a walk-in in two requests and less than twenty seconds, without the pointer',
    play: async (stage) => {
      const watched = await enter(stage);
      const { page } = watched;
      await page.keyboard.press('Control+b');
      await page.getByLabel('Nama atau telepon').waitFor();
      await page.locator('#jam input[type=radio]').first().waitFor();
      await untilHolds(page, `document.activeElement?.matches('input:not([type=radio])')`);
      const writes: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') writes.push(new URL(request.url()).pathname);
      });
      const began = Date.now();
      const type = (text: string) => page.keyboard.type(text, { delay: 60 });
      const name = `Wati Lestari ${began.toString(36)}`;
      await type(name);
      await page.getByText('Tidak ditemukan').waitFor();
      await page.keyboard.press('Enter');
      await type('081277889900');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await page.getByText('Tercatat', { exact: true }).waitFor();
      const took = (Date.now() - began) / 1000;
      assert.ok(took <= 20, `${took} s`);
      assert.deepEqual(writes, ['/v1/patients', '/v1/bookings']);
      const made = (await dayOf(stage.url)).find((one) => one.patient.name === name);
      assert.equal(made?.visit?.status, 'checked_in');
      await page.getByText(made?.queue_label ?? '').waitFor();
      await shoot(stage, page, 'konsol-datang-tercatat');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a walk-in whose answer was lost: pressed again, it is the same seat',
    play: async (stage) => {
      const watched = await enter(stage, demo.staff, '/konsol/datang');
      const { page } = watched;
      await page.locator('#jam input[type=radio]').first().waitFor();
      const name = `Rini Hartati ${Date.now().toString(36)}`;
      await page.getByLabel('Nama atau telepon').fill(name);
      // Before the search has answered.
      await page.keyboard.press('Enter');
      await untilHolds(page, `document.activeElement?.matches('input[type=tel]')`);
      await page.keyboard.type('081277665544');
      await page.keyboard.press('Enter');
      const keys = await loseFirstAnswer(page, '**/v1/bookings');
      await page.keyboard.press('Enter');
      await page.getByText('Layanan tidak dapat dihubungi').first().waitFor();
      // The times as they are now, with the own seat taken.
      const read = page.waitForResponse(/\/v1\/slots/);
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
      await read;
      await page.getByRole('button', { name: 'Buat & catat hadir' }).click();
      await page.getByText('Tercatat', { exact: true }).waitFor();
      assert.equal(keys.length, 2);
      assert.equal(keys[0], keys[1]);
      const made = (await dayOf(stage.url)).filter((one) => one.patient.name === name);
      assert.equal(made.length, 1);
      await watched.close();
    },
  },
  {
    name: 'a patient who is known: found by phone, one write',
    play: async (stage) => {
      const { patient } = await expectedToday(stage.url);
      const watched = await enter(stage, demo.staff, '/konsol/datang');
      const { page } = watched;
      await page.locator('#jam input[type=radio]').first().waitFor();
      const requests: string[] = [];
      page.on('request', (request) =>
        requests.push(`${request.method()} ${new URL(request.url()).pathname}`),
      );
      await page.getByLabel('Nama atau telepon').fill(patient.name);
      await page.getByText('1 pasien ditemukan').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('Pasien terpilih').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('Tercatat', { exact: true }).waitFor();
      assert.deepEqual(
        requests.filter((one) => one.startsWith('POST')),
        ['POST /v1/bookings'],
      );
      assert.equal(requests.filter((one) => one === 'GET /v1/patients').length, 1);
      await watched.close();
    },
  },
  {
    name: 'twenty who wait are approved without the pointer',
    play: async (stage) => {
      const practice = await makePractice(stage.url, 2);
      const date = new Date(Date.parse(await todayOf(stage.url)) + 86_400_000).toISOString().slice(0, 10);
      const slots = await freeSlots(stage.url, practice, date);
      const ids: string[] = [];
      for (let at = 0; at < 2; at++) {
        const { token } = await newPatient(stage.url);
        for (const slot of slots.slice(at * 10, at * 10 + 10))
          ids.push((await bookFor(stage.url, token, practice, slot)).id);
      }
      const watched = await enter(stage, demo.staff, '/konsol/persetujuan');
      const { page } = watched;
      await page.locator('tr[data-row]').nth(19).waitFor();
      await shoot(stage, page, 'konsol-persetujuan');
      let presses = 0;
      for (; presses < 80; presses++) {
        const name = await page.evaluate('document.activeElement?.getAttribute("aria-label") ?? ""');
        if (String(name).startsWith('Setujui:')) break;
        await page.keyboard.press('Tab');
      }
      const rows = page.locator('tr[data-row]');
      const all = await rows.count();
      for (let left = all; left > all - 20; left--) {
        await page.keyboard.press('Enter');
        await until(async () => (await rows.count()) < left, 'the row goes');
        await until(
          async () =>
            left === 1 ||
            String(
              await page.evaluate('document.activeElement?.getAttribute("aria-label") ?? ""'),
            ).startsWith('Setujui:'),
          'the next one has the focus',
        );
      }
      const token = await tokenOf(stage.url, demo.staff);
      const { body } = await call(
        stage.url,
        'GET',
        `/v1/bookings?from=${await todayOf(stage.url)}&to=${date}&status=waiting&limit=100`,
        { token },
      );
      const waiting = (body.data as { id: string }[]).filter(({ id }) => ids.includes(id));
      assert.ok(waiting.length <= all - 20, `${waiting.length} still wait`);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'two consoles on one patient: the second sees who and when, and loses nothing',
    play: async (stage) => {
      const booking = await expectedToday(stage.url);
      const first = await enter(stage, demo.staff);
      const second = await enter(stage, demo.admin);
      await rowOf(second.page, booking).waitFor();
      // The second one gets no news of it for a while.
      await second.page.route('**/v1/bookings/changes*', () => {});
      await second.page.waitForTimeout(100);
      await rowOf(second.page, booking)
        .getByRole('button', { name: booking.patient.name, exact: true })
        .click();
      await second.page.getByLabel('Catatan petugas').fill('Minta kursi roda');
      await rowOf(second.page, booking).locator('summary').click();
      await rowOf(second.page, booking).getByRole('button', { name: 'Batalkan janji' }).click();
      const dialog = second.page.getByRole('dialog');
      await dialog.getByLabel('Alasan').selectOption('Alasan lain');
      await dialog.getByLabel('Alasan lain').fill('Dokter pulang lebih cepat');
      await rowOf(first.page, booking)
        .getByRole('button', { name: /^Catat hadir/ })
        .click();
      await rowOf(first.page, booking)
        .getByText(/^Hadir/)
        .waitFor();
      await dialog.getByRole('button', { name: 'Batalkan janji' }).click();
      await dialog
        .getByText(/^Rina .* baru saja mengubah janji ini \(\d\d\.\d\d\)/)
        .first()
        .waitFor();
      await shoot(stage, second.page, 'konsol-dua-konsol');
      assert.equal(await dialog.getByLabel('Alasan lain').inputValue(), 'Dokter pulang lebih cepat');
      await dialog.getByRole('button', { name: 'Tidak jadi' }).click();
      await rowOf(second.page, booking)
        .getByText(/^Hadir/)
        .waitFor();
      assert.equal(await second.page.getByLabel('Catatan petugas').inputValue(), 'Minta kursi roda');
      assert.equal((await dayOf(stage.url)).find(({ id }) => id === booking.id)?.visit?.status, 'checked_in');
      await assertClean(first, stage.url);
      await assertClean(second, stage.url, [failedWith(409)]);
      await first.close();
      await second.close();
    },
  },
  {
    name: 'what others change arrives within five seconds, and is marked where it stands',
    play: async (stage) => {
      const booking = await expectedToday(stage.url);
      const watched = await enter(stage);
      const row = rowOf(watched.page, booking);
      await row.getByText('Disetujui').waitFor();
      const token = await tokenOf(stage.url, demo.admin);
      const began = Date.now();
      await call(stage.url, 'POST', `/v1/bookings/${booking.id}/check-in`, { token, body: {} });
      await row.getByText(/^Hadir/).waitFor({ timeout: 6_000 });
      assert.ok(Date.now() - began < 6_000);
      assert.match((await row.getAttribute('class')) ?? '', /marked/);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a call changes the public queue, and the focus stays',
    play: async (stage) => {
      const booking = await expectedToday(stage.url);
      const watched = await enter(stage);
      const { page } = watched;
      const row = rowOf(page, booking);
      await row.getByRole('button', { name: /^Catat hadir/ }).focus();
      await page.keyboard.press('Enter');
      await row.getByRole('button', { name: /^Panggil:/ }).waitFor();
      await untilFocused(page, `Panggil: ${booking.patient.name}`);
      const untilMore = () =>
        untilHolds(page, `/^Lainnya untuk/.test(document.activeElement?.getAttribute('aria-label') ?? '')`);
      await page.keyboard.press('Enter');
      await row.getByText(/^Dipanggil/).waitFor();
      const { body } = await call(
        stage.url,
        'GET',
        `/v1/queues?doctor_id=${booking.doctor_id}&session_id=${booking.session_id}`,
      );
      assert.equal(body.data[0].now.label, booking.queue_label);
      // Arrow keys reach the rest of the row.
      await page.keyboard.press('ArrowRight');
      await untilMore();
      await page.keyboard.press('Enter');
      await row.getByRole('button', { name: 'Panggil ulang' }).waitFor();
      await page.keyboard.press('Escape');
      await untilMore();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'what is typed and not saved is not closed by Esc, and a note is there again after another booking',
    play: async (stage) => {
      const booking = await expectedToday(stage.url);
      const other = await expectedToday(stage.url);
      const watched = await enter(stage);
      const { page } = watched;
      const open = ({ patient: { name }, ...of }: typeof booking) =>
        rowOf(page, of).getByRole('button', { name, exact: true }).click();
      const detail = page.getByRole('complementary');
      const note = detail.getByLabel('Catatan petugas');
      await open(booking);
      await note.fill('Minta kursi roda');
      await detail.getByText('Belum disimpan.').waitFor();
      await detail.getByRole('heading', { level: 2 }).focus();
      await page.keyboard.press('Escape');
      await untilHolds(page, `document.activeElement?.matches('textarea')`);
      await shoot(stage, page, 'konsol-catatan-belum-disimpan');
      await open(other);
      await detail.getByRole('heading', { name: other.patient.name }).waitFor();
      assert.equal(await note.inputValue(), '');
      await page.keyboard.press('Escape');
      await detail.getByRole('heading', { name: other.patient.name }).waitFor({ state: 'detached' });
      await open(booking);
      assert.equal(await note.inputValue(), 'Minta kursi roda');
      await detail.getByRole('button', { name: 'Simpan' }).click();
      await detail.getByText('Catatan tersimpan.').waitFor();
      await page.keyboard.press('Escape');
      await detail.getByRole('heading', { name: booking.patient.name }).waitFor({ state: 'detached' });
      const token = await tokenOf(stage.url, demo.staff);
      const { body } = await call(stage.url, 'GET', `/v1/bookings/${booking.id}`, { token });
      assert.equal(body.data.staff_notes, 'Minta kursi roda');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'an answer that was lost: pressed again, it is done once',
    play: async (stage) => {
      const booking = await expectedToday(stage.url);
      const watched = await enter(stage);
      const { page } = watched;
      const row = rowOf(page, booking);
      await row.waitFor();
      await page.route('**/v1/bookings/changes*', () => {});
      await loseFirstAnswer(page, '**/check-in');
      await row.getByRole('button', { name: /^Catat hadir/ }).click();
      await page.getByText('Layanan tidak dapat dihubungi').first().waitFor();
      await row.getByRole('button', { name: /^Catat hadir/ }).click();
      await row.getByText(/^Hadir/).waitFor();
      const token = await tokenOf(stage.url, demo.staff);
      const events = await call(stage.url, 'GET', `/v1/bookings/${booking.id}/events`, { token });
      const types = (events.body.data as { type: string }[]).map(({ type }) => type);
      assert.equal(types.filter((type) => type === 'booking.checked_in').length, 1);
      await watched.close();
    },
  },
  {
    name: 'another time: pressed in the grid, kept by the service',
    play: async (stage) => {
      const booking = await expectedToday(stage.url);
      const watched = await enter(stage, demo.staff, `/konsol/pindah/${booking.id}`);
      const { page } = watched;
      await page.locator('fieldset input[type=radio]').first().check();
      const status = page.locator('main section [role=status]');
      const before = (await status.innerText()).split(' → ')[0] ?? '';
      const letCome = await holdBack(page, `**/v1/bookings/${booking.id}`);
      await page.getByRole('button', { name: 'Pindahkan' }).click();
      await page.getByText(/^Janji dipindahkan ke/).waitFor();
      const [old = ''] = before.match(/\d\d\.\d\d, .*$/) ?? [];
      assert.ok(old !== '' && !(await status.innerText()).includes(old), `${before}: the new time is told`);
      await untilHolds(page, `document.activeElement?.matches('h1')`);
      letCome();
      await shoot(stage, page, 'konsol-pindah');
      const moved = (await dayOf(stage.url)).find(({ id }) => id === booking.id);
      assert.notEqual(`${moved?.starts_at} ${moved?.doctor_id}`, `${booking.starts_at} ${booking.doctor_id}`);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a patient is found, corrected, and given a claim code',
    play: async (stage) => {
      const { patient } = await expectedToday(stage.url);
      const watched = await enter(stage);
      const { page } = watched;
      await page.getByRole('link', { name: 'Pasien', exact: true }).click();
      await page.getByLabel(/^Nama, telepon/).fill(patient.name);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: patient.name }).click();
      await page.getByText('Perbaiki data').click();
      await page.getByLabel('Tanggal lahir').fill('1990-05-17');
      await page.getByRole('button', { name: 'Simpan' }).click();
      await page.getByText('Data tersimpan.').waitFor();
      await page.getByText('Kode klaim').click();
      await page.getByRole('button', { name: 'Buat kode' }).click();
      await page.getByText(/^Berlaku sampai/).waitFor();
      await shoot(stage, page, 'konsol-pasien');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
