import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeBase32IgnorePadding } from '@oslojs/encoding';
import { generateHOTP } from '@oslojs/otp';
import type { Page } from 'playwright-core';
import { startNode, startWorker, temporaryFolder } from '../../support/servers.ts';
import { booked } from '../patient/steps.ts';
import { countByHand } from '../support/by-hand.ts';
import {
  assertAccessible,
  assertClean,
  assertReflowsWhenLarge,
  failedWith,
  walk,
} from '../support/checks.ts';
import { settings } from '../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { startOwn } from '../support/own-service.ts';
import { demo } from '../support/people.ts';
import { desk, openPage, phone, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { enter, logInOn, until } from './steps.ts';

const password = 'kopi-susu-pagi-7';

/** A Worker on a D1 that holds nothing, and the link that the command makes for it. */
const startEmptyWorker = async () => {
  const folder = temporaryFolder();
  const server = await startWorker(folder, settings, ['--empty']);
  // The Worker writes its clinic when it is asked for the first time.
  await fetch(`${server.url}/v1/setup`);
  const options = ['setup-link', '--d1', '--persist-to', folder, '--json'];
  const made = spawnSync('npm', ['run', '-s', 'janji', '--', ...options], {
    encoding: 'utf8',
    env: { ...process.env, PUBLIC_URL: server.url },
  });
  assert.equal(made.status, 0, made.stderr);
  return { server, link: JSON.parse(made.stdout.trim().split('\n').at(-1) ?? '').link as string };
};

/** A service in production on a database that holds nothing, and the link that it prints. */
const startEmpty = async ({ runtime }: Stage) => {
  if (runtime === 'workers') return startEmptyWorker();
  const server = await startNode(temporaryFolder(), {
    ...settings,
    NODE_ENV: 'production',
    JWT_SECRET: randomBytes(48).toString('base64'),
    DATA_KEY: randomBytes(32).toString('base64'),
    PASSKEY_ORIGINS: 'http://localhost:8787',
  });
  // It is printed a moment after the first request can be answered.
  const printed = () => /^ {2}(http:\S+\/mulai\/#[\w-]+)$/m.exec(server.printed())?.[1] ?? '';
  await until(async () => printed() !== '', server.printed());
  return { server, link: printed() };
};

/** Checks a step: read aloud, large and small, and by keyboard. */
const lookAtStep = async (stage: Stage, page: Page, name: string): Promise<void> => {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await assertAccessibleInAllLooks(page, `mulai, ${name}`);
  await assertReflowsWhenLarge(page, `mulai, ${name}`);
  await page.setViewportSize(phone);
  await page.emulateMedia({ colorScheme: 'dark' });
  await shoot(stage, page, `mulai-${name}-360-gelap`, true);
  await walk(page, `mulai, ${name}, 360`);
  await page.emulateMedia({ colorScheme: null });
  await shoot(stage, page, `mulai-${name}-360`, true);
  await page.setViewportSize(desk);
  await shoot(stage, page, `mulai-${name}`, true);
};

const goOn = async (page: Page, title: string, by = 'Lanjut'): Promise<void> => {
  await page.getByRole('link', { name: by, exact: true }).press('Enter');
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
};

const isDone = (page: Page, step: string) => page.getByRole('link', { name: `${step} , sudah` }).waitFor();

export const firstRun: readonly Scenario[] = [
  {
    name: 'from an empty database to the first booking: the printed link, an admin with a second factor, a week, and a patient',
    play: async (stage) => {
      const { server, link } = await startEmpty(stage);
      const { url } = server;
      const own = { ...stage, url };
      const byHand = countByHand();
      const lookAt = async (stage: Stage, page: Page, name: string): Promise<void> => {
        await byHand.read(page);
        await lookAtStep(stage, page, name);
      };
      try {
        const watched = await openPage(own, { viewport: desk });
        const { page } = watched;
        await byHand.watch(page);
        await page.goto(`${url}/mulai/`);
        await page.getByRole('heading', { name: 'Buka tautan penyiapan' }).waitFor();
        await lookAt(own, page, 'tanpa-tautan');
        await page.goto(link);
        await page.reload();
        await page.goto('about:blank');
        await page.goto(link);
        await page.getByRole('heading', { name: 'Admin pertama' }).waitFor();
        assert.equal(page.url(), `${url}/mulai/`, 'the token stays in the address');
        await lookAt(own, page, 'admin');
        await page.getByLabel('Nama', { exact: true }).fill('Rina Kusuma');
        await page.getByLabel('Email').fill('rina@klinik.example');
        await page.getByLabel('Kata sandi', { exact: true }).fill('password');
        await page.getByLabel('Ulangi kata sandi', { exact: true }).fill('password');
        await page.keyboard.press('Enter');
        await page.getByRole('alert').waitFor();
        await assertAccessible(page, 'mulai, a weak password');
        await page.getByLabel('Kata sandi', { exact: true }).fill(password);
        await page.getByLabel('Ulangi kata sandi', { exact: true }).fill(password);
        await page.keyboard.press('Enter');

        await page.getByRole('heading', { level: 1, name: 'Akun Anda' }).waitFor();
        await page.getByRole('button', { name: 'Pakai aplikasi autentikator' }).waitFor();
        await lookAt(own, page, 'akun');
        await page.getByRole('button', { name: 'Pakai aplikasi autentikator' }).press('Enter');
        const secret = (await page.getByText(/^([A-Z2-7]{4} ){4,}/).innerText()).replaceAll(' ', '');
        const step = BigInt(Math.floor(Date.now() / 30_000));
        await page
          .getByLabel('Kode dari aplikasi')
          .fill(generateHOTP(decodeBase32IgnorePadding(secret), step, 6));
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Sudah saya simpan' }).press('Enter');

        await page.getByRole('heading', { level: 1, name: 'Klinik' }).waitFor();
        await isDone(page, 'Akun Anda');
        await page.getByLabel('Nama klinik').waitFor();
        await lookAt(own, page, 'klinik');
        await page.getByLabel('Nama klinik').fill('Klinik Melati');
        await page.getByLabel('Alamat').fill('Jl. Melati 1, Bandung');
        await page.getByRole('button', { name: 'Simpan' }).press('Enter');
        await page.getByText('Tersimpan.').waitFor();
        await isDone(page, 'Klinik');

        await goOn(page, 'Layanan');
        await page.getByLabel('Nama layanan').waitFor();
        await lookAt(own, page, 'layanan');
        await page.getByLabel('Nama layanan').fill('Poli umum');
        await page.getByLabel('Persetujuan').selectOption({ label: 'Otomatis' });
        await page.getByRole('button', { name: 'Simpan' }).press('Enter');
        await isDone(page, 'Layanan');
        await page.getByRole('listitem').filter({ hasText: 'Poli umum' }).waitFor();

        await goOn(page, 'Dokter dan jam praktik');
        await page.getByLabel('Nama', { exact: true }).fill('Ratna Dewi');
        await page.getByLabel('Jam praktik').selectOption({ index: 2 });
        await page.getByText('160 slot, 160 kursi per minggu').waitFor();
        await lookAt(own, page, 'dokter');
        await page.getByRole('button', { name: 'Simpan' }).press('Enter');
        await isDone(page, 'Dokter dan jam praktik');
        await page.getByText('dr. Ratna Dewi · 160 slot per minggu').waitFor();
        await lookAt(own, page, 'dokter-ada');

        await goOn(page, 'Hari libur');
        await page.getByRole('button', { name: /^Tambahkan/ }).waitFor();
        await lookAt(own, page, 'libur');
        await page.getByRole('button', { name: /^Tambahkan/ }).press('Enter');
        await page
          .getByText(/hari libur ditambahkan|^Tambahkan$/)
          .first()
          .waitFor();

        await goOn(page, 'Petugas');
        await page.getByRole('button', { name: 'Undang orang' }).press('Enter');
        await lookAt(own, page, 'petugas');
        await page.getByLabel('Nama', { exact: true }).fill('Budi Santoso');
        await page.getByLabel('Email').fill('budi@klinik.example');
        await page.getByRole('button', { name: 'Undang orang' }).press('Enter');
        await page.getByText('Berikan tautan ini kepada orangnya.').waitFor();
        await page.getByText('Budi Santoso · Petugas').waitFor();

        await goOn(page, 'Email dan pesan');
        await page.getByText('SMTP_URL=').waitFor();
        await lookAt(own, page, 'email');
        await goOn(page, 'Cadangan data', 'Lewati dulu');
        await lookAt(own, page, 'cadangan');
        // A database that is no file of its own has other backups, which the service cannot see.
        const makesBackups = stage.runtime === 'node';
        assert.equal(await page.getByText('BACKUP_FOLDER').count(), makesBackups ? 1 : 0);
        await goOn(page, 'Selesai', makesBackups ? 'Lewati dulu' : 'Lanjut');
        await page.getByText('Layanan ini belum mengirim email.').waitFor();
        await lookAt(own, page, 'selesai');
        await page.getByLabel('Bahasa').selectOption('en');
        await page.getByRole('heading', { level: 1, name: 'Done' }).waitFor();
        await page.getByRole('link', { name: 'Services , done' }).waitFor();
        await assertAccessible(page, 'mulai, in English');
        await shoot(own, page, 'mulai-selesai-en', true);
        await page.getByLabel('Language').selectOption('id');
        await page.getByRole('heading', { level: 1, name: 'Selesai' }).waitFor();
        await page.getByRole('main').getByRole('link', { name: 'Buka konsol' }).press('Enter');
        await page.getByRole('link', { name: `Penyiapan ${makesBackups ? 2 : 1} belum siap` }).press('Enter');
        await page.getByRole('heading', { level: 1, name: 'Penyiapan' }).waitFor();
        await page.getByText('Layanan ini belum mengirim email.').waitFor();
        if (makesBackups) await page.getByText('Belum ada cadangan data.').waitFor();
        await lookAt(own, page, 'siap');
        await assertClean(watched, url, [failedWith(422)]);
        await watched.close();

        const patient = await openPage(own);
        await byHand.watch(patient.page);
        await patient.page.goto(`${url}/pasien/dokter`);
        await patient.page.getByRole('link', { name: /Ratna Dewi/ }).click();
        await patient.page.getByRole('heading', { name: /^Jam praktik/ }).waitFor();
        await patient.page.locator('a[href*="/konfirmasi"]').last().click();
        await patient.page.getByRole('button', { name: 'Belum punya akun? Daftar' }).click();
        await patient.page.getByLabel('Nama lengkap').fill('Wulan Hapsari');
        await patient.page.getByLabel('Nomor ponsel').fill('0812-3456-7890');
        await patient.page.getByLabel('Email').fill('wulan@klinik.example');
        await patient.page.getByLabel('Kata sandi', { exact: true }).fill(password);
        await patient.page.getByLabel('Ulangi kata sandi', { exact: true }).fill(password);
        await patient.page.getByRole('button', { name: 'Daftar', exact: true }).click();
        await patient.page.getByRole('button', { name: 'Buat janji' }).click();
        await patient.page.getByText(booked).waitFor();
        await byHand.read(patient.page);
        const sum = byHand.sum();
        assert.ok(sum.minutes < 10, JSON.stringify(sum));
        await shoot(own, patient.page, 'mulai-janji-pertama');
        await assertClean(patient, url);
        await patient.close();

        // The link was used: opening it now leads to the login.
        const late = await openPage(own, { viewport: desk });
        await late.page.goto(link);
        await late.page.getByRole('heading', { name: 'Masuk ke konsol' }).waitFor();
        await assertClean(late, url);
        await late.close();
      } finally {
        await server.stop();
      }
    },
  },
  {
    name: 'a trial letter says why it did not leave, and that it did; who is logged out on the way goes on where they were',
    startsOwn: true,
    play: async (stage) => {
      let status = 401;
      const letters: string[] = [];
      const provider = createServer((request, response) => {
        let body = '';
        request.on('data', (part) => (body += String(part)));
        request.on('end', () => {
          letters.push(body);
          response.writeHead(status).end('{}');
        });
      });
      await new Promise<void>((listens) => provider.listen(0, '127.0.0.1', listens));
      const { port } = provider.address() as AddressInfo;
      const server = await startOwn(stage, {
        MAIL_API_URL: `http://127.0.0.1:${port}/emails`,
        MAIL_API_KEY: 'kunci',
      });
      const own = { ...stage, url: server.url };
      try {
        const watched = await enter(own, demo.admin, '/mulai/email');
        const { page } = watched;
        const button = page.getByRole('button', { name: 'Kirim surat percobaan kepada saya' });
        await button.press('Enter');
        await page.getByText('Sebab: HTTP 401').waitFor();
        await lookAtStep(own, page, 'surat-gagal');
        status = 200;
        await button.press('Enter');
        await page.getByText(/^Surat percobaan telah dikirim/).waitFor();
        await lookAtStep(own, page, 'surat');
        const { to, subject } = JSON.parse(letters.at(-1) ?? '{}');
        assert.deepEqual([to, subject], [[demo.admin], 'Surat percobaan dari sistem janji temu klinik']);
        await page.getByRole('button', { name: 'Keluar' }).press('Enter');
        await page.getByRole('heading', { name: 'Masuk ke konsol' }).waitFor();
        await logInOn(page, demo.admin);
        await page.getByRole('heading', { level: 1, name: 'Email dan pesan' }).waitFor();
        await page.goto(`${server.url}/konsol/siap`);
        await page.getByText('Semua sudah siap.').waitFor();
        await assertClean(watched, server.url, [failedWith(409)]);
        await watched.close();
        const reception = await enter(own, demo.staff, '/konsol/');
        await reception.page.goto(`${server.url}/mulai/`);
        await reception.page.getByText('Penyiapan klinik dikerjakan oleh admin.').waitFor();
        await assertAccessible(reception.page, 'mulai, for the reception');
        await assertClean(reception, server.url);
        await reception.close();
      } finally {
        await server.stop();
        provider.closeAllConnections();
        provider.close();
      }
    },
  },
];
