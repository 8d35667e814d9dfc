import assert from 'node:assert/strict';
import { refuse } from '../../support/answers.ts';
import { assertClean, failedWith } from '../../support/checks.ts';
import { assertAccessibleInAllLooks } from '../../support/looks.ts';
import { demo } from '../../support/people.ts';
import { type Scenario, shoot } from '../../support/stage.ts';
import { enter, expectedToday } from '../steps.ts';
import { holdSeat } from './waiting.ts';

export const comingStates: readonly Scenario[] = [
  {
    name: 'a follow-up that is throttled, or without a connection, says so and keeps what was typed, in every look',
    isOfNode: true,
    play: async (stage) => {
      const visit = await expectedToday(stage.url);
      const watched = await enter(stage, demo.staff, `/konsol/kontrol/${visit.id}`);
      const { page, context } = watched;
      await page.getByLabel('Jumlah').fill('3');
      const submit = page.getByRole('button', { name: 'Pesan jam pertama yang cocok' });
      const headers = { 'Retry-After': '90' };
      const mend = await refuse(page, '**/follow-up', 429, 'rate_limited', { headers });
      await submit.click();
      await page.getByText(/coba lagi dalam \d+ (menit|detik)/).waitFor();
      await assertAccessibleInAllLooks(page, 'a follow-up, throttled');
      await mend();
      await context.setOffline(true);
      await page.getByText(/^Tidak ada sambungan\. Data pukul/).waitFor();
      await page.getByText('Perlu sambungan internet.').first().waitFor();
      assert.equal(await submit.getAttribute('aria-disabled'), 'true');
      await assertAccessibleInAllLooks(page, 'a follow-up, offline');
      await context.setOffline(false);
      await page.getByText(/^Tidak ada sambungan/).waitFor({ state: 'detached' });
      assert.equal(await page.getByLabel('Jumlah').inputValue(), '3');
      await submit.click();
      await page.getByText('Kontrol dipesan').waitFor();
      await assertClean(watched, stage.url, [failedWith(429), /ERR_INTERNET_DISCONNECTED/]);
      await watched.close();
    },
  },
  {
    name: 'an offer that is over meanwhile: the desk is told by the service, and the list shows what is',
    isOfNode: true,
    play: async (stage) => {
      const { first } = await holdSeat(stage.url, 4);
      const watched = await enter(stage, demo.staff, '/konsol/tunggu');
      const { page } = watched;
      const accept = page.getByRole('button', { name: `Terima untuk pasien: ${first.name}` });
      await accept.waitFor();
      const message = 'Saat ini tidak ada tempat yang ditawarkan untuk Anda.';
      await refuse(page, '**/accept', 409, 'no_offer', { message });
      await accept.click();
      await page.getByRole('alert').getByText(message).waitFor();
      await assertAccessibleInAllLooks(page, 'an offer that is over');
      await shoot(stage, page, 'konsol-tunggu-lewat');
      await assertClean(watched, stage.url, [failedWith(409)]);
      await watched.close();
    },
  },
  {
    name: 'the waitlist and series are the desk’s: a doctor has no way there, and a deep link says why',
    isOfNode: true,
    play: async (stage) => {
      const visit = await expectedToday(stage.url);
      const watched = await enter(stage, demo.doctor);
      const { page } = watched;
      assert.equal(await page.getByRole('link', { name: 'Daftar tunggu' }).count(), 0);
      for (const path of ['tunggu', `rangkaian/${visit.patient.id}`]) {
        await page.goto(`${stage.url}/konsol/${path}`);
        await page.getByText('Halaman ini tidak tersedia untuk peran Dokter.').waitFor();
      }
      await assertAccessibleInAllLooks(page, 'the waitlist, not allowed');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
