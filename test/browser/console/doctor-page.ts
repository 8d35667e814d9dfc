import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  assertAccessible,
  assertClean,
  assertReflows,
  assertReflowsWhenLarge,
  untilHolds,
} from '../support/checks.ts';
import { makePractice } from '../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { desk, openPage, phone, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { confirm, press, tabTo, type } from './keyboard.ts';
import { enter } from './steps.ts';

/** A photo as a camera makes it: wider than high, and larger than what is stored. */
const drawPhoto = `(() => {
  const canvas = document.createElement('canvas');
  canvas.width = 1600;
  canvas.height = 1200;
  const pen = canvas.getContext('2d');
  for (let y = 0; y < 30; y += 1)
    for (let x = 0; x < 40; x += 1) {
      pen.fillStyle = 'hsl(' + ((x * 9 + y * 5) % 360) + ' 60% 55%)';
      pen.fillRect(x * 40, y * 40, 40, 40);
    }
  return canvas.toDataURL('image/png').split(',')[1];
})()`;

const check = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel(name, { exact: true }).focus();
  await page.keyboard.press('Space');
};

const publish = async ({ url }: Stage) => {
  const practice = await makePractice(url);
  const token = await tokenOf(url, demo.admin);
  const path = `/v1/admin/doctors/${practice.doctor}/page`;
  return { practice, token, path };
};

export const doctorPages: readonly Scenario[] = [
  {
    name: 'the desk writes the page of a doctor by keyboard, publishes it, prints its code, and deletes it',
    play: async (stage) => {
      const { practice, token, path } = await publish(stage);
      const { doctor: id } = practice;
      const name = `dr. ${practice.name}`;
      const watched = await enter(stage, demo.staff, '/konsol/dokter');
      const { page } = watched;
      await page.evaluate('window.prints = 0; window.print = () => { window.prints += 1; };');
      await press(page, `Halaman ${name}`);
      await page.getByRole('heading', { name: `Halaman ${name}` }).waitFor();
      const read = async () => (await call(stage.url, 'GET', path, { token })).body.data;
      assert.equal((await read()).version, 0);
      assert.equal(await page.getByRole('heading', { name: 'Bagikan' }).count(), 0);
      await check(page, 'Terbitkan halaman ini');
      await page.getByLabel('Foto', { exact: true }).setInputFiles({
        name: 'dokter.png',
        mimeType: 'image/png',
        buffer: Buffer.from((await page.evaluate(drawPhoto)) as string, 'base64'),
      });
      await page.getByRole('img', { name: 'Foto baru, belum disimpan' }).waitFor();
      await type(page, 'Tentang dokter', 'Menangani anak dan dewasa.');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Juga lansia <b>di rumah</b>.');
      await type(page, 'Pendidikan', 'FK Unpad, 2010');
      await check(page, 'Indonesia');
      await check(page, 'Inggris');
      await check(page, 'Bugis');
      await check(page, 'Bugis');
      await press(page, 'Simpan');
      await page.getByText('Tersimpan.').waitFor();
      const written = await read();
      assert.deepEqual(
        [written.published, written.about, written.education, written.languages],
        [true, 'Menangani anak dan dewasa.\nJuga lansia <b>di rumah</b>.', ['FK Unpad, 2010'], ['id', 'en']],
      );
      const photo = await fetch(`${stage.url}${written.photo}`);
      assert.deepEqual([photo.status, photo.headers.get('Content-Type')], [200, 'image/webp']);
      await page.getByRole('heading', { name: 'Bagikan' }).waitFor();
      await assertAccessibleInAllLooks(page, 'konsol, the page of a doctor');
      await assertReflowsWhenLarge(page, 'konsol, the page of a doctor');
      await shoot(stage, page, 'konsol-halaman-dokter', true);
      await page.setViewportSize(phone);
      await shoot(stage, page, 'konsol-halaman-dokter-sempit', true);
      await page.setViewportSize(desk);

      await press(page, 'Cetak kode QR');
      await untilHolds(page, 'window.prints === 1');
      await page.emulateMedia({ media: 'print' });
      const said = await page.locator('body > [class*="poster"]').innerText();
      assert.match(
        said,
        new RegExp(`${name}[\\s\\S]*Pindai untuk membuat janji temu[\\s\\S]*/dokter/${written.slug}`),
      );
      await shoot(stage, page, 'konsol-halaman-dokter-cetak', true);
      await page.emulateMedia({ media: null });
      await page.evaluate('dispatchEvent(new Event("afterprint"))');
      assert.equal(await page.locator('body > [class*="poster"]').count(), 0);

      await type(page, 'Alamat halaman', `praktik-${id.slice(-6)}`);
      await press(page, 'Simpan');
      await page
        .getByText(`/dokter/praktik-${id.slice(-6)}`)
        .first()
        .waitFor();
      const old = await fetch(`${stage.url}/dokter/${written.slug}`, { redirect: 'manual' });
      assert.deepEqual([old.status, old.headers.get('Location')], [301, `/dokter/praktik-${id.slice(-6)}`]);

      await press(page, 'Hapus halaman');
      await confirm(page, 'Hapus halaman');
      await page.getByRole('heading', { name: 'Bagikan' }).waitFor({ state: 'detached' });
      assert.equal((await read()).version, 0);
      assert.equal((await fetch(`${stage.url}/dokter/praktik-${id.slice(-6)}`)).status, 404);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'the page of a doctor and its card in a frame: readable, accessible, in both languages, on a phone and at a desk',
    play: async (stage) => {
      const { practice, token, path } = await publish(stage);
      const name = `dr. ${practice.name}`;
      const canvas = await openPage(stage);
      const photo_image = await canvas.page.evaluate(`(async () => {
        const canvas = document.createElement('canvas');
        canvas.width = canvas.height = 320;
        const pen = canvas.getContext('2d');
        pen.fillStyle = '#0b6a61';
        pen.fillRect(0, 0, 320, 320);
        return canvas.toDataURL('image/webp', 0.8).split(',')[1];
      })()`);
      await canvas.close();
      const body = {
        published: true,
        about: 'Anak & dewasa.\n"Juga" <i>lansia</i>.',
        languages: ['id', 'en'],
        education: ['FK Unpad, 2010'],
        photo_image,
      };
      const written = await call(stage.url, 'PATCH', path, { token, body });
      assert.equal(written.status, 200, JSON.stringify(written.body));
      const { slug } = written.body.data;
      for (const [locale, book, next] of [
        ['id-ID', 'Buat janji temu', 'Waktu terdekat'],
        ['en-GB', 'Book an appointment', 'Next times'],
      ] as const) {
        const watched = await openPage(stage, { locale, viewport: desk });
        const { page } = watched;
        await page.goto(`${stage.url}/dokter/${slug}`);
        await page.getByRole('heading', { name, level: 1 }).waitFor();
        assert.equal(await page.getByText('"Juga" <i>lansia</i>.').count(), 1);
        await untilHolds(page, 'document.querySelector(".who img").naturalWidth === 320');
        await page.getByRole('heading', { name: next }).waitFor();
        await assertAccessibleInAllLooks(page, `the page of a doctor, ${locale}`);
        await assertReflows(page, 'the page of a doctor');
        await shoot(stage, page, `dokter-${locale}`, true);
        await page.setViewportSize(phone);
        await page.emulateMedia({ colorScheme: 'dark' });
        await shoot(stage, page, `dokter-${locale}-sempit-gelap`, true);
        await page.emulateMedia({ colorScheme: null });
        await page.keyboard.press('Tab');
        await tabTo(page, book);
        await page.keyboard.press('Enter');
        await page.waitForURL(`**/pasien/dokter/${practice.doctor}`);
        await assertClean(watched, stage.url);
        await watched.close();
      }
      assert.equal((await fetch(`${stage.url}/dokter/${slug}/kartu`)).status, 404);
      const clinic = { token, body: { embed_origins: ['https://situs.example'] } };
      assert.equal((await call(stage.url, 'PATCH', '/v1/admin/clinic', clinic)).status, 200);
      const watched = await openPage(stage, { viewport: { width: 360, height: 420 } });
      const { page } = watched;
      await page.goto(`${stage.url}/dokter/${slug}/kartu`);
      await page.getByRole('link', { name: 'Buat janji temu (buka tab baru)' }).waitFor();
      await assertAccessible(page, 'the card of a doctor');
      await shoot(stage, page, 'dokter-kartu', true);
      await assertClean(watched, stage.url);
      await watched.close();
      // In a page that is not named, the browser refuses it.
      const other = await openPage(stage, { viewport: desk });
      await other.context.grantPermissions(['local-network-access']);
      await other.page.route(/^https:/, (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<iframe src="${stage.url}/dokter/${slug}/kartu" width="360" height="420"></iframe>`,
        }),
      );
      const book = other.page
        .frameLocator('iframe')
        .getByRole('link', { name: 'Buat janji temu (buka tab baru)' });
      await other.page.goto('https://situs.example/');
      await book.waitFor();
      await shoot(stage, other.page, 'dokter-kartu-di-situs');
      const opened = other.page.waitForEvent('popup');
      await book.press('Enter');
      const tab = await opened;
      await tab.waitForURL(`**/pasien/dokter/${practice.doctor}`);
      assert.equal(await tab.evaluate('window.opener'), null);
      await tab.close();
      const refused = other.page.waitForEvent('console', (message) =>
        message.text().includes('frame-ancestors https://situs.example'),
      );
      await other.page.goto('https://lain.example/');
      await refused;
      assert.equal(await book.count().catch(() => 0), 0);
      await other.close();
      await call(stage.url, 'PATCH', '/v1/admin/clinic', { token, body: { embed_origins: [] } });
    },
  },
  {
    name: 'the patients’ list of doctors leads to a page that is published, in both languages; search engines find it',
    play: async (stage) => {
      const { practice, token, path } = await publish(stage);
      const { body } = await call(stage.url, 'PATCH', path, { token, body: { published: true } });
      const address = new URL(body.data.url, stage.url).pathname;
      const watched = await openPage(stage, { viewport: phone });
      const { page } = watched;
      const of = `dr. ${practice.name}`;
      await page.goto(`${stage.url}/pasien/dokter?q=${encodeURIComponent(practice.name)}`);
      const link = page.getByRole('link', { name: `Profil dokter: ${of}` });
      await link.waitFor();
      await assertAccessibleInAllLooks(page, 'a doctor with a page among the doctors');
      await assertReflowsWhenLarge(page, 'a doctor with a page among the doctors');
      await page.setViewportSize(phone);
      await shoot(stage, page, 'pasien-dokter-profil');
      await assertClean(watched, stage.url);
      await page.evaluate(`localStorage.setItem('bahasa', 'en')`);
      await page.reload();
      await page.getByRole('link', { name: `About the doctor: ${of}` }).press('Enter');
      await page.waitForURL(({ pathname }) => pathname === address);
      await page.getByRole('heading', { level: 1, name: of }).waitFor();
      await watched.close();
      const robots = await (await fetch(`${stage.url}/robots.txt`)).text();
      const list = /^Sitemap: (.*)$/m.exec(robots)?.[1];
      assert.ok(list);
      const listed = await (await fetch(new URL(new URL(list).pathname, stage.url))).text();
      assert.ok(listed.includes(`${address}</loc>`), listed);
    },
  },
];
