import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertClean, assertReflowsWhenLarge, untilHolds } from '../support/checks.ts';
import { clinicDate, makePractice, written } from '../support/clinic.ts';
import { assertAccessibleInAllLooks, ownLooks } from '../support/looks.ts';
import { openPage, type Scenario, shoot } from '../support/stage.ts';

/** The day as a language says it. */
const inWords = (date: string, tag = 'id-ID'): string =>
  new Intl.DateTimeFormat(tag, {
    timeZone: 'UTC',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(new Date(`${date}T00:00:00Z`));

const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** Waits until the day of the calendar has the focus. */
const untilOn = (page: Page, date: string): Promise<void> =>
  untilHolds(page, `document.activeElement?.getAttribute('aria-label') === ${JSON.stringify(inWords(date))}`);

export const dateFlows: readonly Scenario[] = [
  {
    name: 'shows and reads dates and hours in its own language, whatever the language of the browser',
    isOfNode: true,
    play: async (stage) => {
      const { doctor, session } = await makePractice(stage.url);
      const watched = await openPage(stage, { locale: 'en-US' });
      const { page } = watched;
      await page.goto(`${stage.url}/pasien/tunggu?dokter=${doctor}&layanan=${session}`);
      const [from, to] = [page.getByLabel('Mulai tanggal'), page.getByLabel('Sampai tanggal')];
      await from.waitFor();
      assert.equal(await from.inputValue(), written(clinicDate()));
      assert.equal(await from.getAttribute('placeholder'), 'hh/bb/tttt');
      const day = clinicDate(20);
      const [year = '', month = '', nth = ''] = day.split('-');
      for (const typed of [
        day,
        `${nth}${month}${year}`,
        `${Number(nth)}.${month}.${year.slice(2)}`,
        inWords(day),
      ]) {
        await to.fill(clinicDate(30));
        await to.fill(typed);
        await to.blur();
        assert.equal(await to.inputValue(), written(day), typed);
        await page.getByText(inWords(day)).waitFor();
      }
      for (const [typed, told] of [
        ['31/02/2027', 'Tanggal ini tidak ada di kalender.'],
        ['besok', 'Tulis hari, bulan, dan tahun, misalnya 26/11/2026.'],
        [clinicDate(-1), `Paling awal ${written(clinicDate())}.`],
      ] as const) {
        await from.fill(typed);
        assert.equal(await page.getByText(told).count(), 0, 'it is told before the field was left');
        await from.blur();
        await page.getByText(told).waitFor();
        assert.equal(await from.getAttribute('aria-invalid'), 'true');
      }
      await shoot(stage, page, 'pasien-tanggal-salah');
      await from.fill(clinicDate());
      await page.getByText('Hanya pada jam tertentu').click();
      const early = page.getByLabel(/Paling awal pukul/);
      for (const typed of ['8', '830', '08:30', '8.30']) {
        await early.fill(typed);
        await early.blur();
        assert.equal(await early.inputValue(), typed === '8' ? '08.00' : '08.30', typed);
      }
      await early.fill('25');
      await early.blur();
      await page.getByText('Tulis jam dan menit').waitFor();
      await assertAccessibleInAllLooks(page, 'an hour that is none');
      await page.evaluate(`localStorage.setItem('bahasa', 'en')`);
      await page.reload();
      await page.getByLabel('Until').fill('');
      assert.equal(await page.getByLabel('Until').getAttribute('placeholder'), 'dd/mm/yyyy');
      await page.getByLabel('Until').fill(`${Number(nth)}/${month}/${year}`);
      await page.getByLabel('Until').blur();
      assert.equal(await page.getByLabel('Until').inputValue(), written(day));
      await page.getByText(inWords(day, 'en-GB')).waitFor();
      await page.getByText('At certain times only').click();
      await page.getByLabel(/Not before/).fill('830');
      await page.getByLabel(/Not before/).blur();
      assert.equal(await page.getByLabel(/Not before/).inputValue(), '08:30');
      await shoot(stage, page, 'pasien-tanggal-inggris');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'has the ways to the weeks before and after in one row of a phone, in both languages',
    isOfNode: true,
    play: async (stage) => {
      const { doctor } = await makePractice(stage.url);
      const watched = await openPage(stage);
      const { page } = watched;
      for (const [language, earlier, later] of [
        ['id', '‹ Sebelumnya', 'Berikutnya ›'],
        ['en', '‹ Earlier', 'Later ›'],
      ] as const) {
        await page.goto(`${stage.url}/pasien/dokter/${doctor}?tanggal=${clinicDate(9)}`);
        await page.evaluate(`localStorage.setItem('bahasa', '${language}')`);
        await page.reload();
        const rows: (number | undefined)[] = [];
        for (const name of [earlier, later])
          rows.push((await page.getByRole('button', { name }).boundingBox())?.y);
        assert.equal(rows[0], rows[1], `one is below the other (${language})`);
        await assertReflowsWhenLarge(page, `the ways to other weeks (${language})`);
      }
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'an address with a date or an hour that is none shows its screen, and no empty page',
    play: async (stage) => {
      const practice = await makePractice(stage.url);
      const { doctor, session } = practice;
      const watched = await openPage(stage);
      const { page } = watched;
      for (const path of [
        `dokter/${doctor}?tanggal=2026-13-40`,
        `waktu?layanan=${session}&tanggal=besok`,
        `tunggu?layanan=${session}&dari=zzz&sampai=zzz`,
        `konfirmasi?dokter=${doctor}&layanan=${session}&tanggal=kapan&jam=10:00`,
        `konfirmasi?dokter=${doctor}&layanan=${session}&tanggal=${clinicDate(2)}&jam=pagi`,
      ]) {
        await page.goto(`${stage.url}/pasien/${path}`);
        const main = page.getByRole('main');
        await (path.startsWith('konfirmasi')
          ? main.getByRole('link', { name: 'Lihat waktu lain' })
          : main.getByRole('textbox').first()
        ).waitFor();
      }
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'lets a date be picked in a calendar, by the keyboard alone',
    isOfNode: true,
    play: async (stage) => {
      const { doctor, session } = await makePractice(stage.url);
      const watched = await openPage(stage, { locale: 'en-US' });
      const { page } = watched;
      await page.goto(`${stage.url}/pasien/tunggu?dokter=${doctor}&layanan=${session}`);
      const to = page.getByLabel('Sampai tanggal');
      const day = clinicDate(20);
      await to.fill(day);
      await page.keyboard.press('Tab');
      const dialog = page.getByRole('dialog', { name: 'Sampai tanggal' });
      const open = async (): Promise<void> => {
        await page.keyboard.press('Enter');
        await dialog.waitFor();
      };
      const isAtButton = `document.activeElement?.getAttribute('aria-label') === 'Buka kalender'`;
      await untilHolds(page, isAtButton);
      await open();
      await untilOn(page, day);
      assert.equal(
        await dialog.getByRole('button', { pressed: true }).getAttribute('aria-label'),
        inWords(day),
      );
      const heads = await dialog.getByRole('columnheader').allInnerTexts();
      assert.deepEqual(heads, ['Sen', 'Sel', 'Rab', 'Kam', 'Jum', 'Sab', 'Min']);
      for (const [key, days] of [
        ['ArrowRight', 1],
        ['ArrowDown', 8],
        ['ArrowLeft', 7],
        ['ArrowUp', 0],
      ] as const) {
        await page.keyboard.press(key);
        await untilOn(page, addDays(day, days));
      }
      // Nothing before the first day that may be chosen.
      await page.keyboard.press('Shift+PageUp');
      await untilOn(page, clinicDate());
      assert.equal(
        await dialog.locator('[aria-current=date]').getAttribute('aria-label'),
        inWords(clinicDate()),
      );
      await assertAccessibleInAllLooks(page, 'a calendar');
      await assertReflowsWhenLarge(page, 'a calendar');
      for (const { viewport, colorScheme } of ownLooks()) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        await shoot(stage, page, `pasien-kalender-${viewport.width}-${colorScheme}`);
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await untilHolds(page, isAtButton);
      assert.equal(await to.inputValue(), written(day));
      await open();
      await page.keyboard.press('ArrowRight');
      await untilOn(page, addDays(day, 1));
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await untilHolds(page, isAtButton);
      assert.equal(await to.inputValue(), written(addDays(day, 1)));
      await page.getByText(inWords(addDays(day, 1))).waitFor();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
