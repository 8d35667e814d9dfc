import assert from 'node:assert/strict';
import { assertClean, failedWith, untilFocused, untilHolds } from '../../support/checks.ts';
import { clinicDate, makePractice } from '../../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../../support/looks.ts';
import { call, demo, tokenOf } from '../../support/people.ts';
import { type Scenario, type Stage, shoot } from '../../support/stage.ts';
import { choose, confirm, press, tabTo } from '../keyboard.ts';
import { enter } from '../steps.ts';
import { holdSeat, newRecord, type Seat, waitFor, waitlistOf } from './waiting.ts';

/** A session of one's own, of which nobody knows yet. */
const newSession = async ({ url }: Stage): Promise<Seat> => {
  const { doctor, session, sessionName } = await makePractice(url);
  const place = { schedule_date: clinicDate(2), schedule_time: '10:00:00' };
  return { ...place, doctor_id: doctor, doctor_name: '', session_id: session, session_name: sessionName };
};

const namesOf = async ({ url }: Stage, { session_id }: Seat): Promise<string[]> =>
  (await waitlistOf(url, session_id)).map(({ patient }) => patient.name);

export const waitlist: readonly Scenario[] = [
  {
    name: 'the desk puts somebody on the waitlist, from the record, by keyboard alone; twice is refused and nothing is lost',
    play: async (stage) => {
      const session = await newSession(stage);
      const patient = await newRecord(stage.url);
      const watched = await enter(stage, demo.staff, `/konsol/pasien/${patient.id}`);
      const { page } = watched;
      const add = async (): Promise<void> => {
        await page.getByText('Pasien terpilih').waitFor();
        await untilHolds(page, `document.activeElement?.tagName === 'SELECT'`);
        await choose(page, 'Layanan', session.session_name);
        await tabTo(page, 'Mulai pukul');
        await page.locator(':focus').fill('2');
        await tabTo(page, 'Paling lambat pukul');
        await page.locator(':focus').fill('210');
        await page.keyboard.press('Enter');
      };
      await page.getByRole('heading', { level: 1, name: patient.name }).waitFor();
      await page.locator('main').getByRole('link', { name: 'Daftar tunggu' }).press('Enter');
      await page.getByText('Pasien terpilih').waitFor();
      await assertAccessibleInAllLooks(page, 'somebody is put on the waitlist');
      await shoot(stage, page, 'konsol-tunggu-tambah');
      await add();
      await page.getByText(`${patient.name} masuk daftar tunggu.`).waitFor();
      const [entry, ...more] = await waitlistOf(stage.url, session.session_id);
      assert.deepEqual([entry?.patient.name, more.length], [patient.name, 0]);
      // Enter sends the last typed text, too.
      assert.deepEqual([entry?.earliest_time, entry?.latest_time], ['02:00:00', '02:10:00']);
      await page.goto(`${stage.url}/konsol/tunggu?pasien=${patient.id}`);
      await add();
      await page.getByText('Pasien ini sudah ada di daftar tunggu untuk layanan ini.').waitFor();
      assert.equal(await page.getByLabel('Mulai pukul').inputValue(), '02.00');
      await assertClean(watched, stage.url, [failedWith(409)]);
      await watched.close();
    },
  },
  {
    name: 'the order is changed with a reason, and somebody is taken off, by keyboard alone',
    play: async (stage) => {
      const session = await newSession(stage);
      const people = [];
      for (let nth = 0; nth < 3; nth++) {
        const one = await newRecord(stage.url);
        await waitFor(stage.url, session, one);
        people.push(one.name);
      }
      const [first, second, third] = people as [string, string, string];
      const watched = await enter(stage, demo.staff, `/konsol/tunggu?layanan=${session.session_id}`);
      const { page } = watched;
      await page.getByRole('table', { name: session.session_name }).waitFor();
      await press(page, `Ubah urutan: ${third}`);
      await page.getByRole('dialog', { name: `Ubah urutan ${third}` }).waitFor();
      await assertAccessibleInAllLooks(page, 'the order of the waitlist');
      await shoot(stage, page, 'konsol-tunggu-urutan');
      await choose(page, 'Tempat baru', 'Paling depan');
      await choose(page, 'Alasan', 'Mendesak secara medis');
      await press(page, 'Ubah urutan');
      await page.getByText(`${third} sekarang nomor 1.`).waitFor();
      assert.deepEqual(await namesOf(stage, session), [third, first, second]);
      await untilFocused(page, `Ubah urutan: ${third}`);
      await press(page, `Ubah urutan: ${first}`);
      await choose(page, 'Tempat baru', 'Paling belakang');
      await choose(page, 'Alasan', 'Disepakati dengan pasien');
      await press(page, 'Ubah urutan');
      await page.getByText(`${first} sekarang nomor 3.`).waitFor();
      assert.deepEqual(await namesOf(stage, session), [third, second, first]);
      await press(page, `Hapus: ${second}`);
      await page.getByRole('dialog', { name: `Hapus ${second} dari daftar tunggu?` }).waitFor();
      await assertAccessibleInAllLooks(page, 'the question before somebody is taken off the waitlist');
      await confirm(page, 'Hapus');
      await page.getByText(`${second} dihapus dari daftar tunggu.`).waitFor();
      assert.deepEqual(await namesOf(stage, session), [third, first]);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a seat that is held stands in the day as no booking, and is accepted for the patient',
    play: async (stage) => {
      const { date, first, offer, seat } = await holdSeat(stage.url, 2);
      const watched = await enter(stage, demo.staff, `/konsol/?tanggal=${date}`);
      const { page } = watched;
      const row = page.locator(`[data-offer="${offer.booking_id}"]`);
      await row.getByText(/^Ditahan s\.d\. \d\d\.\d\d/).waitFor();
      assert.equal(await row.getByRole('button', { name: /Setujui|Catat hadir/ }).count(), 0);
      await row.getByRole('button', { name: first.name }).click();
      const detail = page.getByRole('complementary', { name: 'Rincian janji' });
      await detail.getByText(/tidak dapat disetujui atau dicatat hadir sebelum tawaran diterima/).waitFor();
      assert.equal(await detail.getByRole('button', { name: /Setujui|Catat hadir|Batalkan/ }).count(), 0);
      await row.getByRole('link', { name: /^Buka daftar tunggu/ }).click();
      await page.getByRole('table', { name: 'Sedang ditawarkan' }).waitFor();
      await press(page, `Terima untuk pasien: ${first.name}`);
      await page.getByText(`Tawaran untuk ${first.name} diterima. Sekarang sudah menjadi janji.`).waitFor();
      const token = await tokenOf(stage.url, demo.staff);
      const { body } = await call(stage.url, 'GET', `/v1/bookings/${offer.booking_id}`, { token });
      assert.deepEqual([body.data.status, body.data.held_until], ['approved', null]);
      assert.ok(
        !(await waitlistOf(stage.url, seat.session_id)).some(({ patient }) => patient.id === first.id),
      );
      await page.goto(`${stage.url}/konsol/?tanggal=${date}`);
      await page.locator(`[data-row="${offer.booking_id}"]`).getByText('Disetujui').waitFor();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'an offer arrives in the open day by itself, is declined in the detail, and leaves it again',
    play: async (stage) => {
      const watched = await enter(stage, demo.staff, `/konsol/?tanggal=${clinicDate(3)}`);
      const { page } = watched;
      await page.locator('main h2, main table, main p').first().waitFor();
      const { first, offer, entry, seat } = await holdSeat(stage.url, 3);
      const row = page.locator(`[data-offer="${offer.booking_id}"]`);
      await row.waitFor({ timeout: 9_000 });
      await row.getByRole('button', { name: first.name }).click();
      await press(page, `Tolak tawaran: ${first.name}`);
      await page.getByRole('dialog', { name: `Tolak tawaran untuk ${first.name}?` }).waitFor();
      await assertAccessibleInAllLooks(page, 'the question before an offer is declined');
      await confirm(page, 'Tolak tawaran');
      await page.getByText(`Tawaran untuk ${first.name} ditolak.`).waitFor();
      await row.waitFor({ state: 'detached' });
      assert.equal(await page.locator(`[data-row="${offer.booking_id}"]`).count(), 0);
      const waits = (await waitlistOf(stage.url, seat.session_id)).find(({ id }) => id === entry.id);
      assert.ok(waits, 'the patient waits on');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
