import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { fileOfD1 } from '../../support/node/command-line.ts';
import { change } from '../../support/node/rows.ts';
import { temporaryFolder } from '../../support/servers.ts';
import { press, set, tabTo } from '../console/keyboard.ts';
import { enter, rowOf } from '../console/steps.ts';
import { assertClean, assertReflowsWhenLarge, walk } from '../support/checks.ts';
import { bookFor, clinicDate, freeSlots, makePractice } from '../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { doDueWork, startOwn } from '../support/own-service.ts';
import { call, demo, newPatient, tokenOf } from '../support/people.ts';
import { desk, openPage, phone, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { goTo, openAs } from './steps.ts';

const dayMs = 86_400_000;

/** A provider of mail, and the letters that it was given. */
const openProvider = async () => {
  const letters: { to: string[]; text: string }[] = [];
  const provider = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      letters.push(JSON.parse(body));
      response.writeHead(200).end('{}');
    });
  });
  await new Promise<void>((listens) => provider.listen(0, '127.0.0.1', listens));
  /** The paths behind the two links of the reminder to somebody. */
  const linksFor = async (email: string): Promise<{ confirm: string; cancel: string }> => {
    for (let nth = 0; nth < 300; nth++) {
      const found = letters
        .filter(({ to }) => to.includes(email))
        .map(({ text }) =>
          [...text.matchAll(/https:\S+\/notices\/visit\/\S+/g)].map(([link]) => new URL(link)),
        )
        .find(({ length }) => length === 2);
      if (found !== undefined) {
        const [confirm = '', cancel = ''] = found.map(({ pathname }) => pathname);
        return { confirm, cancel };
      }
      await new Promise((wake) => setTimeout(wake, 100));
    }
    return assert.fail(`No reminder with two links came for ${email}.`);
  };
  return {
    address: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/emails`,
    linksFor,
    close: () => {
      provider.closeAllConnections();
      provider.close();
    },
  };
};

/** On Node: the pages are the same files on both runtimes. */
const looksOf = async (stage: Stage, page: Page, name: string): Promise<void> => {
  if (stage.runtime === 'workers') return;
  const before = page.viewportSize() ?? phone;
  await assertAccessibleInAllLooks(page, `reminder, ${name}`);
  await assertReflowsWhenLarge(page, `reminder, ${name}`);
  for (const viewport of [phone, desk])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await shoot(stage, page, `pengingat-${name}-${viewport.width}-${colorScheme}`, true);
    }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(before);
};

export const reminderFlows: readonly Scenario[] = [
  {
    name: 'a reminder asks whether the patient comes: the links, the ticket and the desk answer it, by keyboard alone',
    startsOwn: true,
    play: async (stage) => {
      const provider = await openProvider();
      const folder = temporaryFolder();
      const env = {
        JWT_SECRET: 'rahasia-untuk-skenario-pengingat-kunjungan',
        PUBLIC_URL: 'https://janji.klinik.example',
        MAIL_API_URL: provider.address,
        MAIL_API_KEY: 'kunci',
        QUIET_HOURS: 'off',
      };
      let server = await startOwn(stage, env, folder);
      try {
        const admin = { ...stage, url: server.url };
        const asking = await enter(admin, demo.admin, '/konsol/klinik');
        await asking.page.getByLabel(/^Nama klinik/).waitFor();
        await asking.page.getByLabel('Pengingat menanyakan apakah pasien akan datang').focus();
        await asking.page.keyboard.press('Space');
        await asking.page.getByLabel(/^Beri tempat yang tidak dipastikan/).waitFor();
        await looksOf(stage, asking.page, 'klinik');
        await set(asking.page, 'Beri tempat yang tidak dipastikan kepada daftar tunggu mulai jam', '15:00');
        await press(asking.page, 'Simpan');
        await asking.page.getByText('Tersimpan.').waitFor();
        await assertClean(asking, server.url);
        await asking.close();
        const token = await tokenOf(server.url, demo.admin);
        const saved = (await call(server.url, 'GET', '/v1/admin/clinic', { token })).body.data;
        assert.equal(saved.ask_confirmation, true);
        assert.match(saved.release_unconfirmed_at, /^15:00/);

        const practice = await makePractice(server.url, 5, 'automatic');
        const slots = await freeSlots(server.url, practice, clinicDate());
        // Soon enough for the first reminder, and too late for the last one.
        const slot = slots.find(({ schedule_time }) => schedule_time >= '15:00');
        assert.ok(slot !== undefined, 'no slot is left today');
        const people = [];
        for (let nth = 0; nth < 5; nth++) {
          const person = await newPatient(server.url);
          const { token } = person;
          const kirana = { name: 'Kirana Ayu', relation: 'child', birth_date: '2019-04-23' };
          const child = (await call(server.url, 'POST', '/v1/family', { token, body: kirana })).body.data;
          const of = nth === 4 ? { patient_id: child.id } : {};
          people.push({ ...person, booking: (await bookFor(server.url, token, practice, slot, of)).id });
        }
        const [byLink, byCancel, byTicket, byDesk, byMother] = people;
        assert.ok(byLink && byCancel && byTicket && byDesk && byMother);
        await server.stop();
        // As if all were booked three days ago, and the service had not run for an hour of them.
        change(
          stage.runtime === 'workers' ? fileOfD1(folder) : join(folder, 'janji.db'),
          `update booking_events set occurred_at = occurred_at - ${3 * dayMs};
           update users set email_proved_at = created_at;
           insert into notice_choices (person_id, email, message, stopped_kinds, language, desk, updated_at)
             select id, 1, 1, '[]', 'en', 0, created_at from users where email = '${byTicket.email}';
           update clinic set reminded_at = ${Date.now() - 2 * dayMs};`,
        );
        server = await startOwn(stage, env, folder);
        const { url } = server;
        await doDueWork(stage, url);
        const statusOf = async ({ token, booking }: { token: string; booking: string }) => {
          const { data } = (await call(url, 'GET', `/v1/bookings/${booking}`, { token })).body;
          return [data.status, data.asked_at !== null, data.confirmed_at !== null];
        };
        const links = await provider.linksFor(byLink.email);

        const opened = await openPage(stage);
        const { page } = opened;
        await page.goto(url + links.confirm);
        await page.getByRole('heading', { name: 'Anda akan datang?' }).waitFor();
        const calling = '+62 22 1234567';
        assert.deepEqual(await walk(page, 'the question'), ['Saya datang', 'Batalkan janji temu', calling]);
        await looksOf(stage, page, 'datang');
        // Opened and looked at: nothing has changed.
        assert.deepEqual(await statusOf(byLink), ['approved', true, false]);
        await goTo(page, /^Saya datang$/);
        await page.getByRole('heading', { name: 'Terima kasih, Anda akan datang' }).waitFor();
        assert.deepEqual(await statusOf(byLink), ['approved', true, true]);
        await looksOf(stage, page, 'sudah-datang');
        await page.goto(url + links.cancel);
        await page.getByRole('heading', { name: 'Terima kasih, Anda akan datang' }).waitFor();
        assert.equal(await page.getByRole('button').count(), 0);

        const others = await provider.linksFor(byCancel.email);
        await page.goto(url + others.confirm);
        await goTo(page, /^Batalkan janji temu$/);
        await page.getByRole('heading', { name: 'Batalkan janji temu ini?' }).waitFor();
        await looksOf(stage, page, 'batalkan');
        assert.deepEqual(await statusOf(byCancel), ['approved', true, false]);
        await goTo(page, /^Batalkan$/);
        await page.getByRole('heading', { name: 'Janji temu sudah dibatalkan' }).waitFor();
        assert.deepEqual(await statusOf(byCancel), ['canceled', true, false]);
        await looksOf(stage, page, 'dibatalkan');
        const english = await provider.linksFor(byTicket.email);
        await page.goto(url + english.confirm);
        await page.getByRole('heading', { name: 'Will you come?' }).waitFor();
        assert.deepEqual(await walk(page, 'the question in English'), [
          'I will come',
          'Cancel the appointment',
          calling,
        ]);
        await looksOf(stage, page, 'datang-en');
        await page.goto(url + english.cancel);
        await page.getByRole('heading', { name: 'Cancel this appointment?' }).waitFor();
        await looksOf(stage, page, 'batalkan-en');
        assert.deepEqual(await statusOf(byTicket), ['approved', true, false]);
        const ofChild = await provider.linksFor(byMother.email);
        await page.goto(url + ofChild.confirm);
        await page.getByRole('heading', { name: 'Kirana Ayu akan datang?' }).waitFor();
        assert.deepEqual(await walk(page, 'the question about a child'), [
          'Kirana Ayu akan datang',
          'Batalkan janji temu',
          calling,
        ]);
        await looksOf(stage, page, 'datang-anak');
        await page.goto(url + ofChild.cancel);
        await page.getByText(/^Kirana Ayu, dr\. /).waitFor();
        await assertClean(opened, url);
        await opened.close();

        const here = { ...stage, url };
        const watched = await openAs(here, byTicket, `tiket/${byTicket.booking}`);
        const ticket = watched.page;
        await ticket.getByRole('button', { name: 'Saya datang' }).waitFor();
        await looksOf(stage, ticket, 'tiket');
        await ticket.evaluate(`localStorage.setItem('bahasa', 'en')`);
        await ticket.reload();
        await ticket.getByRole('button', { name: 'I will come' }).waitFor();
        await assertAccessibleInAllLooks(ticket, 'reminder, the ticket in English');
        await goTo(ticket, /^I will come$/);
        await ticket.getByText('The clinic knows that you will come.').first().waitFor();
        await ticket.getByRole('button', { name: 'I will come' }).waitFor({ state: 'detached' });
        assert.deepEqual(await statusOf(byTicket), ['approved', true, true]);
        await looksOf(stage, ticket, 'tiket-sudah');
        await assertClean(watched, url);
        await watched.close();

        const family = await openAs(here, byMother);
        const home = family.page;
        await home.getByRole('button', { name: 'Kirana Ayu akan datang' }).waitFor();
        await looksOf(stage, home, 'beranda-anak');
        await goTo(home, /^Batalkan$/);
        await home.getByText(/^Janji Kirana Ayu dengan /).waitFor();
        await looksOf(stage, home, 'batalkan-anak');
        await home.keyboard.press('Escape');
        await home.goto(`${url}/pasien/tiket/${byMother.booking}/jadwal`);
        await home.getByText(`${practice.sessionName} · Kirana Ayu`).waitFor();
        await home.evaluate(`localStorage.setItem('bahasa', 'en')`);
        await home.goto(`${url}/pasien/tiket/${byMother.booking}`);
        await goTo(home, /^Cancel it$/);
        await home.getByText(/^Kirana Ayu’s appointment with /).waitFor();
        await home.keyboard.press('Escape');
        await goTo(home, /^Kirana Ayu will come$/);
        await home.getByText('The clinic knows that Kirana Ayu will come.').first().waitFor();
        assert.deepEqual(await statusOf(byMother), ['approved', true, true]);
        await looksOf(stage, home, 'tiket-anak-sudah');
        await goTo(home, /^Cancel it$/);
        await goTo(home, /^Yes, cancel it$/);
        await home.getByText('Kirana Ayu’s appointment is canceled.').waitFor();
        await assertClean(family, url);
        await family.close();

        const console_ = await enter(here, demo.staff, `/konsol/?dokter=${practice.doctor}`);
        const day = console_.page;
        await rowOf(day, { id: byDesk.booking }).getByText('Belum memastikan').waitFor();
        await rowOf(day, { id: byLink.booking }).getByText('akan datang').waitFor();
        await looksOf(stage, day, 'hari');
        await tabTo(day, '1 Belum memastikan', 'button');
        await day.keyboard.press('Enter');
        await rowOf(day, { id: byLink.booking }).waitFor({ state: 'detached' });
        await rowOf(day, { id: byDesk.booking })
          .getByRole('button', { name: byDesk.name, exact: true })
          .focus();
        await day.keyboard.press('Enter');
        const panel = day.getByRole('complementary');
        await panel.getByRole('button', { name: 'Pasien akan datang' }).waitFor();
        await looksOf(stage, day, 'rincian');
        await panel.getByRole('button', { name: 'Pasien akan datang' }).focus();
        await day.keyboard.press('Enter');
        await panel.getByText(/^Akan datang/).waitFor();
        assert.deepEqual(await statusOf(byDesk), ['approved', true, true]);
        await day.evaluate(`localStorage.setItem('bahasa', 'en')`);
        await day.goto(`${url}/konsol/?dokter=${practice.doctor}`);
        await day.getByRole('button', { name: '0 Not confirmed' }).waitFor();
        await rowOf(day, { id: byDesk.booking }).getByText('will come').waitFor();
        await looksOf(stage, day, 'hari-en');
        await assertClean(console_, url);
        await console_.close();
      } finally {
        await server.stop();
        provider.close();
      }
    },
  },
];
