import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import {
  assertClean,
  assertReflowsWhenLarge,
  assertZooms,
  failedWith,
  untilFocused,
  untilHolds,
  walk,
} from '../support/checks.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { desk, openPage, openWhole, phone, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { type OperatorDeployment, operatorMail, operatorPassword, startDeployment } from './deployment.ts';

const withDeployment =
  (play: (stage: Stage, deployment: OperatorDeployment) => Promise<void>) =>
  async (stage: Stage): Promise<void> => {
    const deployment = await startDeployment();
    try {
      await play({ ...stage, url: deployment.url }, deployment);
    } finally {
      await deployment.stop();
    }
  };

/** Types into the field that has the focus, and goes on to the next. */
const type = async (page: Page, text: string, next = 'Tab'): Promise<void> => {
  await page.keyboard.type(text);
  await page.keyboard.press(next);
};

/** Presses Tab until the element with this name has the focus. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  const own = `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.labels?.[0]?.innerText ?? document.activeElement?.innerText ?? '').trim()`;
  for (let nth = 0; nth < 60; nth++) {
    if ((await page.evaluate(own)) === name) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Nothing is named ${name}.`);
};

const says = (page: Page, text: string): Promise<void> =>
  untilHolds(page, `document.body.innerText.includes(${JSON.stringify(text)})`);

const logIn = async (page: Page, { url, code }: OperatorDeployment, ahead = 0): Promise<void> => {
  await openWhole(page, `${url}/operator/`);
  await untilHolds(page, `document.activeElement?.type === 'email'`);
  await type(page, operatorMail);
  // Behind the password lies the button that shows it.
  await type(page, operatorPassword);
  await page.keyboard.press('Tab');
  await type(page, code(ahead), 'Enter');
};

const byKeyboard = (viewport: typeof phone): Scenario => ({
  name: `adds, closes and opens a clinic by keyboard alone, each after a question: ${viewport.width}`,
  isOfNode: true,
  play: withDeployment(async (stage, deployment) => {
    const watched = await openPage(stage, { viewport });
    const { page } = watched;
    await openWhole(page, `${stage.url}/operator/`);
    await untilHolds(page, `document.activeElement?.type === 'email'`);
    await type(page, operatorMail);
    await type(page, operatorPassword);
    await page.keyboard.press('Tab');
    await type(page, '000000', 'Enter');
    await says(page, 'Email, kata sandi, atau kode salah.');
    await logIn(page, deployment);
    await page.getByRole('row').nth(3).waitFor();

    await tabTo(page, 'Tambah klinik');
    await page.keyboard.press('Enter');
    await untilHolds(page, `document.querySelector('dialog')?.open === true`);
    await tabTo(page, 'Nama klinik');
    await type(page, 'Klinik Baru');
    await type(page, 'mawar-putih.janji.example', 'Enter');
    await says(page, 'Klinik Baru akan ditambahkan di mawar-putih.janji.example');
    await untilFocused(page, 'Kembali');
    // Esc leads back to what was typed, and does not close that.
    for (let times = 0; times < 3; times++) await page.keyboard.press('Escape');
    await says(page, 'Isian belum disimpan.');
    await tabTo(page, 'Lanjutkan');
    await page.keyboard.press('Enter');
    await says(page, 'Klinik Baru akan ditambahkan di mawar-putih.janji.example');
    await untilFocused(page, 'Kembali');
    await tabTo(page, 'Ya, tambahkan');
    await page.keyboard.press('Enter');
    await says(page, 'Sudah dipakai.');
    await tabTo(page, 'Alamat (nama domain)');
    await page.keyboard.press('Control+A');
    await type(page, 'baru.janji.example', 'Enter');
    await untilFocused(page, 'Kembali');
    await tabTo(page, 'Ya, tambahkan');
    await page.keyboard.press('Enter');
    await says(page, 'Klinik Baru sudah ditambahkan.');
    await says(page, '/mulai/#');
    await untilFocused(page, 'Tutup');
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: /Klinik Baru/ }).waitFor();
    await says(page, `${operatorMail} menambahkan Klinik Baru`);

    await tabTo(page, 'Tutup: Klinik Baru');
    await page.keyboard.press('Enter');
    await untilFocused(page, 'Batal');
    await page.keyboard.press('Enter');
    await untilFocused(page, 'Tutup: Klinik Baru');
    await page.keyboard.press('Enter');
    await untilFocused(page, 'Batal');
    await tabTo(page, 'Tutup');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Buka: Klinik Baru' }).waitFor();
    await tabTo(page, 'Buka: Klinik Baru');
    await page.keyboard.press('Enter');
    await untilFocused(page, 'Batal');
    await tabTo(page, 'Buka');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Tutup: Klinik Baru' }).waitFor();

    await page.reload();
    await page.getByRole('row').nth(3).waitFor();
    await walk(page, 'operator');
    await tabTo(page, 'Cari nama, alamat, atau ID');
    await type(page, 'mawar', 'Enter');
    await untilHolds(page, `document.querySelectorAll('tbody tr').length === 1`);
    await tabTo(page, 'Keluar');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Masuk' }).waitFor();
    await assertClean(watched, stage.url, [failedWith(401, 422)]);
    await watched.close();
  }),
});

const looks: Scenario = {
  name: 'every screen passes axe, narrow and wide, light and dark, in both languages',
  isOfNode: true,
  play: withDeployment(async (stage, deployment) => {
    const { page, close } = await openPage(stage, { viewport: phone, reducedMotion: 'reduce' });
    await openWhole(page, `${stage.url}/operator/`);
    const look = async (name: string): Promise<void> => {
      await assertAccessibleInAllLooks(page, `operator, ${name}`);
      for (const [width, viewport] of [
        ['360', phone],
        ['1280', desk],
      ] as const)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          await shoot(stage, page, `operator-${name}-${width}-${colorScheme}`, true);
        }
      await page.setViewportSize(phone);
      await assertReflowsWhenLarge(page, `operator, ${name}`);
    };
    await look('masuk');
    await assertZooms(page, 'operator, masuk');
    await logIn(page, deployment);
    await page.getByRole('row').nth(3).waitFor();
    for (const [language, add, shut] of [
      ['id', 'Tambah klinik', /^Tutup: Klinik Gigi/],
      ['en', 'Add a clinic', /^Close: Klinik Gigi/],
    ] as const) {
      await page.getByRole('combobox', { name: /^(Bahasa|Language)/ }).selectOption(language);
      await page.getByRole('button', { name: add }).waitFor();
      await look(`klinik-${language}`);
      await page.getByRole('button', { name: add }).click();
      await look(`tambah-${language}`);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: shut }).click();
      await look(`tanya-${language}`);
      await page.keyboard.press('Escape');
    }
    await close();
  }),
};

/** A receiver of mails, as a provider's API is. */
const receiveMails = async () => {
  const texts: string[] = [];
  const server = createServer((request, answer) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      texts.push(JSON.parse(text).text ?? text);
      answer.end('{}');
    });
  });
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  const { port } = server.address() as { port: number };
  const settings = {
    SIGNUP: 'on',
    PUBLIC_URL: 'https://ops.janji.example',
    MAIL_API_URL: `http://127.0.0.1:${port}/`,
    MAIL_API_KEY: 'kunci',
  };
  return { texts, settings, stop: () => server.close() };
};

const signsUp: Scenario = {
  name: 'a clinic signs up and proves its e-mail by keyboard alone, and an operator approves it',
  isOfNode: true,
  play: async (stage) => {
    const mails = await receiveMails();
    const deployment = await startDeployment(mails.settings);
    const own = { ...stage, url: deployment.url };
    try {
      const watched = await openPage(own, { viewport: phone, reducedMotion: 'reduce' });
      const { page } = watched;
      const look = async (name: string): Promise<void> => {
        await assertAccessibleInAllLooks(page, `sign-up, ${name}`);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await shoot(own, page, `daftar-${name}-${colorScheme}`, true);
        }
        await assertReflowsWhenLarge(page, `sign-up, ${name}`);
      };
      await openWhole(page, `${own.url}/operator/signup/`);
      await look('formulir');
      await page.getByRole('combobox', { name: /^Bahasa/ }).selectOption('en');
      await page.getByRole('button', { name: 'Send the request' }).waitFor();
      await look('formulir-en');
      await page.getByRole('combobox', { name: /^Language/ }).selectOption('id');
      await page.reload();
      await page.getByRole('button', { name: 'Kirim permohonan' }).waitFor();
      await tabTo(page, 'Nama klinik');
      await type(page, 'Klinik Kenanga');
      await type(page, 'kenanga.janji.example');
      await type(page, 'siti@kenanga.example', 'Enter');
      await says(page, 'Periksa email Anda');
      while (mails.texts.length === 0) await page.waitForTimeout(100);
      const token = /#[\w-]{43}/.exec(mails.texts[0] ?? '')?.[0];
      // Another address than the form's, else the browser would only jump within the page.
      await page.goto('about:blank');
      await openWhole(page, `${own.url}/operator/signup/${token}`);
      assert.equal(new URL(page.url()).hash, '');
      await look('konfirmasi');
      await tabTo(page, 'Ya, dari saya');
      await page.keyboard.press('Enter');
      await says(page, 'Terima kasih.');
      await logIn(page, deployment);
      await page.getByRole('button', { name: 'Setujui: Klinik Kenanga' }).waitFor();
      await look('permohonan');
      await tabTo(page, 'Setujui: Klinik Kenanga');
      await page.keyboard.press('Enter');
      await untilFocused(page, 'Batal');
      await tabTo(page, 'Setujui');
      await page.keyboard.press('Enter');
      await says(page, 'Tautannya sudah dikirim ke siti@kenanga.example');
      await page.getByRole('rowheader', { name: /Klinik Kenanga/ }).waitFor();
      assert.match(mails.texts[1] ?? '', /\/mulai\/#[\w-]{43}/);
      await assertClean(watched, own.url, [failedWith(401)]);
      await watched.close();
    } finally {
      await deployment.stop();
      mails.stop();
    }
  },
};

const elsewhere: Scenario = {
  name: 'the page is not there for a single clinic',
  play: async ({ url }) => {
    for (const path of ['/operator', '/operator/', '/operator/index.html', '/operator/api/session'])
      assert.equal((await fetch(url + path, { redirect: 'manual' })).status, 404, path);
  },
};

export const operator: readonly Scenario[] = [byKeyboard(phone), byKeyboard(desk), looks, signsUp, elsewhere];
