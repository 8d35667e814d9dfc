import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { appCode } from '../../support/factors.ts';
import { holdBack, refuse } from '../support/answers.ts';
import {
  assertClean,
  assertReflowsWhenLarge,
  failedWith,
  untilFocused,
  untilHolds,
  walk,
} from '../support/checks.ts';
import { freeSlots, makePractice } from '../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { startOwn } from '../support/own-service.ts';
import { call, newPatient } from '../support/people.ts';
import { desk, openPage, phone, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { booked, confirmPath, goTo, slotOn } from './steps.ts';

type Play = (url: string, codeFor: (to: string) => Promise<string>) => Promise<void>;

/** What the clinic sent: a letter to an address, or a message to a number. */
interface Posted {
  to: string | string[];
  text?: string;
  template?: { components: { parameters: { text: string }[] }[] };
}

const codeOf = ({ text, template }: Posted): string | undefined =>
  template?.components[0]?.parameters[0]?.text ?? /\n(\d{3} \d{3}|\d{4} \d{4})\n/.exec(text ?? '')?.[1];

/** A clinic whose patients log in by codes: the ways that the settings turn on, and what it sends by them. */
const withCodesBy = async (stage: Stage, ways: { mail?: true; phone?: true }, play: Play) => {
  const posted: Posted[] = [];
  const provider = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      posted.push(JSON.parse(body));
      response.writeHead(200).end('{}');
    });
  });
  await new Promise<void>((listens) => provider.listen(0, '127.0.0.1', listens));
  const { port } = provider.address() as AddressInfo;
  const at = `http://127.0.0.1:${port}`;
  const server = await startOwn(stage, {
    ...(ways.mail && { LOGIN_BY_CODE: 'on', MAIL_API_URL: `${at}/emails`, MAIL_API_KEY: 'kunci' }),
    ...(ways.phone && {
      LOGIN_BY_PHONE_CODE: 'on',
      NOTICE_API_URL: `${at}/messages`,
      NOTICE_API_KEY: 'kunci',
    }),
  });
  const codeFor = async (to: string): Promise<string> => {
    for (let nth = 0; nth < 100; nth++) {
      const found = posted
        .filter((one) => one.to.includes(to))
        .map(codeOf)
        .findLast((code) => code !== undefined);
      if (found !== undefined) {
        // The next one is another code.
        posted.splice(0);
        return found;
      }
      await new Promise((wake) => setTimeout(wake, 100));
    }
    return assert.fail(`No code came for ${to}.`);
  };
  try {
    await play(server.url, codeFor);
  } finally {
    await server.stop();
    provider.closeAllConnections();
    provider.close();
  }
};

const withCodes = (stage: Stage, play: Play) => withCodesBy(stage, { mail: true }, play);

/** A keyboard whose presses are counted; what is typed into a field is one field, however long. */
const counting = (page: Page) => {
  const done = { presses: 0, fields: 0 };
  return {
    done,
    press: async (key: string, times = 1) => {
      for (let nth = 0; nth < times; nth++) await page.keyboard.press(key);
      done.presses += times;
    },
    type: async (text: string) => {
      await page.keyboard.type(text);
      done.fields += 1;
    },
  };
};

/** On Node: the pages are the same files on both runtimes. */
const looksOf = async (stage: Stage, page: Page, name: string): Promise<void> => {
  if (stage.runtime === 'workers') return;
  await assertAccessibleInAllLooks(page, `guest, ${name}`);
  await assertReflowsWhenLarge(page, `guest, ${name}`);
  for (const [size, viewport] of [
    ['360', phone],
    ['1280', desk],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await shoot(stage, page, `tamu-${name}-${size}-${colorScheme}`, true);
    }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(phone);
};

/** Until the field with this label has the focus. */
const untilIn = (page: Page, label: string): Promise<void> =>
  untilHolds(page, `document.activeElement?.labels?.[0]?.innerText.trim() === ${JSON.stringify(label)}`);

/** The kind of input that a field tells the browser, by which the browser fills it in. */
const autofillOf = (page: Page, label: string): Promise<string | null> =>
  page.getByLabel(label).getAttribute('autocomplete');

/** A phone whose browser reads the code of a message for the page, as WebOTP has it. */
const readsMessages = `
  window.OTPCredential ??= class {};
  navigator.credentials.get = ({ otp, signal }) => new Promise((give, refuse) => {
    if (otp?.transport?.[0] !== 'sms') return refuse(new DOMException('no message', 'NotAllowedError'));
    window.messageCame = (code) => give({ code });
    signal.addEventListener('abort', () => refuse(signal.reason));
  });`;

const heldNote = /^Ditahan untuk Anda: \d+ (menit|detik) lagi$/;

export const guestFlows: readonly Scenario[] = [
  {
    name: 'goes back to the times by keyboard and finds the held slot free, before the service has released it',
    isOfNode: true,
    startsOwn: true,
    play: (stage) =>
      withCodes(stage, async (url) => {
        const practice = await makePractice(url);
        const slot = await slotOn(url, practice);
        const isFree = async () =>
          (await freeSlots(url, practice, slot.schedule_date)).some(
            ({ schedule_time }) => schedule_time === slot.schedule_time,
          );
        const watched = await openPage(stage);
        const { page } = watched;
        await page.goto(`${url}/pasien/${confirmPath(practice, slot)}`);
        await page.getByText(heldNote).waitFor();
        const release = await holdBack(page, '**/v1/holds/*');
        await goTo(page, /^Ubah waktu$/);
        const time = slot.schedule_time.slice(0, 5);
        await page.locator(`a[href*="jam=${encodeURIComponent(time)}"]`).waitFor();
        assert.equal(await isFree(), false, 'the service still has the hold');
        await goTo(page, new RegExp(`^${time.replace(':', '.')}`));
        await page.waitForURL(/konfirmasi/);
        const holds = page.waitForResponse(
          (answer) => answer.url().endsWith('/v1/holds') && answer.request().method() === 'POST',
        );
        release();
        await holds;
        await page.getByText(heldNote).waitFor();
        assert.equal(await isFree(), false, 'it is held anew');
        // Where the release is lost, too.
        const mend = await refuse(page, '**/v1/holds/*', 503, 'unavailable');
        await goTo(page, /^Ubah waktu$/);
        await goTo(page, new RegExp(`^${time.replace(':', '.')}`));
        await page.getByText(heldNote).waitFor();
        await mend();
        await assertClean(watched, url, [failedWith(503)]);
        await watched.close();
      }),
  },
  {
    name: 'goes back from the code to another e-mail, and types at once',
    isOfNode: true,
    startsOwn: true,
    play: (stage) =>
      withCodes(stage, async (url) => {
        const watched = await openPage(stage);
        const { page } = watched;
        await page.goto(`${url}/pasien/masuk`);
        await page.getByLabel('Email', { exact: true }).fill('salah-tulis@klinik.example');
        await page.keyboard.press('Enter');
        await untilIn(page, 'Kode dari email');
        await goTo(page, /^Ganti email$/);
        await untilIn(page, 'Email');
        await assertClean(watched, url);
        await watched.close();
      }),
  },
  {
    name: 'books a held slot by a code, by keyboard alone: at most ten presses and two fields, known to the clinic',
    startsOwn: true,
    play: (stage) =>
      withCodes(stage, async (url, codeFor) => {
        const practice = await makePractice(url);
        const person = await newPatient(url);
        const slot = await slotOn(url, practice);
        const watched = await openPage(stage);
        const { page } = watched;
        await page.goto(
          `${url}/pasien/dokter/${practice.doctor}?layanan=${practice.session}&tanggal=${slot.schedule_date}`,
        );
        const chosen = page.locator(`a[href*="jam=${encodeURIComponent(slot.schedule_time.slice(0, 5))}"]`);
        await chosen.focus();
        await page.keyboard.press('Enter');
        await page.getByText(heldNote).waitFor();
        // Nobody else gets it.
        const others = await freeSlots(url, practice, slot.schedule_date);
        assert.ok(others.every(({ schedule_time }) => schedule_time !== slot.schedule_time));
        await page.getByLabel('Email').waitFor();
        const { done, press, type } = counting(page);
        await press('Tab', 2);
        await untilIn(page, 'Email');
        await type(person.email);
        await press('Enter');
        await untilIn(page, 'Kode dari email');
        await type(await codeFor(person.email));
        await press('Enter');
        await untilFocused(page, 'Buat janji');
        await press('Enter');
        await page.getByText(booked).waitFor();
        assert.ok(done.presses <= 10 && done.fields <= 2, JSON.stringify(done));
        assert.match(page.url(), /\/pasien\/tiket\/[0-9a-f-]{36}$/);
        await assertClean(watched, url);
        await watched.close();
      }),
  },
  {
    name: 'registers by a code while a slot is held, which is theirs over a reload and a look at other times',
    startsOwn: true,
    play: (stage) =>
      withCodes(stage, async (url, codeFor) => {
        const practice = await makePractice(url);
        const slot = await slotOn(url, practice);
        const isFree = async () =>
          (await freeSlots(url, practice, slot.schedule_date)).some(
            ({ schedule_time }) => schedule_time === slot.schedule_time,
          );
        const email = `tamu-${Date.now()}@klinik.example`;
        const watched = await openPage(stage);
        const { page } = watched;
        await page.goto(`${url}/pasien/${confirmPath(practice, slot)}`);
        await page.getByText(heldNote).waitFor();
        assert.equal(await isFree(), false);
        await walk(page, 'guest, email');
        await looksOf(stage, page, 'email');
        // Over a reload it stays this device's.
        await page.reload();
        await page.getByText(heldNote).waitFor();
        // Whoever goes back to the times finds it there again.
        await page.getByRole('link', { name: 'Ubah waktu' }).click();
        await page.locator(`a[href*="jam=${encodeURIComponent(slot.schedule_time.slice(0, 5))}"]`).click();
        await page.getByText(heldNote).waitFor();
        // Another device is told, and offered other times.
        const other = await openPage(stage);
        await other.page.goto(`${url}/pasien/${confirmPath(practice, slot)}`);
        await other.page.getByText('Jadwal ini baru saja terisi.').waitFor();
        await assertClean(other, url, [failedWith(409)]);
        await other.close();
        await page.getByLabel('Email').fill(email);
        await page.getByRole('button', { name: 'Kirim kode', exact: true }).click();
        await untilIn(page, 'Kode dari email');
        await looksOf(stage, page, 'kode');
        const code = await codeFor(email);
        await page.keyboard.type(code === '000 000' ? '000 001' : '000 000');
        await page.keyboard.press('Enter');
        await page.getByRole('alert').waitFor();
        await page.getByLabel('Kode dari email').fill(code);
        await page.keyboard.press('Enter');
        await untilIn(page, 'Nama lengkap');
        await looksOf(stage, page, 'baru');
        await page.keyboard.type('Wulan Hapsari');
        await page.getByLabel('Tanggal lahir').fill('17/05/1990');
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Buat janji' }).waitFor();
        await looksOf(stage, page, 'pesan');
        await page.getByRole('button', { name: 'Buat janji' }).click();
        await page.getByText(booked).waitFor();
        await assertClean(watched, url, [failedWith(401, 422)]);
        await watched.close();
      }),
  },
  {
    name: 'books by the phone alone, by keyboard: at most ten presses and two fields, once the phone is known, one where the browser reads the message; a new person types two more',
    startsOwn: true,
    play: (stage) =>
      withCodesBy(stage, { phone: true }, async (url, codeFor) => {
        const practice = await makePractice(url);
        const counted: Record<string, { presses: number; fields: number }> = {};
        for (const kind of ['new', 'known', 'read'] as const) {
          const slot = await slotOn(url, practice);
          const watched = await openPage(stage);
          const { page } = watched;
          if (kind === 'read') await page.addInitScript(readsMessages);
          await page.goto(
            `${url}/pasien/dokter/${practice.doctor}?layanan=${practice.session}&tanggal=${slot.schedule_date}`,
          );
          const time = encodeURIComponent(slot.schedule_time.slice(0, 5));
          await page.locator(`a[href*="jam=${time}"]`).focus();
          await page.keyboard.press('Enter');
          await page.getByText(heldNote).waitFor();
          await page.getByLabel('Nomor ponsel').waitFor();
          const { done, press, type } = counting(page);
          await press('Tab', 2);
          await untilIn(page, 'Nomor ponsel');
          assert.equal(await autofillOf(page, 'Nomor ponsel'), 'tel');
          await type('0812-3456-7890');
          if (kind === 'new') await looksOf(stage, page, 'ponsel');
          await press('Enter');
          await untilIn(page, 'Kode dari pesan');
          if (kind === 'new') await looksOf(stage, page, 'ponsel-kode');
          assert.equal(await autofillOf(page, 'Kode dari pesan'), 'one-time-code');
          const code = await codeFor('+6281234567890');
          if (kind === 'read') await page.evaluate(`window.messageCame('${code}')`);
          else {
            await type(code);
            await press('Enter');
          }
          if (kind === 'new') {
            await untilIn(page, 'Nama lengkap');
            assert.equal(await autofillOf(page, 'Nama lengkap'), 'name');
            assert.equal(await autofillOf(page, 'Tanggal lahir'), 'bday');
            await looksOf(stage, page, 'ponsel-baru');
            await type('Wulan Hapsari');
            await press('Tab');
            await untilIn(page, 'Tanggal lahir');
            await type('17/05/1990');
            await press('Enter');
          }
          await untilFocused(page, 'Buat janji');
          await press('Enter');
          await page.getByText(booked).waitFor();
          counted[kind] = done;
          if (kind === 'new') {
            await page.goto(`${url}/pasien/akun`);
            await page.getByText('+62 81234567890').waitFor();
            await looksOf(stage, page, 'ponsel-akun');
            await page.getByRole('link', { name: 'Tambahkan email' }).click();
            await page.getByLabel('Email').waitFor();
            await looksOf(stage, page, 'ponsel-email');
          }
          await assertClean(watched, url, kind === 'new' ? [failedWith(422)] : []);
          await watched.close();
        }
        assert.ok(
          Object.values(counted).every(({ presses }) => presses <= 10),
          JSON.stringify(counted),
        );
        assert.deepEqual(
          Object.values(counted).map(({ fields }) => fields),
          [4, 2, 1],
        );
      }),
  },
  {
    name: 'takes an e-mail or a number in one field, in both languages, and says which number takes no message',
    startsOwn: true,
    play: (stage) =>
      withCodesBy(stage, { mail: true, phone: true }, async (url, codeFor) => {
        const watched = await openPage(stage, { locale: 'en-GB' });
        const { page } = watched;
        await page.addInitScript(`localStorage.getItem('bahasa') ?? localStorage.setItem('bahasa', 'en')`);
        await page.goto(`${url}/pasien/akun`);
        const field = page.getByLabel('Mobile number or e-mail');
        const send = page.getByRole('button', { name: 'Send the code', exact: true });
        await field.waitFor();
        await untilHolds(page, `document.querySelector('[aria-busy="true"]') === null`);
        await walk(page, 'guest, phone or e-mail');
        await field.fill('021-555-1234');
        await send.click();
        await page.getByText('Must be a mobile number').first().waitFor();
        await looksOf(stage, page, 'salah-en');
        await field.fill('tamu@klinik.example');
        await send.click();
        await untilIn(page, 'Code from the e-mail');
        await page.getByRole('button', { name: 'Change the e-mail' }).click();
        await field.fill('+62 812 3456 7891');
        await send.click();
        await untilIn(page, 'Code from the message');
        await page.getByRole('button', { name: 'Change the number' }).waitFor();
        await page.keyboard.type(await codeFor('+6281234567891'));
        await page.keyboard.press('Enter');
        await untilIn(page, 'Full name');
        await page.keyboard.type('Wulan Hapsari');
        await page.getByLabel('Date of birth').fill('17/05/1990');
        await page.keyboard.press('Enter');
        // Ten minutes later the account asks for a login first, and there is no password to confirm with.
        await page.route('**/v1/auth/email/change', async (route) => {
          await route.fulfill({
            status: 403,
            contentType: 'application/json',
            body: JSON.stringify({
              status: 'error',
              code: 'reauthentication_required',
              message: '-',
              request_id: 'r',
            }),
          });
          await page.unroute('**/v1/auth/email/change');
        });
        await page.getByRole('link', { name: 'Add an e-mail' }).click();
        await page.getByLabel('E-mail').fill('wulan@klinik.example');
        await page.getByRole('button', { name: 'Send the code', exact: true }).click();
        // A code takes the place of the password.
        await page.getByText('This needs to be confirmed.').waitFor();
        await looksOf(stage, page, 'konfirmasi-en');
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: 'Send the code' }).click();
        await dialog.getByLabel('Code', { exact: true }).fill(await codeFor('+6281234567891'));
        await page.keyboard.press('Enter');
        await page.getByLabel('Code from the e-mail').waitFor();
        await codeFor('wulan@klinik.example');
        await page.reload();
        const email = `wulan-${Date.now()}@klinik.example`;
        await page.getByLabel('E-mail').fill(email);
        await page.getByRole('button', { name: 'Send the code', exact: true }).click();
        await page.getByLabel('Code from the e-mail').waitFor();
        await looksOf(stage, page, 'email-kode-en');
        await page.getByLabel('Code from the e-mail').fill(await codeFor(email));
        await page.keyboard.press('Enter');
        await page.getByText('Your e-mail was added.').waitFor();
        await page.goto(`${url}/pasien/akun`);
        await page.getByText(email).waitFor();
        await assertClean(watched, url, [failedWith(422, 403)]);
        await watched.close();
      }),
  },
  {
    name: 'confirms by the second factor where the account has one and no password, and is offered no code that is refused',
    isOfNode: true,
    startsOwn: true,
    play: (stage) =>
      withCodesBy(stage, { phone: true }, async (url, codeFor) => {
        const watched = await openPage(stage);
        const { page } = watched;
        await page.goto(`${url}/pasien/akun`);
        await page.getByLabel('Nomor ponsel').fill('0812-3456-7895');
        await page.keyboard.press('Enter');
        await untilIn(page, 'Kode dari pesan');
        await page.keyboard.type(await codeFor('+6281234567895'));
        await page.keyboard.press('Enter');
        await untilIn(page, 'Nama lengkap');
        await page.keyboard.type('Wulan Hapsari');
        await page.getByLabel('Tanggal lahir').fill('17/05/1990');
        const [answer] = await Promise.all([
          page.waitForResponse('**/v1/auth/code/verify'),
          page.keyboard.press('Enter'),
        ]);
        const token: string = (await answer.json()).data.access_token;
        await page.getByText('+62 81234567895').waitFor();
        const totp = '/v1/auth/second-factors/totp';
        const begun = await call(url, 'POST', totp, { token, body: {} });
        const code = appCode(begun.body.data.secret, Date.now());
        const made = await call(url, 'POST', `${totp}/confirm`, { token, body: { code } });
        assert.equal(made.status, 200, JSON.stringify(made.body));
        const [recovery] = made.body.data.recovery_codes as string[];
        assert.ok(recovery);

        // Ten minutes later the account asks who is there.
        await page.route('**/v1/auth/second-factors/recovery-codes', async (route) => {
          const body = { status: 'error', code: 'reauthentication_required', message: '-', request_id: 'r' };
          await route.fulfill({ status: 403, contentType: 'application/json', body: JSON.stringify(body) });
          await page.unroute('**/v1/auth/second-factors/recovery-codes');
        });
        await page.goto(`${url}/pasien/akun/verifikasi`);
        await page.getByRole('button', { name: 'Buat kode baru' }).focus();
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').getByRole('button', { name: 'Buat kode baru' }).press('Enter');
        const dialog = page.getByRole('dialog', { name: 'Pastikan ini Anda' });
        await dialog.getByText('Akun Anda tidak memakai kata sandi.').waitFor();
        assert.equal(await dialog.getByRole('button', { name: 'Kirim kode' }).count(), 0);
        assert.equal(await dialog.getByLabel('Kata sandi').count(), 0);
        await untilIn(page, 'Kode autentikator atau kode pemulihan');
        await looksOf(stage, page, 'konfirmasi-faktor');
        await page.keyboard.type('000 000');
        await page.keyboard.press('Enter');
        await dialog.getByRole('alert').waitFor();
        await dialog.getByLabel('Kode autentikator atau kode pemulihan').fill(recovery);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Kode pemulihan' }).waitFor();
        await assertClean(watched, url, [failedWith(401, 403, 422)]);
        await watched.close();
      }),
  },
  {
    name: 'adds a phone to log in with, changes it and takes it off, by keyboard',
    isOfNode: true,
    startsOwn: true,
    play: (stage) =>
      withCodesBy(stage, { phone: true, mail: true }, async (url, codeFor) => {
        const person = await newPatient(url);
        const watched = await openPage(stage);
        const { page } = watched;
        await page.goto(`${url}/pasien/akun`);
        await page.getByLabel('Nomor ponsel atau email').fill(person.email);
        await page.keyboard.press('Enter');
        await untilIn(page, 'Kode dari email');
        await page.keyboard.type(await codeFor(person.email));
        await page.keyboard.press('Enter');
        await page.getByRole('link', { name: 'Nomor untuk masuk' }).click();
        await page.getByText('Dengan nomor ponsel Anda dapat masuk').waitFor();
        await looksOf(stage, page, 'nomor');
        for (const [typed, sent] of [
          ['0812-3456-7893', '+6281234567893'],
          ['0812-3456-7894', '+6281234567894'],
        ] as const) {
          await page.getByLabel('Nomor ponsel').fill(typed);
          await page.keyboard.press('Enter');
          await untilIn(page, 'Kode dari pesan');
          await page.keyboard.type(await codeFor(sent));
          await page.keyboard.press('Enter');
          await page.getByText(`Anda masuk dengan ${sent}.`).waitFor();
        }
        await walk(page, 'guest, phone to log in with');
        await looksOf(stage, page, 'nomor-ada');
        await page.getByRole('button', { name: 'Berhenti masuk dengan +6281234567894' }).focus();
        await page.keyboard.press('Enter');
        await page.getByText('Dengan nomor ponsel Anda dapat masuk').waitFor();
        await assertClean(watched, url);
        await watched.close();
      }),
  },
  {
    name: 'is told that a slot is not held any more, and holds it again; the code is asked for in English',
    startsOwn: true,
    play: (stage) =>
      withCodes(stage, async (url) => {
        const practice = await makePractice(url);
        const slot = await slotOn(url, practice);
        const watched = await openPage(stage, { locale: 'en-GB' });
        const { page } = watched;
        await page.addInitScript(`localStorage.setItem('bahasa', 'en')`);
        await page.clock.install();
        await page.goto(`${url}/pasien/${confirmPath(practice, slot)}`);
        await page.getByText('Held for you: 5 minutes left').waitFor();
        await page.getByRole('button', { name: 'Send the code' }).waitFor();
        await looksOf(stage, page, 'email-en');
        await page.clock.fastForward('04:30');
        await page.getByText(/^Held for you: \d+ seconds left$/).waitFor();
        await page.clock.fastForward('00:40');
        await page.getByText('This time is not held any more.').waitFor();
        await looksOf(stage, page, 'lewat-en');
        const again = page.waitForResponse(
          (answer) => answer.url().endsWith('/v1/holds') && answer.request().method() === 'POST',
        );
        await page.getByRole('button', { name: 'Hold it again' }).press('Enter');
        assert.equal((await again).status(), 201);
        await assertClean(watched, url);
        await watched.close();
      }),
  },
  {
    name: 'holds no slot and asks for no code where the clinic has not turned codes on',
    play: async (stage) => {
      const practice = await makePractice(stage.url);
      const slot = await slotOn(stage.url, practice);
      const watched = await openPage(stage);
      const { page } = watched;
      const asked: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/v1/holds')) asked.push(request.url());
      });
      await page.goto(`${stage.url}/pasien/${confirmPath(practice, slot)}`);
      await page.getByRole('button', { name: 'Belum punya akun? Daftar' }).waitFor();
      const { body } = await call(stage.url, 'GET', '/v1/clinic');
      assert.equal(body.data.login_by_code, false);
      assert.equal(await page.getByRole('button', { name: /kode/i }).count(), 0);
      await untilHolds(page, `document.querySelector('[aria-busy="true"]') === null`);
      assert.deepEqual(asked, []);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
];
