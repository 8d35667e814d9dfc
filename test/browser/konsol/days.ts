import assert from 'node:assert/strict';
import { assertClean, untilFocused } from '../support/checks.ts';
import { clinicDate } from '../support/clinic.ts';
import type { Scenario } from '../support/stage.ts';
import { press, set, tabTo } from './keyboard.ts';
import { enter } from './steps.ts';

export const days: readonly Scenario[] = [
  {
    name: 'from day to day by keyboard alone: the focus stays on what was pressed or typed in',
    play: async (stage) => {
      const watched = await enter(stage);
      const { page } = watched;
      const isShown = (date: string) =>
        page.waitForURL(({ searchParams }) => searchParams.get('tanggal') === date);
      await tabTo(page, 'Hari berikutnya');
      for (const ahead of [1, 2]) {
        await page.keyboard.press('Enter');
        await isShown(clinicDate(ahead));
        await untilFocused(page, 'Hari berikutnya');
      }
      await set(page, 'Tanggal', clinicDate(-1));
      await isShown(clinicDate(-1));
      await untilFocused(page, 'Tanggal');
      const ofYesterday = await page.getByRole('heading', { level: 1 }).innerText();
      await press(page, 'Hari ini');
      await page.waitForURL(({ searchParams }) => !searchParams.has('tanggal'));
      await untilFocused(page, 'Tanggal');
      assert.notEqual(await page.getByRole('heading', { level: 1 }).innerText(), ofYesterday);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'the list of a day prints whole, without what can be pressed',
    play: async (stage) => {
      const opened = await enter(stage);
      await opened.page.locator('[data-row]:visible').first().waitFor();
      await opened.page.emulateMedia({ media: 'print' });
      assert.equal(await opened.page.getByRole('navigation').isVisible(), false);
      const rows = opened.page.locator('[data-row]');
      for (let nth = 0; nth < (await rows.count()); nth++)
        assert.ok(await rows.nth(nth).isVisible(), `row ${nth}`);
      await opened.close();
    },
  },
];
