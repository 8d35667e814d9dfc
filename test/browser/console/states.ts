import assert from 'node:assert/strict';
import { keepWaiting, refuse } from '../support/answers.ts';
import { assertClean, failedWith, untilFocused, untilHolds } from '../support/checks.ts';
import { clinicDate } from '../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { demo } from '../support/people.ts';
import { openPage, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { enter, expectedToday, logInOn, rowOf } from './steps.ts';

const wide = { viewport: { width: 1280, height: 720 } };

const playDay = async (stage: Stage): Promise<void> => {
  const watched = await enter(stage, demo.staff, '/konsol/', wide);
  const { page, context } = watched;
  await page.locator('[data-row]:visible').first().waitFor();

  const booking = await expectedToday(stage.url);
  await rowOf(page, booking).waitFor();
  await rowOf(page, booking).locator('summary').click();
  await rowOf(page, booking).getByRole('button', { name: 'Batalkan janji' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(booking.patient.name).waitFor();
  await untilFocused(page, 'Tidak jadi');
  await assertAccessibleInAllLooks(page, 'the question');
  await shoot(stage, page, 'konsol-tanya');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await untilHolds(page, `/^Lainnya untuk/.test(document.activeElement?.getAttribute('aria-label') ?? '')`);

  await context.setOffline(true);
  await page.getByText(/^Tidak ada sambungan\. Data pukul/).waitFor();
  const held = rowOf(page, booking).getByRole('button', { name: /^Catat hadir/ });
  assert.equal(await held.getAttribute('aria-disabled'), 'true');
  await held.click({ force: true });
  await assertAccessibleInAllLooks(page, 'offline');
  await shoot(stage, page, 'konsol-luring');
  await context.setOffline(false);
  await page.getByText(/^Tidak ada sambungan/).waitFor({ state: 'detached' });

  await page.goto(`${stage.url}/konsol/?tanggal=${clinicDate(-400)}`);
  await page.getByText('Belum ada janji pada hari ini.').waitFor();
  await assertAccessibleInAllLooks(page, 'empty');

  const answer = await keepWaiting(page, '**/v1/bookings?*');
  await page.goto(`${stage.url}/konsol/`);
  await page.locator('main [aria-busy="true"] > div').first().waitFor();
  await assertAccessibleInAllLooks(page, 'loading');
  await shoot(stage, page, 'konsol-memuat');
  await answer();

  const headers = { 'Retry-After': '90' };
  await refuse(page, '**/check-in', 429, 'rate_limited', { headers });
  await page.goto(`${stage.url}/konsol/`);
  await rowOf(page, booking)
    .getByRole('button', { name: /^Catat hadir/ })
    .click();
  await page.getByText(/coba lagi dalam \d+ (menit|detik)/).waitFor();
  await assertAccessibleInAllLooks(page, 'throttled');
  await assertClean(watched, stage.url, [failedWith(429), /ERR_INTERNET_DISCONNECTED/]);
  await watched.close();
};

const playReading = async (stage: Stage): Promise<void> => {
  const watched = await enter(stage, demo.staff, '/konsol/audit', wide);
  const { page } = watched;
  await page.getByText('Halaman ini tidak tersedia untuk peran Petugas.').waitFor();
  await assertAccessibleInAllLooks(page, 'not allowed');

  const mend = await refuse(page, '**/v1/queues?*', 403, 'forbidden');
  await page.goto(`${stage.url}/konsol/antrean`);
  await page.getByText('Sedang diperbaiki.').waitFor();
  await assertAccessibleInAllLooks(page, 'failing');
  await shoot(stage, page, 'konsol-gagal');
  await mend();
  await page.getByRole('button', { name: 'Coba lagi' }).click();
  const next = page.getByRole('button', { name: /^Panggil berikutnya/ });
  await next.first().waitFor();

  await page.clock.install();
  await page.goto(`${stage.url}/konsol/antrean`);
  await next.first().waitFor();
  await refuse(page, '**/v1/queues?*', 403, 'forbidden');
  await page.clock.fastForward(40_000);
  await page.getByText(/^Data pukul .* Sedang mencoba memperbarui/).waitFor();
  await assertAccessibleInAllLooks(page, 'stale');
  await assertClean(watched, stage.url, [failedWith(403)]);
  await watched.close();
};

/** By a clock that is wrong, data would seem old at once, or never. */
const playWrongClock = async (stage: Stage): Promise<void> => {
  for (const hours of [-1, 1]) {
    const watched = await openPage(stage, wide);
    const { page } = watched;
    await page.clock.install({ time: Date.now() + hours * 3_600_000 });
    await page.goto(`${stage.url}/konsol/`);
    await logInOn(page, demo.staff);
    const old = page.getByText(/^Data pukul .* Sedang mencoba memperbarui/);
    for (const [path, asks] of [
      ['', '**/v1/bookings/changes?*'],
      ['antrean', '**/v1/queues?*'],
    ] as const) {
      await page.goto(`${stage.url}/konsol/${path}`);
      const asked = page.waitForResponse(asks);
      await page
        .getByRole('button', { name: /^Panggil berikutnya/ })
        .first()
        .waitFor();
      await asked;
      await page.clock.fastForward(10_000);
      assert.equal(await old.count(), 0, `/konsol/${path}, ${hours} h`);
      // One that is never answered is no failure yet.
      await keepWaiting(page, asks);
      await page.clock.fastForward(40_000);
      await old.waitFor();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
    await assertClean(watched, stage.url);
    await watched.close();
  }
};

const playQuestions = async (stage: Stage): Promise<void> => {
  const watched = await enter(stage, demo.admin, '/konsol/dokter', wide);
  const { page } = watched;
  await page
    .getByRole('button', { name: /^Nonaktifkan: / })
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
  await assertAccessibleInAllLooks(page, 'the question before a doctor is retired');
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^Ubah / })
    .first()
    .click();
  await assertAccessibleInAllLooks(page, 'a form beside its list');

  const address = '**/v1/admin/webhooks';
  await refuse(page, address, 403, 'reauthentication_required', { method: 'POST' });
  await page.goto(`${stage.url}/konsol/webhook`);
  // The list has a second one while it is empty.
  await page.getByRole('banner').getByRole('button', { name: 'Tambah penerima' }).click();
  await page.getByLabel('Alamat (https)').fill('https://penerima.klinik.example/kait');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Pastikan ini Anda' }).waitFor();
  await assertAccessibleInAllLooks(page, 'the question who is there');
  await assertClean(watched, stage.url, [failedWith(403)]);
  await watched.close();
};

export const states: readonly Scenario[] = [
  {
    name: 'the day: asking, offline, empty, loading, throttled, in every look',
    play: playDay,
    isOfNode: true,
  },
  { name: 'what is read: not allowed, failing, stale, in every look', play: playReading, isOfNode: true },
  {
    name: 'a device whose clock is an hour wrong: old data is called old, and no other',
    play: playWrongClock,
  },
  { name: 'questions and forms, in every look', play: playQuestions, isOfNode: true },
];
