import assert from 'node:assert/strict';
import { assertClean, failedWith } from '../../support/checks.ts';
import { clinicDate, freeSlots, makePractice } from '../../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../../support/looks.ts';
import { call, demo, tokenOf } from '../../support/people.ts';
import { type Scenario, type Stage, shoot } from '../../support/stage.ts';
import { press, tabTo, type } from '../keyboard.ts';
import { enter } from '../steps.ts';
import { bookSeat, newRecord } from './waiting.ts';

interface Booked {
  id: string;
  status: string;
  schedule_date: string;
  schedule_time: string;
  series_id: string | null;
}

const bookingsOf = async ({ url }: Stage, patient: string): Promise<Booked[]> => {
  const token = await tokenOf(url, demo.staff);
  const { body } = await call(url, 'GET', `/v1/patients/${patient}/bookings?limit=50`, { token });
  return (body.data as Booked[]).reverse();
};

/** The form of a series with a practice's time of tomorrow chosen, and on which day it is taken by somebody else. */
const openSeries = async (stage: Stage, takenInDays?: number) => {
  const { url } = stage;
  const practice = await makePractice(url);
  const patient = await newRecord(url);
  const place = { doctor_id: practice.doctor, session_id: practice.session };
  const at = '10:00:00';
  assert.ok((await freeSlots(url, practice, clinicDate(1))).some((one) => one.schedule_time === at));
  if (takenInDays !== undefined) {
    const seat = { ...place, schedule_date: clinicDate(takenInDays), schedule_time: at };
    await bookSeat(url, { ...seat, doctor_name: '', session_name: '' }, await newRecord(url));
  }
  const query = new URLSearchParams({
    tanggal: clinicDate(1),
    dokter: practice.doctor,
    layanan: practice.session,
    jam: at,
  });
  const watched = await enter(stage, demo.staff, `/konsol/rangkaian/${patient.id}?${query}`);
  await watched.page.getByRole('button', { name: 'Pesan 4 janji' }).waitFor();
  await watched.page.getByText(`dr. ${practice.name} · ${practice.sessionName} · 10.00`).waitFor();
  return { ...watched, watched, practice, patient };
};

export const series: readonly Scenario[] = [
  {
    name: 'a series of six weeks is booked by keyboard alone; its detail says so, and what is to come is canceled',
    play: async (stage) => {
      const { page, watched, patient } = await openSeries(stage);
      await type(page, 'Berapa kali', '6');
      await page.getByText('6 tanggal:').waitFor();
      await assertAccessibleInAllLooks(page, 'a series, before');
      await page.keyboard.press('Enter');
      await page.getByText('Semua 6 janji dipesan.').waitFor();
      await assertAccessibleInAllLooks(page, 'a series, booked');
      await shoot(stage, page, 'konsol-rangkaian-dipesan');
      const made = await bookingsOf(stage, patient.id);
      assert.deepEqual(
        made.map((one) => `${one.schedule_date} ${one.schedule_time}`),
        [1, 8, 15, 22, 29, 36].map((days) => `${clinicDate(days)} 10:00:00`),
      );
      await page.getByRole('row').nth(1).getByRole('link').click();
      await page.getByText('Janji ke-1 dari 6 dalam satu rangkaian. 6 masih akan datang.').waitFor();
      await assertAccessibleInAllLooks(page, 'a booking of a series');
      await shoot(stage, page, 'konsol-rangkaian-rincian');
      await press(page, 'Batalkan 6 janji mendatang');
      const dialog = page.getByRole('dialog', { name: `Batalkan 6 janji mendatang ${patient.name}?` });
      await dialog.waitFor();
      await assertAccessibleInAllLooks(page, 'the question before a series is canceled');
      await shoot(stage, page, 'konsol-rangkaian-batal');
      await press(page, 'Batalkan 6 janji mendatang');
      await page.getByText('6 janji dibatalkan.').waitFor();
      await page.getByText('Tidak ada lagi yang akan datang.').waitFor();
      const left = (await bookingsOf(stage, patient.id)).filter(({ status }) => status !== 'canceled');
      assert.deepEqual(left, []);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a date that is taken: nothing is booked, each date says why, nothing is typed anew, and the rest is booked by a press',
    play: async (stage) => {
      const { page, watched, patient } = await openSeries(stage, 8);
      await type(page, 'Catatan untuk semua janji', 'Fisioterapi lutut');
      await page.keyboard.press('Control+Enter');
      await page.getByText('Belum ada yang dipesan: 1 dari 4 tanggal tidak dapat dipesan.').waitFor();
      await page.getByText('Tidak dapat dipesan: jam ini penuh').waitFor();
      assert.equal(await page.getByText('Dapat dipesan', { exact: true }).count(), 3);
      assert.deepEqual(await bookingsOf(stage, patient.id), []);
      await assertAccessibleInAllLooks(page, 'a series, in conflict');
      await shoot(stage, page, 'konsol-rangkaian-bentrok');
      assert.equal(await page.getByLabel('Catatan untuk semua janji').inputValue(), 'Fisioterapi lutut');
      await tabTo(page, 'Pesan 3 tanggal lainnya');
      await page.keyboard.press('Enter');
      await page.getByText('3 dari 4 tanggal dipesan.').waitFor();
      await page.getByText('Dilewati: jam ini penuh').waitFor();
      await shoot(stage, page, 'konsol-rangkaian-dilewati');
      const made = await bookingsOf(stage, patient.id);
      assert.deepEqual(
        made.map((one) => one.schedule_date),
        [clinicDate(1), clinicDate(15), clinicDate(22)],
      );
      assert.equal(new Set(made.map((one) => one.series_id)).size, 1);
      await assertClean(watched, stage.url, [failedWith(409)]);
      await watched.close();
    },
  },
  {
    name: 'on days of the week, and at the nearest time where one is taken',
    play: async (stage) => {
      const { page, watched, patient } = await openSeries(stage, 8);
      await page.getByLabel('Berulang').selectOption('Pada hari tertentu');
      await page.getByText('Pilih sedikitnya satu hari.').waitFor();
      const day = new Date(`${clinicDate(1)}T00:00:00Z`).getUTCDay() || 7;
      const names = ['Senin', 'Selasa', 'Rabu', 'Kamis', 'Jumat', 'Sabtu', 'Minggu'];
      await page.getByRole('checkbox', { name: names[day - 1] ?? '' }).check();
      await page.getByRole('checkbox', { name: names[day % 7] ?? '' }).check();
      await page.getByLabel('Bila suatu tanggal tidak dapat dipesan').selectOption('nearest');
      await shoot(stage, page, 'konsol-rangkaian-hari');
      await page.getByRole('button', { name: 'Pesan 4 janji' }).click();
      await page.getByText('Semua 4 janji dipesan.').waitFor();
      await page.getByText('Dipindah dari 10.00: jam ini penuh').waitFor();
      const made = await bookingsOf(stage, patient.id);
      assert.deepEqual(
        made.map((one) => `${one.schedule_date} ${one.schedule_time}`),
        [
          `${clinicDate(1)} 10:00:00`,
          `${clinicDate(2)} 10:00:00`,
          `${clinicDate(8)} 10:30:00`,
          `${clinicDate(9)} 10:00:00`,
        ],
      );
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
