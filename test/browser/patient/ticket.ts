import assert from 'node:assert/strict';
import {
  assertAccessible,
  assertClean,
  assertReflowsWhenLarge,
  failedWith,
  untilFocused,
  untilHolds,
} from '../support/checks.ts';
import { bookFor, clinicDate, deskDoes, freeSlots, makePractice, settings } from '../support/clinic.ts';
import { assertKeepsMeaning } from '../support/forced-colors.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, newPatient, tokenOf } from '../support/people.ts';
import { desk, openPage, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { openAs, takeUp } from './steps.ts';

/** Three people at one doctor today: the last of them is whose ticket is looked at. */
const queueOfThree = async ({ url }: Stage) => {
  const practice = await makePractice(url, 5);
  const people = [await newPatient(url), await newPatient(url), await newPatient(url)];
  // Not the first: it may begin before the last of the three has booked it.
  const [earlier, slot] = (await freeSlots(url, practice, clinicDate())).slice(1);
  assert.ok(earlier !== undefined && slot !== undefined, 'no slot is left today');
  const ids: string[] = [];
  for (const { token } of people) ids.push((await bookFor(url, token, practice, slot)).id);
  for (const id of ids) await deskDoes(url, id, 'approve');
  const person = people[2];
  const id = ids[2];
  assert.ok(person !== undefined && id !== undefined);
  return { practice, ids, person, id, earlier };
};

const bookedFor = async (stage: Stage, daysAhead = 3) => {
  const practice = await makePractice(stage.url);
  const person = await newPatient(stage.url);
  const slots = await freeSlots(stage.url, practice, clinicDate(daysAhead));
  const slot = slots[20];
  assert.ok(slot !== undefined);
  const { id } = await bookFor(stage.url, person.token, practice, slot);
  return { practice, person, id, slots };
};

export const ticketFlows: readonly Scenario[] = [
  {
    waits: true,
    name: 'the ticket moves with the queue, up to the call',
    play: async (stage) => {
      const { ids, person, id } = await queueOfThree(stage);
      const watched = await openAs(stage, person);
      const { page } = watched;
      // From here on with its own face, which a first visit does not wait for.
      await page.evaluate('document.fonts.ready.then(() => true)');
      const answered = page.waitForResponse('**/v1/queues?*');
      await page.reload();
      await page.getByText('2 orang di depan Anda').waitFor();
      // Nothing that the browser cached earlier is shown as the present state.
      const { 'cache-control': asked } = await (await answered).request().allHeaders();
      assert.equal(asked, 'max-age=0');
      await page.evaluate('window.vibrated = 0; navigator.vibrate = () => { vibrated += 1; return true; }');
      for (const each of ids) await deskDoes(stage.url, each, 'check-in');
      await deskDoes(stage.url, ids[0] ?? '', 'call');
      // By itself, within five seconds or so.
      await page.getByText('1 orang di depan Anda').waitFor({ timeout: 15_000 });
      await page.getByText('Dipanggil sekarang').waitFor();
      await shoot(stage, page, 'tiket-antre');
      assert.ok((await assertKeepsMeaning(page, 'the queue')).painted >= 1);
      await page.emulateMedia({ colorScheme: 'dark' });
      await shoot(stage, page, 'tiket-antre-gelap');
      await page.emulateMedia({ colorScheme: 'light' });
      const bottom = await page.getByRole('link', { name: 'Buat janji temu' }).boundingBox();
      const nav = await page.getByRole('navigation').boundingBox();
      assert.ok(
        bottom !== null && nav !== null && bottom.y + bottom.height <= nav.y,
        'all of it without scrolling',
      );
      await deskDoes(stage.url, ids[0] ?? '', 'complete');
      await deskDoes(stage.url, ids[1] ?? '', 'cancel');
      await takeUp(page);
      // Half an hour or more before the visit: that nobody is ahead does not make the call near.
      await page.getByText('Tidak ada orang di depan Anda').first().waitFor({ timeout: 15_000 });
      assert.equal(await page.getByText('Anda berikutnya').count(), 0);
      await deskDoes(stage.url, id, 'call');
      await takeUp(page);
      await page.getByText('Anda dipanggil').first().waitFor({ timeout: 15_000 });
      await page.getByText('Silakan menuju Poli 9.').first().waitFor();
      await shoot(stage, page, 'tiket-dipanggil');
      const said = page.getByRole('status').getByText('Anda dipanggil. Silakan menuju Poli 9.');
      await said.waitFor();
      const before = await said.elementHandle();
      // Called again, it is announced again: the announced text is different.
      await deskDoes(stage.url, id, 'call');
      await takeUp(page);
      await untilHolds(page, 'vibrated === 2', 10_000);
      assert.equal(await before?.evaluate((e) => e.isConnected), false);
      await said.waitFor();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a phone whose clock is wrong by days shows the day and the time of the clinic',
    play: async (stage) => {
      const practice = await makePractice(stage.url);
      const person = await newPatient(stage.url);
      const [, slot] = await freeSlots(stage.url, practice, clinicDate());
      assert.ok(slot !== undefined, 'no slot is left today');
      await bookFor(stage.url, person.token, practice, slot);
      for (const days of [-2, 3]) {
        const watched = await openAs(stage, person);
        const { page } = watched;
        await page.clock.setSystemTime(Date.now() + days * 86_400_000);
        await page.reload();
        const today = page.getByText(/^Hari ini/).first();
        await today.waitFor();
        await page.getByText(`dr. ${practice.name}`).first().waitFor();
        await shoot(stage, page, `jam-salah-${days}`);
        await assertClean(watched, stage.url);
        await watched.close();
      }
    },
  },
  {
    name: 'the ticket says why others come before',
    play: async (stage) => {
      const { ids, person, id, practice, earlier } = await queueOfThree(stage);
      const watched = await openAs(stage, person);
      const { page } = watched;
      await page.getByText('2 orang di depan Anda').waitFor();
      const why = page.getByText(/^Posisi Anda mundur/);
      assert.equal(await why.count(), 0);
      const other = await newPatient(stage.url);
      const came = await bookFor(stage.url, other.token, practice, earlier);
      await deskDoes(stage.url, came.id, 'approve');
      await takeUp(page);
      await page.getByText('3 orang di depan Anda').first().waitFor();
      await why.first().waitFor();
      await shoot(stage, page, 'tiket-mundur');
      await assertAccessible(page, 'a ticket that went back');
      await deskDoes(stage.url, ids[0] ?? '', 'cancel');
      await takeUp(page);
      await page.getByText('2 orang di depan Anda').first().waitFor();
      await why.first().waitFor({ state: 'detached' });
      assert.notEqual(id, came.id);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'is printed without what can be pressed',
    play: async (stage) => {
      const { person, id, practice } = await bookedFor(stage);
      const watched = await openAs(stage, person, `tiket/${id}`);
      const { page } = watched;
      await page.getByRole('button', { name: 'Cetak' }).waitFor();
      await page.emulateMedia({ media: 'print' });
      for (const gone of ['Cetak', 'Batalkan', 'Simpan ke kalender'])
        assert.equal(await page.getByRole('button', { name: gone }).isVisible(), false, gone);
      assert.equal(await page.getByRole('link', { name: 'Kembali' }).isVisible(), false);
      assert.equal(await page.getByRole('link', { name: 'Ubah jadwal' }).isVisible(), false);
      assert.equal(await page.locator('main :is(a, button):visible').count(), 0);
      assert.ok(await page.getByText(`dr. ${practice.name}`).isVisible());
      assert.ok(await page.getByText(person.name).isVisible());
      await shoot(stage, page, 'tiket-cetak', true);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'shows the booking code as a QR code from the approval until the check-in, on paper too',
    play: async (stage) => {
      const { person, id } = await bookedFor(stage, 0);
      // From the first page, where the same ticket has no room for it.
      const watched = await openAs(stage, person);
      const { page } = watched;
      await page.getByRole('link', { name: /^Buka tiket/ }).press('Enter');
      await page.waitForURL(`${stage.url}/pasien/tiket/${id}`);
      const code = (await call(stage.url, 'GET', `/v1/bookings/${id}`, { token: person.token })).body.data
        .booking_code as string;
      const square = page.getByRole('img', { name: `Kode QR dari ${code}` });
      await page.getByRole('button', { name: 'Cetak' }).waitFor();
      // Its words are there with the ticket; the picture comes a moment later.
      const hint = page.getByText('Tunjukkan kode ini saat datang.');
      assert.equal(await hint.count(), 0, 'it waits for approval');
      await deskDoes(stage.url, id, 'approve');
      await page.reload();
      await square.waitFor();
      await assertAccessibleInAllLooks(page, 'a ticket with its QR code');
      await assertReflowsWhenLarge(page, 'a ticket with its QR code');
      await shoot(stage, page, 'tiket-qr', true);
      await page.emulateMedia({ media: 'print' });
      assert.ok(await square.isVisible());
      await page.emulateMedia({ media: null });
      await deskDoes(stage.url, id, 'check-in');
      await page.reload();
      await page.getByRole('button', { name: 'Cetak' }).waitFor();
      assert.equal(await hint.count(), 0, 'the patient is here');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'of a visit that nobody confirmed says who has its seat, and not that the clinic did not approve it',
    isOfNode: true,
    play: async (stage) => {
      const { person, id } = await bookedFor(stage);
      const watched = await openAs(stage, person);
      const { page } = watched;
      // The job that releases such seats has tests of its own.
      await page.route(`**/v1/bookings/${id}`, async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        const at = new Date().toISOString();
        Object.assign(json.data, {
          status: 'canceled',
          cancellation: { by: 'system', reason_code: 'unconfirmed', reason: null, at },
        });
        await route.fulfill({ response, json });
      });
      await page.goto(`${stage.url}/pasien/tiket/${id}`);
      await page.getByText(/^Kehadiran belum dipastikan, sehingga tempatnya diberikan/).waitFor();
      assert.equal(await page.getByText('Tidak disetujui sampai waktunya').count(), 0);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a delay that the doctor tells is on the ticket',
    play: async (stage) => {
      const { practice, person } = await queueOfThree(stage);
      const token = await tokenOf(stage.url, demo.staff);
      const body = { date: clinicDate(), delay_minutes: 40, message: 'Dokter masih menangani pasien gawat.' };
      await call(stage.url, 'PUT', `/v1/doctors/${practice.doctor}/notice`, { token, body });
      const watched = await openAs(stage, person);
      const { page } = watched;
      await page.getByText('terlambat sekitar 40 menit').waitFor();
      await page.getByText('Dokter masih menangani pasien gawat.').waitFor();
      await shoot(stage, page, 'tiket-terlambat', true);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'is moved to another time, with the old one on top',
    play: async (stage) => {
      const { person, id } = await bookedFor(stage);
      const watched = await openAs(stage, person, `tiket/${id}`);
      const { page } = watched;
      await page.getByRole('link', { name: 'Ubah jadwal' }).click();
      await page.getByText('Jadwal sekarang').waitFor();
      await page.locator('a[href*="jam="]').last().click();
      await page.getByText('Jadwal lama dilepas begitu jadwal baru didapat').waitFor();
      await shoot(stage, page, 'ubah-jadwal', true);
      await page.getByRole('button', { name: 'Ya, ubah jadwal' }).click();
      await page.getByText('Jadwal sudah diubah.').waitFor();
      const { body } = await call(stage.url, 'GET', `/v1/bookings/${id}`, { token: person.token });
      assert.equal(body.data.schedule_time, '23:30:00');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'is canceled after a question whose harmless answer has the focus',
    play: async (stage) => {
      const { person, id } = await bookedFor(stage);
      const watched = await openAs(stage, person, `tiket/${id}`);
      const { page } = watched;
      await page.getByRole('button', { name: 'Batalkan' }).click();
      await page.getByRole('dialog').waitFor();
      await untilFocused(page, 'Tidak, pertahankan');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await untilFocused(page, 'Batalkan');
      await page.getByRole('button', { name: 'Batalkan' }).click();
      await page.getByLabel(/Alasan/).fill('Sudah sembuh');
      for (let times = 0; times < 3; times++) await page.keyboard.press('Escape');
      await page.getByText('Isian belum disimpan.').waitFor();
      assert.equal(await page.getByLabel(/Alasan/).inputValue(), 'Sudah sembuh');
      await page.getByRole('button', { name: 'Ya, batalkan' }).click();
      await page.getByText('Janji sudah dibatalkan.').waitFor();
      await page.getByText('Dibatalkan oleh Anda. Alasan: Sudah sembuh').waitFor();
      await untilFocused(page, 'Tiket antrean');
      await page.goto(`${stage.url}/pasien/riwayat`);
      await page.getByText('Dibatalkan oleh Anda').waitFor();
      await page.getByRole('link', { name: /^Buat janji lagi/ }).waitFor();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'is not lost with what was typed when the phone goes back: once by its gesture, at once, and by the button',
    isOfNode: true,
    play: async (stage) => {
      const { person, id } = await bookedFor(stage);
      const watched = await openAs(stage, person);
      const { page } = watched;
      await page.locator(`a[href$="/tiket/${id}"]`).first().click();
      await page.getByRole('button', { name: 'Batalkan' }).click();
      // A gesture for back asks the dialog to close, and closes it the second time; nothing was typed yet.
      const dialog = page.locator('dialog');
      for (const gesture of ['requestClose', 'close']) {
        await dialog.evaluate(
          (element, name) => (element as never as Record<string, () => void>)[name]?.(),
          gesture,
        );
        await dialog.waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Batalkan' }).click();
      }
      const reason = page.getByLabel(/Alasan/);
      await reason.fill('Sudah sembuh');
      for (const gesture of ['requestClose', 'close']) {
        await dialog.evaluate(
          (element, name) => (element as never as Record<string, () => void>)[name]?.(),
          gesture,
        );
        await dialog.getByText('Isian belum disimpan.').waitFor();
        await reason.waitFor();
        assert.equal(await reason.inputValue(), 'Sudah sembuh');
      }
      await reason.press('End');
      await page.evaluate('history.back()');
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      assert.equal(await reason.inputValue(), 'Sudah sembuh');
      await page.getByRole('button', { name: 'Tidak, pertahankan' }).click();
      await dialog.waitFor({ state: 'detached' });
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'that the desk changed in the meantime shows how it stands now',
    play: async (stage) => {
      const { person, id } = await bookedFor(stage);
      const watched = await openAs(stage, person, `tiket/${id}`);
      const { page } = watched;
      await page.getByRole('button', { name: 'Batalkan' }).click();
      await deskDoes(stage.url, id, 'approve');
      await page.getByRole('button', { name: 'Ya, batalkan' }).click();
      await page.getByText('Janji ini baru saja diubah.').waitFor();
      await page.getByText('Disetujui', { exact: true }).waitFor();
      await assertClean(watched, stage.url, [failedWith(409)]);
      await watched.close();
    },
  },
  {
    name: 'is saved to the calendar',
    play: async (stage) => {
      const { person, id } = await bookedFor(stage);
      const watched = await openAs(stage, person, `tiket/${id}`);
      const { page } = watched;
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: /Kalender/i }).click();
      assert.match((await saved).suggestedFilename(), /^janji-[0-9A-Z]{8}\.ics$/);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'stays on the phone without a connection, without names, and goes with the logout',
    play: async (stage) => {
      const { person, id, practice } = await bookedFor(stage);
      const watched = await openAs(stage, person, `tiket/${id}`, { serviceWorkers: 'allow' });
      const { page, context } = watched;
      await page.getByText(`dr. ${practice.name}`).first().waitFor();
      await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
      await page.goto(`${stage.url}/pasien/`);
      await page.getByText(`dr. ${practice.name}`).first().waitFor();
      await context.setOffline(true);
      await page.goto(`${stage.url}/pasien/`);
      await page
        .getByText(/Tidak ada sambungan\./)
        .first()
        .waitFor();
      await page.getByText(`dr. ${practice.name}`).first().waitFor();
      await shoot(stage, page, 'tanpa-sambungan');
      const kept = (await page.evaluate(`new Promise((done) => {
        const opened = indexedDB.open('keyval-store');
        opened.onsuccess = () => {
          const all = opened.result.transaction('keyval').objectStore('keyval').getAll();
          all.onsuccess = () => done(JSON.stringify(all.result));
        };
      })`)) as string;
      const { keptAt } = JSON.parse(kept)[0];
      const timeZone = settings.CLINIC_TIME_ZONE;
      const time = new Intl.DateTimeFormat('id-ID', { timeZone, hour: '2-digit', minute: '2-digit' });
      // The whole date: a phone may have been without a connection for days.
      await page.getByText(new RegExp(`Diperbarui .*\\d+.*, ${time.format(keptAt)} ·`)).waitFor();
      assert.match(kept, new RegExp(practice.name));
      assert.doesNotMatch(kept, new RegExp(person.name));
      await context.setOffline(false);
      await page.getByRole('link', { name: 'Akun' }).click();
      await page.getByRole('button', { name: 'Keluar' }).click();
      await page.getByText('Anda sudah keluar.').waitFor();
      const left = await page.evaluate(`new Promise((done) => {
        const opened = indexedDB.open('keyval-store');
        opened.onsuccess = () => {
          const all = opened.result.transaction('keyval').objectStore('keyval').count();
          all.onsuccess = () => done(all.result);
        };
      })`);
      assert.equal(left, 0);
      await assertClean(watched, stage.url, [/ERR_INTERNET_DISCONNECTED/]);
      await watched.close();
    },
  },
  {
    name: 'that the clinic canceled is not kept once the bookings were read again',
    play: async (stage) => {
      const { person, id, practice } = await bookedFor(stage);
      const watched = await openAs(stage, person, `tiket/${id}`);
      const { page } = watched;
      await page.getByText(`dr. ${practice.name}`).first().waitFor();
      await deskDoes(stage.url, id, 'cancel');
      await page.goto(`${stage.url}/pasien/`);
      await page.getByText('Buat janji dengan dokter').waitFor();
      await page.route('**/v1/**', (route) => route.abort());
      await page.reload();
      await page.getByRole('button', { name: 'Coba lagi' }).waitFor();
      assert.equal(await page.getByText('Janji berikutnya').count(), 0);
      await assertClean(watched, stage.url, [/ERR_FAILED/]);
      await watched.close();
    },
  },
  {
    name: 'of somebody else is not there',
    play: async (stage) => {
      const { id } = await bookedFor(stage);
      const watched = await openAs(stage, await newPatient(stage.url), `tiket/${id}`);
      const { page } = watched;
      await page.getByText('Data tidak ditemukan.').waitFor();
      await assertClean(watched, stage.url, [failedWith(404)]);
      await watched.close();
    },
  },
  {
    name: 'is drawn wide, too',
    play: async (stage) => {
      const { person } = await bookedFor(stage);
      for (const colorScheme of ['light', 'dark'] as const) {
        const watched = await openAs(stage, person, '', { viewport: desk, colorScheme });
        const { page } = watched;
        await page.getByRole('link', { name: 'Ubah jadwal' }).waitFor();
        await shoot(stage, page, `tiket-lebar-${colorScheme}`);
        await assertClean(watched, stage.url);
        await watched.close();
      }
      const watched = await openPage(stage);
      const { page } = watched;
      await page.goto(`${stage.url}/pasien/`);
      await page.getByRole('link', { name: 'Cari dokter' }).waitFor();
      await shoot(stage, page, 'beranda');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a visit that cannot be moved any more offers no times, and says whom to call',
    play: async (stage) => {
      const practice = await makePractice(stage.url, 1, 'automatic');
      const person = await newPatient(stage.url);
      const [slot] = await freeSlots(stage.url, practice, clinicDate());
      assert.ok(slot !== undefined);
      const { id } = await bookFor(stage.url, person.token, practice, slot);
      await deskDoes(stage.url, id, 'check-in');
      const watched = await openAs(stage, person, `tiket/${id}/jadwal`);
      const { page } = watched;
      const [next] = await freeSlots(stage.url, practice, clinicDate(1));
      const wish = `?tanggal=${next?.schedule_date}&jam=${next?.schedule_time.slice(0, 5)}`;
      for (const given of ['', wish]) {
        await page.goto(`${stage.url}/pasien/tiket/${id}/jadwal${given}`);
        await page.getByText('Tidak dapat diubah atau dibatalkan lagi di sini').waitFor();
        assert.equal(await page.getByRole('button', { name: /kosong|Ya, ubah/ }).count(), 0);
      }
      await assertAccessibleInAllLooks(page, 'a visit that cannot be moved');
      await shoot(stage, page, 'tiket-jadwal-lewat');
      await page.getByRole('link', { name: 'Buka tiket' }).click();
      await page.waitForURL(`${stage.url}/pasien/tiket/${id}`);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
