import assert from 'node:assert/strict';
import { holdBack, keepWaiting, refuse } from '../support/answers.ts';
import { assertClean, untilFocused } from '../support/checks.ts';
import { clinicDate, makePractice } from '../support/clinic.ts';
import { demo } from '../support/people.ts';
import { desk, openPage, type Scenario, shoot } from '../support/stage.ts';
import { openDesk } from '../waiting-room/clinic.ts';
import { bookSeat, newRecord, seatsOf } from './coming/waiting.ts';
import { press, set, tabTo } from './keyboard.ts';
import { enter, logInOn, until } from './steps.ts';

/** In which colour is written, and what a tint of the light theme comes to. */
const inkAndBadge = `(() => {
  const probe = document.createElement('i');
  probe.style.cssText = 'color: var(--ink); background: var(--approved)';
  const { color, backgroundColor } = getComputedStyle(document.body.appendChild(probe));
  return color + ' ' + backgroundColor;
})()`;

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
      await page.keyboard.press('Enter');
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
    name: 'an address without a date of the calendar shows today, and no field takes one',
    play: async (stage) => {
      const watched = await enter(stage);
      const { page } = watched;
      const heading = page.getByRole('heading', { level: 1 });
      const ofToday = await heading.innerText();
      await tabTo(page, 'Tanggal');
      const field = page.getByLabel('Tanggal');
      for (const [typed, told] of [
        ['25/11/20267', 'Tulis hari, bulan, dan tahun, misalnya 26/11/2026.'],
        ['31/02/2026', 'Tanggal ini tidak ada di kalender.'],
      ] as const) {
        await field.fill(typed);
        await page.keyboard.press('Enter');
        await page.getByText(told).waitFor();
        assert.equal(await field.getAttribute('aria-invalid'), 'true');
        assert.doesNotMatch(page.url(), /tanggal=/);
      }
      await field.fill('17 Agu 26');
      await page.keyboard.press('Enter');
      await page.waitForURL(/tanggal=2026-08-17/);
      assert.equal(await field.inputValue(), '17/08/2026');
      for (const date of ['abc', '2026-13-45', '2026-02-30', '20267-12-25']) {
        await page.goto(`${stage.url}/konsol/?tanggal=${date}`);
        await page.locator('[data-row]:visible').first().waitFor();
        assert.equal(await heading.innerText(), ofToday, date);
      }
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'no date is shown or asked for before the clinic has told its zone',
    isOfNode: true,
    play: async (stage) => {
      const watched = await openPage(stage, { viewport: desk });
      const { page } = watched;
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      const tell = await holdBack(page, '**/v1/clinic');
      await page.goto(`${stage.url}/konsol/`);
      const loggedIn = logInOn(page, demo.staff);
      loggedIn.catch(() => {});
      await page.locator('a[href="#isi"]').waitFor({ state: 'attached' });
      await page.getByText('Sedang memuat').waitFor({ state: 'attached' });
      const withDate = asked.filter((url) => /[?&](?:date|from)=/.test(url));
      assert.deepEqual(withDate, []);
      assert.equal(await page.getByRole('heading').count(), 0);
      tell();
      await loggedIn;
      await page.locator('[data-row]:visible').first().waitFor();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a clinic that does not tell its zone holds the console back for three seconds, and what is shown then stays',
    isOfNode: true,
    play: async (stage) => {
      const watched = await openPage(stage, { viewport: desk });
      const { page } = watched;
      const tellNothing = await keepWaiting(page, '**/v1/clinic');
      await page.goto(`${stage.url}/konsol/datang`);
      await logInOn(page, demo.staff);
      // A re-render creates another element.
      await page.evaluate(`document.querySelector('nav').dataset.seen = 'yes'`);
      await tellNothing();
      await refuse(page, '**/v1/clinic', 500, 'internal');
      await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
      await page.waitForTimeout(500);
      assert.equal(await page.locator('nav[data-seen]').count(), 1);
      await watched.close();
    },
  },
  {
    name: 'who was called is no longer next, without waiting for the next look at the queue',
    play: async (stage) => {
      const clinic = await openDesk(stage.url, 'Ruang 8');
      await clinic.arrive();
      await clinic.arrive();
      // Nothing here is routed: that would switch off what the browser keeps.
      const watched = await enter(stage, undefined, '/konsol/antrean');
      const own = watched.page.locator('section[data-queue]', { hasText: 'Ruang 8' }).last();
      const next = own.getByRole('listitem');
      await next.nth(1).waitFor();
      await own.getByRole('button', { name: /^Panggil berikutnya/ }).click();
      await next.nth(1).waitFor({ state: 'detached', timeout: 2_500 });
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a day with more rows than a window has room for shows all of them, and again after a search',
    isOfNode: true,
    play: async (stage) => {
      const date = clinicDate(5);
      const practice = await makePractice(stage.url, 60, 'automatic');
      const seat = (await seatsOf(stage.url, date)).find(({ doctor_id }) => doctor_id === practice.doctor);
      assert.ok(seat !== undefined);
      for (let nth = 1; nth <= 55; nth++)
        await bookSeat(stage.url, seat, await newRecord(stage.url, `Rombongan Ke ${nth}`));
      const watched = await enter(stage, undefined, `/konsol/?tanggal=${date}&dokter=${practice.doctor}`);
      const { page } = watched;
      const rows = page.locator('[data-row]');
      const areShown = (count: number) =>
        until(async () => (await rows.count()) === count, `${count} rows are shown`);
      await areShown(55);
      const search = page.getByRole('searchbox');
      await search.fill('Rombongan Ke 55');
      await areShown(1);
      await search.fill('');
      await areShown(55);
      // Elements outside of the window have no inner text.
      assert.match((await rows.last().textContent()) ?? '', /Rombongan Ke 55/);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'the list of a day prints whole, without what can be pressed',
    play: async (stage) => {
      const opened = await enter(stage);
      await opened.page.locator('[data-row]:visible').first().waitFor();
      await opened.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      for (const theme of ['', 'dark']) {
        await opened.page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        assert.equal(await opened.page.evaluate(inkAndBadge), 'rgb(0, 0, 0) rgb(226, 237, 251)', theme);
      }
      assert.equal(await opened.page.getByRole('navigation').isVisible(), false);
      const rows = opened.page.locator('[data-row]');
      for (let nth = 0; nth < (await rows.count()); nth++)
        assert.ok(await rows.nth(nth).isVisible(), `row ${nth}`);
      await opened.close();
    },
  },
  {
    name: 'the headings of the day list do not touch in English',
    play: async (stage) => {
      const { page, close } = await enter(stage);
      await page.evaluate("localStorage.setItem('bahasa', 'en')");
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.reload();
      await page.locator('[data-row]:visible').first().waitFor();
      const between = await page.evaluate(`(() => {
        const [number, patient] = ['Number', 'Patient'].map((text) => {
          const cell = [...document.querySelectorAll('th')].find((one) => one.textContent === text);
          const range = document.createRange();
          range.selectNodeContents(cell);
          return range.getBoundingClientRect();
        });
        return patient.left - number.right;
      })()`);
      assert.ok(Number(between) >= 4, `${between} px`);
      await shoot(stage, page, 'konsol-hari-en');
      await close();
    },
  },
  {
    name: 'a badge keeps its icon where there is little room',
    play: async (stage) => {
      const { page, close } = await enter(stage);
      await page.locator('[data-row]:visible').first().waitFor();
      const width = await page.evaluate(`(() => {
        const badge = [...document.querySelectorAll('[class*="StateBadge"]')].find((one) => one.offsetWidth > 0);
        badge.style.width = '40px';
        return badge.querySelector('svg').getBoundingClientRect().width;
      })()`);
      assert.equal(width, 18);
      await close();
    },
  },
];
