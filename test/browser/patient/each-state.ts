import assert from 'node:assert/strict';
import type { Locator, Page, Request } from 'playwright-core';
import { keepWaiting, refuse } from '../support/answers.ts';
import { assertAccessible, assertClean, failedWith, untilHolds } from '../support/checks.ts';
import { bookFor, clinicDate, freeSlots, makePractice } from '../support/clinic.ts';
import { newPatient } from '../support/people.ts';
import { openPage, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { confirmPath, openAs, slotOn, takeUp } from './steps.ts';

/** The browser's own word for it: the pages ask nothing of the service then, which answers all the same. */
const lose = async (page: Page): Promise<void> => {
  await page.evaluate(`
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    window.dispatchEvent(new Event('offline'));`);
};
const find = async (page: Page): Promise<void> => {
  await page.evaluate(`delete navigator.onLine; window.dispatchEvent(new Event('online'));`);
};

/** Goes to another screen as a link does, without loading the page again. */
const goWithin = (page: Page, path: string) =>
  page.evaluate(
    `history.pushState(null, '', '/pasien/${path}'); window.dispatchEvent(new PopStateEvent('popstate'));`,
  );

interface Reading {
  path: string;
  read: RegExp;
  ready: (page: Page) => Locator;
  /** Whether the data is marked as old after a failed refresh. */
  growsOld?: true;
}

const text = (shown: string | RegExp) => (page: Page) => page.getByText(shown).first();

/** The requests of each screen, and its content once they are answered. */
const readings = (doctor: string): readonly Reading[] => [
  { path: '', read: /history\?.*when=upcoming/, ready: text('Buat janji dengan dokter'), growsOld: true },
  { path: `dokter/${doctor}`, read: /\/slots\?/, ready: text(/^Jam praktik/), growsOld: true },
  { path: 'riwayat', read: /history\?.*when=past/, ready: text('Belum ada kunjungan.'), growsOld: true },
  { path: 'keluarga', read: /\/v1\/family\?/, ready: text('saya sendiri') },
  { path: 'akun/perangkat', read: /auth\/devices\?/, ready: text('(perangkat ini)'), growsOld: true },
  { path: 'akun/pemberitahuan', read: /auth\/notices/, ready: text('Lewat apa') },
  { path: 'akun/kalender', read: /calendar-feeds/, ready: text('Buat alamat') },
  { path: 'akun/verifikasi', read: /second-factors/, ready: text('Belum aktif') },
];

const playReadings = async (stage: Stage): Promise<void> => {
  const { doctor } = await makePractice(stage.url);
  const watched = await openAs(stage, await newPatient(stage.url));
  const { page } = watched;
  for (const { path, read, ready, growsOld } of readings(doctor)) {
    const go = () => page.goto(`${stage.url}/pasien/${path}`);
    const name = path.replace(doctor, 'id') || 'beranda';

    const answer = await keepWaiting(page, read);
    await go();
    await page.locator('main [aria-busy="true"] > div[class*="skeleton"]').first().waitFor();
    await answer();

    const letIn = await refuse(page, read, 429, 'rate_limited', { headers: { 'Retry-After': '90' } });
    await go();
    await page.getByText(/coba lagi dalam/).waitFor();
    await letIn();

    const mend = await refuse(page, read, 403, 'forbidden');
    await go();
    await page.getByText('Sedang diperbaiki.').waitFor();
    await assertAccessible(page, `${name}, failing`);
    await mend();
    await page.getByRole('button', { name: 'Coba lagi' }).click();
    await ready(page).waitFor();

    if (growsOld) {
      const refresh = await refuse(page, read, 403, 'forbidden');
      await takeUp(page);
      await page.getByText(/^Data pukul .* Sedang mencoba memperbarui/).waitFor();
      assert.ok(await ready(page).isVisible(), name);
      await refresh();
    }

    await page.goto(`${stage.url}/pasien/masuk`);
    await page.waitForURL(`${stage.url}/pasien/`);
    if (path === '') continue;
    await lose(page);
    await goWithin(page, path);
    // The previous screen may still be there for a moment, with the same text.
    await untilHolds(
      page,
      `[...document.querySelectorAll('*')].filter((each) => each.children.length === 0 && each.textContent.startsWith('Tidak ada sambungan')).length === 1`,
    );
    await assertAccessible(page, `${name}, offline`);
    await shoot(stage, page, `tanpa-sambungan-${name.replaceAll('/', '-')}`);
    await find(page);
    await ready(page).waitFor();
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await assertClean(watched, stage.url, [failedWith(403, 429)]);
  await watched.close();
};

interface Sending {
  path: string;
  /** The steps needed before the button can be pressed. */
  prepare?: (page: Page) => Promise<unknown>;
  button: string;
  sent: RegExp;
}

const fillMember = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Tambah anggota keluarga' }).click();
  await page.getByLabel('Nama lengkap').fill('Kirana Rahayu');
  await page.getByLabel('Tanggal lahir').first().fill('2019-04-23');
};

const fillClaim = async (page: Page): Promise<void> => {
  await page.getByText('Punya kode dari klinik?').click();
  await page.getByLabel('Kode klaim').fill('ABCD2345');
  // The form beside it, for somebody known to the clinic, asks for a date of birth too.
  const form = page.locator('form', { has: page.getByLabel('Kode klaim') });
  await form.getByLabel('Tanggal lahir').fill('2019-04-23');
};

const fillPassword = async (page: Page): Promise<void> => {
  for (const label of ['Kata sandi sekarang', 'Kata sandi baru', 'Ulangi kata sandi'])
    await page.getByLabel(label, { exact: true }).fill('teh-manis-sore-8');
};

const sendings = (confirm: string, id: string, move: string): readonly Sending[] => [
  { path: confirm, button: 'Buat janji', sent: /v1\/bookings$/ },
  { path: move, button: 'Ya, ubah jadwal', sent: /reschedule$/ },
  {
    path: `tiket/${id}`,
    prepare: (page) => page.getByRole('button', { name: 'Batalkan' }).click(),
    button: 'Ya, batalkan',
    sent: /cancel$/,
  },
  { path: 'akun/profil', button: 'Simpan', sent: /auth\/profile$/ },
  { path: 'akun/kata-sandi', prepare: fillPassword, button: 'Simpan', sent: /auth\/password$/ },
  { path: 'akun/pemberitahuan', button: 'Simpan', sent: /auth\/notices$/ },
  { path: 'akun/kalender', button: 'Buat alamat', sent: /calendar-feeds$/ },
  { path: 'akun/perangkat', button: 'Keluarkan semua perangkat lain', sent: /auth\/devices$/ },
  { path: 'keluarga', prepare: fillMember, button: 'Tambahkan', sent: /v1\/family$/ },
  { path: 'keluarga', prepare: fillClaim, button: 'Hubungkan', sent: /family\/claim$/ },
];

const playSendings = async (stage: Stage): Promise<void> => {
  const practice = await makePractice(stage.url);
  const person = await newPatient(stage.url);
  const { id } = await bookFor(stage.url, person.token, practice, await slotOn(stage.url, practice));
  const [another] = await freeSlots(stage.url, practice, clinicDate(3));
  assert.ok(another !== undefined);
  const confirm = confirmPath(practice, another);
  const move = `tiket/${id}/jadwal?tanggal=${another.schedule_date}&jam=${another.schedule_time.slice(0, 5)}`;
  const watched = await openAs(stage, person);
  const { page } = watched;
  for (const { path, prepare, button, sent } of sendings(confirm, id, move)) {
    const name = `${path.split('?')[0]}, ${button}`;
    await page.goto(`${stage.url}/pasien/${path}`);
    const press = page.getByRole('button', { name: button, exact: true });
    await (prepare === undefined ? press.waitFor() : prepare(page));
    const asked: string[] = [];
    const letIn = await refuse(page, sent, 429, 'rate_limited', { headers: { 'Retry-After': '90' } });
    const note = (request: Request): void => {
      if (request.method() !== 'GET' && sent.test(request.url())) asked.push(request.url());
    };
    page.on('request', note);

    await lose(page);
    assert.equal(await press.getAttribute('aria-disabled'), 'true', name);
    const why = (await press.getAttribute('aria-describedby')) ?? '';
    assert.equal(await page.locator(`[id="${why}"]`).textContent(), 'Perlu sambungan internet.', name);
    await press.click({ force: true });
    // A target that has scrolled under a bar is not checked there.
    await page.evaluate('scrollTo(0, 0)');
    await assertAccessible(page, `${name}, offline`);
    await find(page);
    assert.equal(await press.getAttribute('aria-disabled'), null, name);
    assert.deepEqual(asked, [], name);

    await press.click();
    await page.getByText(/coba lagi dalam/).waitFor();
    assert.equal(asked.length, 1, name);
    await letIn();
    page.off('request', note);
  }
  await assertClean(watched, stage.url, [failedWith(429)]);
  await watched.close();
};

const playToday = async (stage: Stage): Promise<void> => {
  const watched = await openPage(stage);
  const { page } = watched;
  const go = () => page.goto(`${stage.url}/pasien/`);
  await go();
  await page.getByText(/Buka hari ini, \d\d\.\d\d–\d\d\.\d\d/).waitFor();
  await shoot(stage, page, 'beranda-buka', true);
  const tell = async (slots: readonly object[]): Promise<void> => {
    await page.unroute('**/v1/slots?*');
    await page.route('**/v1/slots?*', (route) =>
      route.fulfill({ json: { status: 'success', data: slots, meta: {}, request_id: 'r-1' } }),
    );
    await go();
  };
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const slot = { schedule_time: '08:00:00', ends_at: at(-1), reason: 'past' };
  await tell([slot]);
  await page.getByText('Praktik hari ini sudah selesai.').waitFor();
  await tell([{ ...slot, ends_at: at(1), reason: 'holiday' }]);
  await page.getByText('Klinik tutup hari ini.').waitFor();
  await tell([{ ...slot, ends_at: at(1), reason: 'leave' }]);
  await page.getByText('Tidak ada praktik hari ini.').waitFor();
  await assertAccessible(page, 'nobody practises today');
  await assertClean(watched, stage.url);
  await watched.close();
};

export const eachState: readonly Scenario[] = [
  { name: 'the first page says whether the clinic is open today', play: playToday, isOfNode: true },
  {
    name: 'whatever is read: loading, throttled, failing, old, and without a connection',
    play: playReadings,
    isOfNode: true,
  },
  {
    name: 'whatever is sent waits for a connection with its reason, and counts down where it is throttled',
    play: playSendings,
    isOfNode: true,
  },
];
