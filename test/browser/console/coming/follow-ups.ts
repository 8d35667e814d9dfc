import assert from 'node:assert/strict';
import { loseFirstAnswer } from '../../support/answers.ts';
import { assertClean, failedWith, untilFocused, untilHolds } from '../../support/checks.ts';
import { clinicDate } from '../../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../../support/looks.ts';
import { call, demo, tokenOf } from '../../support/people.ts';
import { desk, type Scenario, type Stage, shoot } from '../../support/stage.ts';
import { choose, press, set, tabTo, type } from '../keyboard.ts';
import { enter, expectedToday, type Listed, rowOf, until } from '../steps.ts';

interface Made extends Listed {
  schedule_date: string;
  schedule_time: string;
}

const bookingsOf = async ({ url }: Stage, patient: string): Promise<Made[]> => {
  const token = await tokenOf(url, demo.staff);
  return (await call(url, 'GET', `/v1/patients/${patient}/bookings?limit=20`, { token })).body.data;
};

export const followUps: readonly Scenario[] = [
  {
    name: 'the next visit is booked from the row of the day by keyboard alone, and its number is told',
    play: async (stage) => {
      const visit = await expectedToday(stage.url);
      const watched = await enter(stage);
      const { page } = watched;
      await rowOf(page, visit).waitFor();
      await tabTo(page, `Catat hadir: ${visit.patient.name}`);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await rowOf(page, visit).getByRole('link', { name: 'Kontrol berikutnya' }).waitFor();
      await press(page, 'Kontrol berikutnya');
      await page.getByRole('heading', { level: 2, name: visit.patient.name }).waitFor();
      await untilHolds(page, `document.activeElement?.type === 'number'`);
      await page.keyboard.type('2');
      await page.getByText(/^Jam pertama yang cocok, dari /).waitFor();
      await assertAccessibleInAllLooks(page, 'a follow-up, before');
      await page.keyboard.press('Enter');
      await page.getByText('Kontrol dipesan').waitFor();
      await untilFocused(page, 'Kembali');
      const [made] = await bookingsOf(stage, visit.patient.id);
      assert.ok(made && made.id !== visit.id);
      assert.ok(made.schedule_date >= clinicDate(14) && made.schedule_date <= clinicDate(20));
      assert.deepEqual([made.doctor_id, made.session_id], [visit.doctor_id, visit.session_id]);
      await page.getByText(made.queue_label, { exact: true }).waitFor();
      await assertAccessibleInAllLooks(page, 'a follow-up, booked');
      await shoot(stage, page, 'konsol-kontrol-dipesan');
      await page.keyboard.press('Enter');
      await rowOf(page, visit).waitFor();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'between two dates at which nothing suits: what is free nearby is booked by a press',
    play: async (stage) => {
      const visit = await expectedToday(stage.url);
      const leave = { doctor_id: visit.doctor_id, name: 'Cuti', start_date: clinicDate(1) };
      const token = await tokenOf(stage.url, demo.admin);
      const closed = await call(stage.url, 'POST', '/v1/admin/closures', { token, body: leave });
      const watched = await enter(stage, demo.staff, `/konsol/kontrol/${visit.id}`);
      const { page } = watched;
      await choose(page, 'Kapan', 'Di antara dua tanggal');
      await set(page, 'Dari tanggal', clinicDate(1));
      await set(page, 'Sampai tanggal', clinicDate(1));
      await type(page, 'Catatan', 'Bawa hasil laboratorium');
      await page.keyboard.press('Enter');
      const alert = page.getByRole('alert');
      await alert.getByText('Yang kosong di dekatnya:').waitFor();
      await untilHolds(page, `document.activeElement?.closest('[role=alert]') !== null`);
      await assertAccessibleInAllLooks(page, 'a follow-up, nothing suits');
      await shoot(stage, page, 'konsol-kontrol-penuh');
      await page.keyboard.press('Enter');
      await page.getByText('Kontrol dipesan').waitFor();
      const made = (await bookingsOf(stage, visit.patient.id)).find(({ id }) => id !== visit.id);
      assert.ok(made);
      assert.equal((made as unknown as { notes: string }).notes, 'Bawa hasil laboratorium');
      await call(stage.url, 'DELETE', `/v1/admin/closures/${closed.body.data.id}`, { token });
      await assertClean(watched, stage.url, [failedWith(409)]);
      await watched.close();
    },
  },
  {
    name: 'a follow-up whose answer was lost: pressed again, it is booked once',
    play: async (stage) => {
      const visit = await expectedToday(stage.url);
      const watched = await enter(stage, demo.staff, `/konsol/kontrol/${visit.id}`);
      const { page } = watched;
      const keys = await loseFirstAnswer(page, '**/follow-up');
      const submit = page.getByRole('button', { name: 'Pesan jam pertama yang cocok' });
      await submit.click();
      await page.getByText('Layanan tidak dapat dihubungi').waitFor();
      await submit.click();
      await page.getByText('Kontrol dipesan').waitFor();
      assert.equal((await bookingsOf(stage, visit.patient.id)).length, 2);
      assert.equal(keys.length, 2);
      assert.equal(keys[0], keys[1]);
      await watched.close();
    },
  },
  {
    name: 'a doctor books the next visit of the patient who is called, with nobody else to choose',
    play: async (stage) => {
      const watched = await enter(stage, demo.doctor, '/konsol/', { viewport: desk });
      const { page } = watched;
      const next = page.getByRole('link', { name: /^Kontrol berikutnya: / }).first();
      if ((await next.count()) === 0) {
        await page
          .getByRole('button', { name: /^Panggil berikutnya/ })
          .first()
          .click();
        await until(async () => (await next.count()) > 0, 'somebody is called');
      }
      await next.click();
      await page.getByRole('button', { name: 'Pesan jam pertama yang cocok' }).waitFor();
      assert.equal(await page.getByLabel('Dokter', { exact: true }).count(), 0);
      await page.getByRole('button', { name: 'Pesan jam pertama yang cocok' }).click();
      await page.getByText('Kontrol dipesan').waitFor();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
