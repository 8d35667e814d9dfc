import assert from 'node:assert/strict';
import { decodeBase32IgnorePadding } from '@oslojs/encoding';
import { generateHOTP } from '@oslojs/otp';
import { holdBack } from '../support/answers.ts';
import { assertClean, failedWith } from '../support/checks.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { desk, openPage, type Scenario, shoot } from '../support/stage.ts';
import { enter, logInOn } from './steps.ts';

export const sessions: readonly Scenario[] = [
  {
    name: 'opens under the policy, and lets in who may come in',
    play: async (stage) => {
      const watched = await openPage(stage, { viewport: desk });
      const { page } = watched;
      const opened = await page.goto(`${stage.url}/konsol/`);
      const policy = opened?.headers()['content-security-policy'] ?? '';
      assert.match(policy, /require-trusted-types-for 'script'; trusted-types janji/);
      await page.getByLabel('Email').fill(demo.staff);
      await page.getByLabel('Kata sandi', { exact: true }).fill('salah-sekali-7');
      await page.keyboard.press('Enter');
      await page.getByText('Email atau kata sandi salah').waitFor();
      await assertAccessibleInAllLooks(page, 'konsol, login');
      await shoot(stage, page, 'konsol-masuk');
      await logInOn(page, demo.staff);
      await page.locator('[data-row]:visible').first().waitFor();
      await assertClean(watched, stage.url, [failedWith(401)]);
      await watched.close();
    },
  },
  {
    name: 'a patient stays outside, and a role sees its own places',
    play: async (stage) => {
      const patient = await openPage(stage, { viewport: desk });
      await patient.page.goto(`${stage.url}/konsol/`);
      await patient.page.getByLabel('Email').fill(demo.patient);
      await patient.page.getByLabel('Kata sandi', { exact: true }).fill(demo.password);
      await patient.page.keyboard.press('Enter');
      await patient.page.getByText('Halaman ini untuk petugas klinik').waitFor();
      await patient.close();
      const staff = await enter(stage, demo.staff, '/konsol/audit');
      await staff.page.getByText('Halaman ini tidak tersedia untuk peran Petugas.').waitFor();
      assert.equal(await staff.page.getByRole('link', { name: 'Audit' }).count(), 0);
      await staff.close();
      const doctor = await enter(stage, demo.doctor);
      await doctor.page.getByText('Pasien sekarang').waitFor();
      assert.equal(await doctor.page.getByRole('link', { name: 'Pasien', exact: true }).count(), 0);
      await shoot(stage, doctor.page, 'konsol-dokter');
      await doctor.close();
    },
  },
  {
    name: 'logging out logs every tab out',
    play: async (stage) => {
      const watched = await enter(stage);
      const other = await watched.context.newPage();
      await other.goto(`${stage.url}/konsol/antrean`);
      await other.getByRole('navigation').waitFor();
      await watched.page.locator('summary', { hasText: 'Rina' }).click();
      await watched.page.getByRole('button', { name: 'Keluar' }).click();
      await watched.page.getByRole('heading', { name: 'Masuk ke konsol' }).waitFor();
      await other.getByRole('heading', { name: 'Masuk ke konsol' }).waitFor();
      assert.equal(await other.getByRole('navigation').count(), 0);
      await watched.close();
    },
  },
  {
    name: 'half an hour without use: a minute to object, then out',
    play: async (stage) => {
      const watched = await openPage(stage, { viewport: desk });
      const { page } = watched;
      await page.clock.install();
      await page.goto(`${stage.url}/konsol/`);
      await logInOn(page, demo.staff);
      await page.clock.fastForward('30:02');
      await page.getByRole('dialog', { name: 'Masih di sini?' }).waitFor();
      await assertAccessibleInAllLooks(page, 'konsol, idle');
      await shoot(stage, page, 'konsol-diam');
      await page.getByRole('button', { name: 'Tetap masuk' }).click();
      assert.equal(await page.getByRole('dialog').count(), 0);
      await page.clock.fastForward('30:02');
      await page.getByRole('dialog', { name: 'Masih di sini?' }).waitFor();
      await page.clock.fastForward('01:02');
      await page.getByText('konsol tidak dipakai selama 30 menit').waitFor();
      await watched.close();
    },
  },
  {
    name: 'a second factor is asked for',
    play: async (stage) => {
      const { url } = stage;
      const admin = await tokenOf(url, demo.admin);
      const email = `dua-${Date.now().toString(36)}@klinik.example`;
      const password = 'kopi-susu-pagi-7';
      const made = await call(url, 'POST', '/v1/admin/people', {
        token: admin,
        body: { name: 'Dewi Dua Langkah', email, role: 'staff', password },
      });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const login = await call(url, 'POST', '/v1/auth/login', { body: { email, password } });
      const token = login.body.data.access_token as string;
      const begun = await call(url, 'POST', '/v1/auth/second-factors/totp', { token, body: {} });
      const key = decodeBase32IgnorePadding(begun.body.data.secret as string);
      const code = (ahead: number) => generateHOTP(key, BigInt(Math.floor(Date.now() / 30_000) + ahead), 6);
      const confirmed = await call(url, 'POST', '/v1/auth/second-factors/totp/confirm', {
        token,
        body: { code: code(0) },
      });
      assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
      const watched = await openPage(stage, { viewport: desk });
      const { page } = watched;
      await page.goto(`${url}/konsol/`);
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Kata sandi', { exact: true }).fill(password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Langkah kedua' }).waitFor();
      await assertAccessibleInAllLooks(page, 'konsol, second step');
      await page.getByLabel('Kode', { exact: true }).fill(code(1));
      await page.keyboard.press('Enter');
      await page.getByRole('navigation').waitFor();
      await assertClean(watched, url, [failedWith(401)]);
      await watched.close();
    },
  },
  {
    name: 'the words change with the language, and the choice stays',
    play: async (stage) => {
      const watched = await enter(stage);
      const { page } = watched;
      await page.locator('summary', { hasText: 'Rina' }).click();
      await page.getByRole('heading', { level: 1 }).click();
      assert.equal(await page.getByLabel('Bahasa').isVisible(), false, 'a press elsewhere closes the sheet');
      await page.locator('summary', { hasText: 'Rina' }).click();
      await page.getByLabel('Bahasa').selectOption('en');
      await page.getByRole('link', { name: 'Today' }).waitFor();
      await page.getByRole('link', { name: 'Queue' }).click();
      await page
        .getByRole('button', { name: /^Call next/ })
        .first()
        .waitFor();
      await page.reload();
      await page.getByRole('link', { name: 'Today' }).waitFor();
      await shoot(stage, page, 'konsol-antrean-en');
      await watched.close();
    },
  },
  {
    name: 'a screen that is loaded later is in the chosen language from the first moment',
    play: async (stage) => {
      const watched = await enter(stage, demo.admin);
      const { page } = watched;
      await page.evaluate("localStorage.setItem('bahasa', 'en')");
      await page.reload();
      await page.getByRole('link', { name: 'Statistics' }).waitFor();
      const letWordsCome = await holdBack(page, '**/assets/konsol-en-*');
      const words = page.waitForRequest(/assets\/konsol-en-/);
      await page.getByRole('link', { name: 'Statistics' }).click();
      await words;
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
      assert.equal(await page.getByText('Unduh CSV').count(), 0, 'in another language first');
      letWordsCome();
      await page.getByRole('button', { name: 'Download CSV' }).waitFor();
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
