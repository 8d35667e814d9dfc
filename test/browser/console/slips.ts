import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { refuse } from '../support/answers.ts';
import { assertClean, assertReflowsWhenLarge, failedWith, untilHolds } from '../support/checks.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import {
  desk,
  phone,
  type Scenario,
  type Stage,
  shoot,
  shotsFolder,
  type Watched,
} from '../support/stage.ts';
import { choose, press, tabTo } from './keyboard.ts';
import { enter, expectedToday, rowOf } from './steps.ts';

/** How often the page asked the browser to print. The browser of the tests shows no dialog and prints nothing. */
const countPrints = `window.prints = 0; window.print = () => { window.prints += 1; };`;

const enterWithPrinter = async (
  stage: Stage,
  path: string,
  kept: Readonly<Record<string, string>>,
  look = { viewport: desk },
): Promise<Watched> => {
  const watched = await enter(stage, demo.staff, '/konsol/', look);
  await watched.context.addInitScript(countPrints);
  await watched.page.evaluate(
    `Object.entries(${JSON.stringify(kept)}).forEach(([name, value]) => localStorage.setItem(name, value))`,
  );
  await watched.page.goto(`${stage.url}${path}`);
  await watched.page.getByRole('navigation').waitFor();
  return watched;
};

const untilPrinted = (page: Page, times: number): Promise<void> =>
  untilHolds(page, `window.prints === ${times}`);

const slip = (page: Page) => page.locator('body > [data-paper]');

/** What is on the paper, its size in millimetres, and its pages. */
const paperOf = async (page: Page) => {
  await page.emulateMedia({ media: 'print' });
  const said = await slip(page).innerText();
  const colors = await page.evaluate(`(() => {
    const own = getComputedStyle(document.querySelector('body > [data-paper]'));
    const root = getComputedStyle(document.documentElement);
    return [own.color, own.backgroundColor, root.backgroundColor].join(' on ');
  })()`);
  const others = await page.locator('body > :not([data-paper]):visible').count();
  // Printing takes the slip away, as the browser's dialog does when it is closed.
  const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString('latin1');
  await page.emulateMedia({ media: null });
  const sizes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) =>
    [width, height].map((points) => Math.round((Number(points) / 72) * 25.4)),
  );
  return { said, colors, others, sizes };
};

const blackOnWhite = 'rgb(0, 0, 0) on rgb(255, 255, 255) on rgb(255, 255, 255)';

export const slips: readonly Scenario[] = [
  {
    name: 'a device without a printer of slips shows none; one with it prints a test page by keyboard alone',
    play: async (stage) => {
      const watched = await enterWithPrinter(stage, '/konsol/akun', {});
      const { page } = watched;
      await page.getByRole('heading', { name: 'Karcis antrean' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Cetak halaman uji' }).count(), 0);
      for (const [width, most] of [
        [58, 130],
        [80, 160],
      ] as const) {
        await choose(page, 'Printer karcis', `Kertas ${width} mm`);
        await press(page, 'Cetak halaman uji');
        await untilPrinted(page, width === 58 ? 1 : 2);
        const { said, colors, others, sizes } = await paperOf(page);
        assert.match(said, /Halaman uji/);
        assert.match(said, /A-012/);
        assert.doesNotMatch(said, /Nama Pasien/, 'a name is a choice');
        assert.equal(colors, blackOnWhite);
        assert.equal(others, 0, 'nothing else is on the paper');
        assert.equal(sizes.length, 1, `one page: ${JSON.stringify(sizes)}`);
        assert.equal(sizes[0]?.[0], width);
        const height = sizes[0]?.[1] ?? 0;
        assert.ok(height >= width && height < most, `${height} mm of paper`);
        assert.equal(await slip(page).count(), 0, 'the slip is gone after it was printed');
        assert.equal(await page.evaluate('document.adoptedStyleSheets.length'), 0);
      }
      await page.getByLabel('Cetak nama pasien di karcis').focus();
      await page.keyboard.press('Space');
      await press(page, 'Cetak halaman uji');
      await untilPrinted(page, 3);
      assert.match((await paperOf(page)).said, /Nama Pasien/);
      await page.reload();
      await page.getByRole('heading', { name: 'Karcis antrean' }).waitFor();
      assert.equal(await page.getByLabel('Printer karcis').inputValue(), '80', 'the device keeps it');
      assert.ok(await page.getByLabel('Cetak nama pasien di karcis').isChecked());
      await assertAccessibleInAllLooks(page, 'konsol, the printer of slips');
      await assertReflowsWhenLarge(page, 'konsol, the printer of slips');
      await shoot(stage, page, 'konsol-akun-karcis', true);
      await choose(page, 'Printer karcis', 'Tidak ada');
      assert.equal(await page.getByRole('button', { name: 'Cetak halaman uji' }).count(), 0);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'after check-in one press prints the slip: number, doctor, time and a code, and nothing of the patient',
    play: async (stage) => {
      const { url } = stage;
      const booking = await expectedToday(url);
      const token = await tokenOf(url, demo.staff);
      const { data } = (await call(url, 'GET', `/v1/bookings/${booking.id}`, { token })).body;
      const watched = await enterWithPrinter(stage, '/konsol/', { karcis: '58', tema: 'dark' });
      const { page } = watched;
      const row = rowOf(page, booking);
      const ofRow = row.getByRole('button', { name: `Cetak karcis: ${booking.patient.name}` });
      await row.waitFor();
      assert.equal(await ofRow.count(), 0, 'nobody is here yet');
      await tabTo(page, `Catat hadir: ${booking.patient.name}`);
      await page.keyboard.press('Enter');
      await ofRow.waitFor();
      await shoot(stage, page, 'konsol-hari-karcis');
      await page.keyboard.press('ArrowRight');
      await untilHolds(page, `document.activeElement?.dataset.stop === 'slip'`);
      await page.keyboard.press('Enter');
      await untilPrinted(page, 1);
      assert.equal(await slip(page).locator('svg[role=img] path').count(), 1);
      await page.emulateMedia({ media: 'print' });
      await slip(page).screenshot({ path: join(shotsFolder(), 'karcis-58.png') });
      const { said, colors, others, sizes } = await paperOf(page);
      for (const part of [
        data.queue_label,
        data.doctor_name,
        data.session_name,
        data.booking_code,
        data.schedule_time.slice(0, 5).replace(':', '.'),
        ...(data.room ? [data.room] : []),
      ])
        assert.ok(said.includes(part), `${part} in ${said}`);
      assert.ok(!said.includes(booking.patient.name), 'no name unless the device prints names');
      assert.ok(!said.includes(data.patient.phone_number), 'never a phone number');
      assert.equal(colors, blackOnWhite);
      assert.equal(others, 0);
      assert.deepEqual(
        sizes.map(([width]) => width),
        [58],
      );
      await row.getByRole('button', { name: booking.patient.name, exact: true }).click();
      const ofDetail = page.getByRole('complementary').getByRole('button', { name: 'Cetak karcis' });
      await ofDetail.click();
      await untilPrinted(page, 2);
      await page.pdf({ preferCSSPageSize: true });
      await assertAccessibleInAllLooks(page, 'konsol, a booking with its slip');
      await shoot(stage, page, 'konsol-rincian-karcis');
      await assertReflowsWhenLarge(page, 'konsol, the day with a printer of slips');
      const mend = await refuse(page, `**/v1/bookings/${booking.id}`, 500, 'internal_error');
      await ofDetail.click();
      await page.getByRole('complementary').getByRole('alert').waitFor();
      await mend();
      await page.getByRole('link', { name: 'Antrean' }).click();
      await page.locator('[data-queue]').first().waitFor();
      await press(page, `Cetak karcis: ${booking.patient.name}`);
      await untilPrinted(page, 3);
      await page.pdf({ preferCSSPageSize: true });
      await assertAccessibleInAllLooks(page, 'konsol, the queue with a slip');
      await shoot(stage, page, 'konsol-antrean-karcis', true);
      await assertClean(watched, url, [failedWith(500)]);
      await watched.close();
    },
  },
  {
    name: 'a walk-in gets the slip by one press, on 80 mm, with the name where the device prints names, in English',
    play: async (stage) => {
      const { url } = stage;
      const watched = await enterWithPrinter(
        stage,
        '/konsol/datang',
        { karcis: '80', 'karcis-nama': 'ya', bahasa: 'en' },
        { viewport: phone },
      );
      const { page } = watched;
      const name = `Wati Karcis ${Date.now().toString(36)}`;
      await page.locator('#jam input[type=radio]').first().waitFor();
      await page.getByLabel('Name or phone').fill(name);
      await page.getByText('Not found.').waitFor();
      await page.keyboard.press('Enter');
      await page.locator('input[type=tel]').fill(`813${Date.now()}`.slice(0, 12));
      await page.keyboard.press('Control+Enter');
      await page.getByRole('heading', { name: 'Booked' }).waitFor();
      await page.getByRole('button', { name: 'Print slip' }).waitFor();
      await press(page, 'Print slip');
      await untilPrinted(page, 1);
      await page.emulateMedia({ media: 'print' });
      await slip(page).screenshot({ path: join(shotsFolder(), 'karcis-80.png') });
      const { said, sizes } = await paperOf(page);
      assert.match(said, /Queue number/);
      assert.match(said, /Booking code/);
      assert.ok(said.includes(name));
      assert.deepEqual(
        sizes.map(([width]) => width),
        [80],
      );
      await assertAccessibleInAllLooks(page, 'konsol, a walk-in with its slip');
      await assertReflowsWhenLarge(page, 'konsol, a walk-in with its slip');
      await shoot(stage, page, 'konsol-datang-karcis');
      await assertClean(watched, url);
      await watched.close();
    },
  },
];
