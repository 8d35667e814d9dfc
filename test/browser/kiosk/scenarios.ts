import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { logInOn } from '../console/steps.ts';
import { keepWaiting, loseFirstAnswer } from '../support/answers.ts';
import { assertClean, assertReflowsWhenLarge, failedWith, untilHolds } from '../support/checks.ts';
import { bookFor, clinicDate, deskDoes, freeSlots, makePractice, written } from '../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { desk, openPage, phone, type Scenario, type Stage, shoot, type Watched } from '../support/stage.ts';

const settings = { SELF_CHECK_IN_MINUTES: '720' };
const tablet = { width: 768, height: 1024 };
const birthDate = '1990-05-17';

/** A camera that sees what `window.shown` draws: dark and light squares, or nothing. */
const fakeCamera = `{
  const canvas = document.createElement('canvas');
  canvas.width = 640; canvas.height = 480;
  const draw = () => {
    const context = canvas.getContext('2d');
    context.fillStyle = '#ddd';
    context.fillRect(0, 0, 640, 480);
    const rows = window.shown ?? [];
    const side = Math.floor(420 / (rows.length || 1));
    rows.forEach((row, y) => [...row].forEach((square, x) => {
      context.fillStyle = square === '1' ? '#000' : '#fff';
      context.fillRect(110 + x * side, 30 + y * side, side, side);
    }));
  };
  setInterval(draw, 100);
  draw();
  window.print = () => { window.prints = (window.prints ?? 0) + 1; };
  Object.defineProperty(navigator.mediaDevices, 'getUserMedia', { value: async () => {
    if (window.noCamera) throw new DOMException('No camera.', 'NotFoundError');
    return canvas.captureStream(10);
  } });
}`;

/** Holds a code before the camera, or takes it away. */
const hold = (page: Page, text: string | null): Promise<unknown> => {
  const rows = text === null ? [] : encode(text, { border: 4 }).data.map((row) => row.map(Number).join(''));
  return page.evaluate(`window.shown = ${JSON.stringify(rows)}`);
};

const says = (page: Page, text: string): Promise<void> =>
  untilHolds(page, `document.body.innerText.includes(${JSON.stringify(text)})`, 15_000);

const addTablet = async (url: string): Promise<string> => {
  const token = await tokenOf(url, demo.admin);
  const body = { name: 'Tablet lobi', scopes: ['arrivals:write'], expires_at: null };
  const made = await call(url, 'POST', '/v1/admin/api-keys', { token, body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.data.key;
};

/** Somebody with a booking of today and a date of birth. */
const arriving = async (url: string, name: string) => {
  const practice = await makePractice(url, 1, 'automatic');
  const token = await tokenOf(url, demo.staff);
  const patient = await call(url, 'POST', '/v1/patients', {
    token,
    body: { name, birth_date: birthDate, confirm: true },
  });
  const slots = await freeSlots(url, practice, clinicDate());
  const { id } = await bookFor(url, token, practice, slots[4] as (typeof slots)[number], {
    patient_id: patient.body.data.id,
  });
  const { data } = (await call(url, 'GET', `/v1/bookings/${id}`, { token })).body;
  return { id, code: data.booking_code as string, label: data.queue_label as string, token };
};

const posterOf = async (url: string): Promise<string | null> => {
  const token = await tokenOf(url, demo.admin);
  return (await call(url, 'GET', '/v1/admin/check-in-poster', { token })).body.data.secret;
};

/** A booking of today of the demo's patient. */
const todayOfPatient = async (url: string): Promise<string> => {
  const practice = await makePractice(url, 1, 'automatic');
  const token = await tokenOf(url, demo.patient);
  const slots = await freeSlots(url, practice, clinicDate());
  return (await bookFor(url, token, practice, slots[7] as (typeof slots)[number])).id;
};

const openKiosk = async (stage: Stage, viewport = tablet, path = '/kios/'): Promise<Watched> => {
  const watched = await openPage(stage, { viewport });
  await watched.context.addInitScript(fakeCamera);
  await watched.page.goto(`${stage.url}${path}`);
  return watched;
};

const pairByHand = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel('Kunci tablet').fill(key);
  await page.keyboard.press('Enter');
  await says(page, 'Tablet sudah dipasangkan');
};

const begin = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Mulai' }).click();
  await says(page, 'Tunjukkan kode QR tiket Anda');
};

const byCamera: Scenario = {
  name: 'a tablet is paired by its camera, checks in by the code of a ticket, prints the slip and goes back to its start',
  settings,
  play: async (stage) => {
    const { url } = stage;
    const key = await addTablet(url);
    const booked = await arriving(url, 'Rina Kartika');
    const watched = await openKiosk(stage);
    const { page } = watched;
    await says(page, 'Pasangkan tablet ini');
    await assertAccessibleInAllLooks(page, 'kios, not paired');
    await shoot(stage, page, 'kios-pasang', true);
    await hold(page, `${url}/kios/#kunci=${key}`);
    await says(page, 'Tablet sudah dipasangkan');
    await hold(page, null);
    assert.equal(await page.evaluate('localStorage.length'), 0, 'the key is in no plain storage');
    await page.getByLabel('Printer karcis').selectOption({ label: 'Kertas 58 mm' });
    await assertAccessibleInAllLooks(page, 'kios, paired');
    await begin(page);
    await assertAccessibleInAllLooks(page, 'kios, the start');
    await assertReflowsWhenLarge(page, 'kios, the start');
    await shoot(stage, page, 'kios-mulai', true);

    await hold(page, booked.code);
    await says(page, 'Anda sudah check-in');
    await hold(page, null);
    const said = await page.locator('main').innerText();
    assert.match(said, new RegExp(booked.label));
    assert.match(said, /R\. K\./);
    assert.match(said, /Poli 9/);
    assert.doesNotMatch(said, /Rina|Kartika|1990/, 'nothing else of the patient');
    await untilHolds(page, 'window.prints === 1');
    const slip = await page.locator('body > [data-paper]').textContent();
    assert.match(slip ?? '', new RegExp(booked.label));
    assert.doesNotMatch(slip ?? '', /Rina|Kartika/);
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
    await assertAccessibleInAllLooks(page, 'kios, checked in');
    await assertReflowsWhenLarge(page, 'kios, checked in');
    await shoot(stage, page, 'kios-hadir', true);
    const seen = (await call(url, 'GET', `/v1/bookings/${booked.id}`, { token: booked.token })).body.data;
    assert.equal(seen.visit.status, 'checked_in');
    // The next person finds nothing of this one, in the clinic's first language.
    await page.getByRole('button', { name: 'Selesai' }).click();
    await says(page, 'Tunjukkan kode QR tiket Anda');
    await page.getByRole('button', { name: 'English' }).click();
    await says(page, 'Show the QR code of your ticket');
    await hold(page, booked.code);
    await says(page, 'You are checked in');
    await hold(page, null);
    await shoot(stage, page, 'kios-hadir-en', true);
    await page.getByRole('button', { name: 'Done' }).click();
    await says(page, 'Tunjukkan kode QR tiket Anda');

    await page.reload();
    await says(page, 'Tunjukkan kode QR tiket Anda');
    await assertClean(watched, url, [failedWith(422)]);
    await watched.close();
  },
};

const byKeyboard = (viewport: typeof phone): Scenario => ({
  name: `without a camera the code and the date of birth check in, by keyboard alone: ${viewport.width}`,
  settings,
  play: async (stage) => {
    const { url } = stage;
    const booked = await arriving(url, 'Budi Santoso');
    const watched = await openKiosk(stage, viewport);
    const { page } = watched;
    await page.evaluate('window.noCamera = true');
    await pairByHand(page, await addTablet(url));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await says(page, 'Kamera tidak dapat dipakai');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await untilHolds(page, `document.activeElement?.tagName === 'H1'`);
    await says(page, 'Ketik kode janji dan tanggal lahir');
    await page.keyboard.press('Tab');
    await page.keyboard.type(`${booked.code.slice(0, 4).toLowerCase()} ${booked.code.slice(4)}`);
    await page.keyboard.press('Enter');
    await says(page, 'Isi tanggal lahir pasien.');
    await assertAccessibleInAllLooks(page, 'kios, typed');
    await shoot(stage, page, `kios-ketik-${viewport.width}`, true);
    await page.getByLabel('Tanggal lahir pasien').fill('18/05/1990');
    await page.keyboard.press('Enter');
    await says(page, 'Kode atau tanggal lahir tidak cocok');
    await assertAccessibleInAllLooks(page, 'kios, refused');
    await assertReflowsWhenLarge(page, 'kios, refused');
    await shoot(stage, page, `kios-ditolak-${viewport.width}`, true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Ketik kode janji' }).click();
    assert.equal(await page.getByLabel('Kode janji').inputValue(), '', 'the next person finds no code');
    const checkIn = async (): Promise<void> => {
      await page.getByLabel('Kode janji').fill(booked.code);
      await page.getByLabel('Tanggal lahir pasien').fill(written(birthDate));
      await page.keyboard.press('Enter');
    };
    await loseFirstAnswer(page, '**/v1/check-ins');
    await checkIn();
    await says(page, 'Check-in belum pasti');
    await shoot(stage, page, `kios-belum-pasti-${viewport.width}`, true);
    await page.getByRole('button', { name: 'Ke awal' }).click();
    await page.getByRole('button', { name: 'Ketik kode janji' }).click();
    await checkIn();
    await says(page, 'Anda sudah check-in');
    assert.match(await page.locator('main').innerText(), /B\. S\./);
    await shoot(stage, page, `kios-hadir-${viewport.width}`, true);
    await assertClean(watched, url, [failedWith(422), /ERR_CONNECTION_RESET/]);
    await watched.close();
  },
});

const tooEarly: Scenario = {
  name: 'a booking of another day is told when its check-in opens, in both languages, and nothing of it is left',
  settings,
  play: async (stage) => {
    const { url } = stage;
    const practice = await makePractice(url, 1, 'automatic');
    const token = await tokenOf(url, demo.staff);
    const body = { name: 'Tirta Esok', birth_date: birthDate, confirm: true };
    const patient = await call(url, 'POST', '/v1/patients', { token, body });
    const [slot] = await freeSlots(url, practice, clinicDate(2));
    assert.ok(slot);
    const { id } = await bookFor(url, token, practice, slot, { patient_id: patient.body.data.id });
    const { booking_code } = (await call(url, 'GET', `/v1/bookings/${id}`, { token })).body.data;
    const watched = await openKiosk(stage, phone, `/kios/#kunci=${await addTablet(url)}`);
    const { page } = watched;
    await page.evaluate('window.noCamera = true');
    await says(page, 'Tablet sudah dipasangkan');
    await begin(page);
    for (const [manual, code, born, opens, back] of [
      ['Ketik kode janji', 'Kode janji', 'Tanggal lahir pasien', 'Check-in dibuka', 'Ke awal'],
      [
        'Type the booking code',
        'Booking code',
        'Date of birth of the patient',
        'Check-in opens',
        'Start again',
      ],
    ] as const) {
      if (manual !== 'Ketik kode janji') await page.getByRole('button', { name: 'English' }).click();
      await page.getByRole('button', { name: manual }).click();
      await page.getByLabel(code).fill(booking_code);
      await page.getByLabel(born).fill(written(birthDate));
      await page.keyboard.press('Enter');
      await says(page, opens);
      assert.doesNotMatch(await page.locator('main').innerText(), /Tirta|Esok|1990/);
      await assertAccessibleInAllLooks(page, `kios, ${opens}`);
      await assertReflowsWhenLarge(page, `kios, ${opens}`);
      await shoot(stage, page, `kios-${opens}`, true);
      await page.getByRole('button', { name: back }).click();
      await says(page, 'Tunjukkan kode QR tiket Anda');
    }
    const seen = (await call(url, 'GET', `/v1/bookings/${id}`, { token })).body.data;
    assert.equal(seen.visit, null);
    await assertClean(watched, url, [failedWith(409, 422)]);
    await watched.close();
  },
};

const leaves: Scenario = {
  name: 'a step that nobody goes on with leads back to the start, and a press gives more time',
  settings,
  play: async (stage) => {
    const { url } = stage;
    const watched = await openKiosk(stage);
    const { page } = watched;
    await page.evaluate('window.noCamera = true');
    await pairByHand(page, await addTablet(url));
    await page.clock.install();
    await begin(page);
    await page.getByRole('button', { name: 'Ketik kode janji' }).click();
    await page.getByLabel('Kode janji').fill('7KQ2M9XR');
    await page.clock.runFor(55_000);
    await says(page, 'Kembali ke awal dalam 5 detik.');
    await page.getByRole('button', { name: 'Tetap di sini' }).click();
    await page.clock.runFor(55_000);
    await says(page, 'Kembali ke awal dalam 5 detik.');
    await page.clock.runFor(6_000);
    await says(page, 'Tunjukkan kode QR tiket Anda');
    await page.getByRole('button', { name: 'Ketik kode janji' }).click();
    assert.equal(await page.getByLabel('Kode janji').inputValue(), '');
    await page.getByRole('button', { name: 'Kembali' }).click();
    // The texts come in parts, and are shown together with the language: from then on its minute runs.
    let parts = 0;
    let letCome = (): void => {};
    const held = new Promise<void>((come) => (letCome = come));
    await page.route('**/assets/kios-en-*.js', async (route) => {
      parts += 1;
      if (parts === 1) await held;
      await route.continue();
    });
    const other = page.waitForResponse('**/assets/kios-en-*.js');
    await page.getByRole('button', { name: 'English' }).click();
    await (await other).finished();
    await page.evaluate('new Promise((done) => setTimeout(done))');
    assert.match(await page.locator('main').innerText(), /^Tunjukkan kode QR tiket Anda/);
    letCome();
    await untilHolds(page, `document.documentElement.lang === 'en'`);
    await says(page, 'Show the QR code of your ticket');
    await page.clock.runFor(61_000);
    await says(page, 'Tunjukkan kode QR tiket Anda');
    await keepWaiting(page, '**/v1/check-ins');
    await page.getByRole('button', { name: 'Ketik kode janji' }).click();
    await page.getByLabel('Kode janji').fill('7KQ2M9XR');
    await page.getByLabel('Tanggal lahir pasien').fill(written(birthDate));
    await page.keyboard.press('Enter');
    await says(page, 'Sedang memeriksa');
    await page.clock.runFor(20_000);
    await says(page, 'Check-in belum pasti');
    await page.clock.runFor(21_000);
    await says(page, 'Tunjukkan kode QR tiket Anda');
    await assertClean(watched, url, [failedWith(422)]);
    await watched.close();
  },
};

const ends: Scenario = {
  name: 'a tablet whose key was revoked checks nobody in any more; only its page may use the camera',
  settings,
  play: async (stage) => {
    const { url } = stage;
    const booked = await arriving(url, 'Sari Dewi');
    await deskDoes(url, booked.id, 'check-in');
    const key = await addTablet(url);
    const watched = await openKiosk(stage, tablet, `/kios/#kunci=${key}`);
    const { page } = watched;
    await says(page, 'Tablet sudah dipasangkan');
    assert.equal(await page.evaluate('location.hash'), '', 'the key is not left in the address');
    await begin(page);
    const token = await tokenOf(url, demo.admin);
    const { data } = (await call(url, 'GET', '/v1/admin/api-keys', { token })).body;
    const own = data.find(({ prefix }: { prefix: string }) => key.startsWith(prefix));
    await call(url, 'DELETE', `/v1/admin/api-keys/${own.id}`, { token });
    await hold(page, booked.code);
    await says(page, 'Tablet ini tidak lagi dipasangkan.');
    await page.reload();
    await says(page, 'Pasangkan tablet ini');
    const policy = async (path: string) =>
      (await fetch(`${url}${path}`)).headers.get('permissions-policy') ?? '';
    assert.match(await policy('/kios/'), /camera=\(self\)/);
    for (const path of ['/pasien/', '/konsol/', '/layar/'])
      assert.match(await policy(path), /camera=\(\)/, path);
    await assertClean(watched, url, [failedWith(401, 422)]);
    await watched.close();
  },
};

const inConsole: Scenario = {
  name: 'the console pairs a tablet, makes and prints the poster, and its QR code lets a phone check in',
  settings,
  play: async (stage) => {
    const { url } = stage;
    const watched = await openPage(stage, { viewport: desk });
    const { page } = watched;
    await watched.context.addInitScript('window.print = () => { window.prints = (window.prints ?? 0) + 1; }');
    await page.goto(`${url}/konsol/kios`);
    await logInOn(page, demo.admin);
    await says(page, 'Check-in dibuka 720 menit sebelum');
    const name = `Tablet ${Date.now().toString(36)}`;
    await page.getByLabel('Nama tablet').fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'Kode QR untuk memasangkan tablet' }).waitFor();
    const address = (await page.locator('code').innerText()).trim();
    assert.ok(address.startsWith(`${url}/kios/#kunci=janji_`), 'the address of the tablet');
    await assertAccessibleInAllLooks(page, 'konsol, kiosk');
    await assertReflowsWhenLarge(page, 'konsol, kiosk');
    await shoot(stage, page, 'konsol-kios', true);
    const tabletPage = await openKiosk(stage, tablet, `/kios/${new URL(address).hash}`);
    await says(tabletPage.page, 'Tablet sudah dipasangkan');
    await tabletPage.close();
    await page.getByRole('button', { name: 'Sudah dipasangkan' }).click();

    const renew = page.getByRole('button', { name: 'Ganti poster' });
    const make = page.getByRole('button', { name: 'Buat poster' });
    await renew.or(make).waitFor();
    if (await make.isVisible()) {
      await make.focus();
      await page.keyboard.press('Enter');
    }
    await renew.waitFor();
    const before = await posterOf(url);
    await renew.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Ganti poster' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await says(page, 'Poster siap dicetak.');
    const secret = await posterOf(url);
    assert.notEqual(secret, before, 'the one before is over');
    await page.getByRole('button', { name: 'Cetak poster' }).click();
    await untilHolds(page, 'window.prints === 1');
    await page.emulateMedia({ media: 'print' });
    await shoot(stage, page, 'konsol-kios-poster', true);
    const paper = await page.locator('body').innerText();
    assert.match(paper, /Check-in di sini/);
    assert.doesNotMatch(paper, /Tablet/, 'the poster alone');
    await page.emulateMedia({ media: null });
    await assertClean(watched, url, [failedWith(403)]);
    await watched.close();

    const booked = await todayOfPatient(url);
    const own = await openPage(stage, { viewport: phone });
    await own.page.goto(`${url}/pasien/hadir#poster=${secret}`);
    await own.page.getByRole('textbox', { name: 'Email' }).fill(demo.patient);
    assert.equal(await own.page.evaluate('location.hash'), '', 'the secret is not left in the address');
    await assertAccessibleInAllLooks(own.page, 'pasien, arriving, not logged in');
    await own.page.getByLabel('Kata sandi', { exact: true }).fill(demo.password);
    await own.page.keyboard.press('Enter');
    const here = own.page.getByRole('button', { name: 'Saya sudah di sini' });
    const link = own.page.getByRole('main').locator(`a[href="/pasien/tiket/${booked}"]`);
    await here.or(link).first().waitFor();
    if (await link.first().isVisible()) await link.first().click();
    await here.waitFor();
    await assertAccessibleInAllLooks(own.page, 'pasien, the ticket after the poster');
    await shoot(stage, own.page, 'pasien-hadir', true);
    await here.focus();
    await own.page.keyboard.press('Enter');
    await says(own.page, 'Anda sudah check-in.');
    await here.waitFor({ state: 'detached' });
    await shoot(stage, own.page, 'pasien-hadir-selesai', true);
    await assertClean(own, url, [failedWith(401)]);
    await own.close();
  },
};

export const kios: readonly Scenario[] = [
  byCamera,
  byKeyboard(phone),
  byKeyboard(desk),
  tooEarly,
  leaves,
  ends,
  inConsole,
];
