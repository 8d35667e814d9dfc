import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { letTimePass } from '../support/answers.ts';
import {
  assertAccessible,
  assertClean,
  assertReflowsWhenLarge,
  failedWith,
  untilHolds,
  walk,
} from '../support/checks.ts';
import { bookFor, clinicDate, deskDoes, freeSlots, makePractice, type Practice } from '../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, newPatient, tokenOf } from '../support/people.ts';
import { desk, phone, type Scenario, shoot } from '../support/stage.ts';
import { enter, rowOf } from './steps.ts';

/** A doctor who practises four half hours tomorrow, and a patient at the first of them. */
const makeMorning = async (url: string) => {
  const practice = await makePractice(url, 1, 'automatic', { start_time: '09:00:00', end_time: '11:00:00' });
  const date = clinicDate(1);
  const token = await tokenOf(url, demo.staff);
  const add = async (name: string, at: number) => {
    const patient = await call(url, 'POST', '/v1/patients', {
      token,
      body: {
        name,
        phone_number: `8${Date.now()}${at}`.slice(0, 12),
        phone_country_code: '62',
        confirm: true,
      },
    });
    const slots = await freeSlots(url, practice, date);
    const slot = slots[at];
    assert.ok(slot);
    return (await bookFor(url, token, practice, slot, { patient_id: patient.body.data.id })).id;
  };
  const timeOf = async (id: string): Promise<string> =>
    (await call(url, 'GET', `/v1/bookings/${id}`, { token })).body.data.schedule_time.slice(0, 5);
  return { practice, date, add, timeOf };
};

const says = (page: Page, text: string): Promise<void> =>
  untilHolds(page, `document.body.innerText.includes(${JSON.stringify(text)})`);

const status = (page: Page) => page.locator('main p[aria-live]');

const weekOf = ({ doctor }: Practice, date: string): string =>
  `/konsol/kalender?lihat=minggu&tanggal=${date}&dokter=${doctor}`;

const byKeyboard: Scenario = {
  name: 'in the calendar a booking is moved by keyboard alone, each target is said, and undone',
  play: async (stage) => {
    const { url } = stage;
    const { practice, date, add, timeOf } = await makeMorning(url);
    const name = `Wati ${Date.now().toString(36)}`;
    const id = await add(name, 0);
    await add('Tono Penuh', 0);
    const watched = await enter(stage, demo.staff, weekOf(practice, date), { viewport: desk });
    const { page } = watched;
    const booked = page.getByRole('button', { name: new RegExp(`^${name}`) });
    await booked.waitFor();
    await assertAccessibleInAllLooks(page, 'konsol, the calendar of a week');
    await shoot(stage, page, 'konsol-kalender-minggu', true);
    const grid = page.getByRole('grid');
    assert.equal(await grid.locator('[tabindex="0"]').count(), 1, 'one stop of the Tab key');
    // From wherever the first stop is, to the booking.
    await grid.locator('[tabindex="0"]').focus();
    for (let nth = 0; nth < 12; nth++) {
      const own = (await page.evaluate(`document.activeElement?.getAttribute('aria-label')`)) as string;
      if (own.startsWith(name)) break;
      const there = (await booked.getAttribute('data-stop')) ?? '';
      const columns = (await page.evaluate(`(() => {
        const at = (element) => element.closest('td').cellIndex;
        return at(document.querySelector('[data-stop="${there}"]')) - at(document.activeElement);
      })()`)) as number;
      await page.keyboard.press(columns > 0 ? 'ArrowRight' : columns < 0 ? 'ArrowLeft' : 'ArrowUp');
    }
    await page.keyboard.press('Enter');
    await says(page, `Memindahkan ${name} dari`);
    // In the dark too; another width would be the list.
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await assertAccessible(page, `konsol, the calendar, moving, ${colorScheme}`);
      await shoot(stage, page, `konsol-kalender-memindahkan-${colorScheme}`, true);
    }
    await page.emulateMedia({ colorScheme: null });
    await page.keyboard.press('ArrowDown');
    assert.match(await status(page).innerText(), /^Tujuan: .* 09\.30, Penuh$/);
    await page.keyboard.press('Enter');
    assert.match(await status(page).innerText(), /Tidak dapat dipindahkan ke sini: Penuh\./);
    await page.keyboard.press('Escape');
    await says(page, 'Pemindahan dibatalkan.');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    assert.match(await status(page).innerText(), /^Tujuan: .* 10\.00, 1 kosong$/);
    await page.keyboard.press('Enter');
    await says(page, `${name} dipindahkan ke`);
    assert.equal(await timeOf(id), '10:00');
    await untilHolds(page, `document.activeElement?.getAttribute('aria-label')?.startsWith('${name}')`);
    assert.match((await booked.getAttribute('aria-label')) ?? '', /10\.00/);
    await shoot(stage, page, 'konsol-kalender-dipindahkan', true);
    await page.keyboard.press('Control+z');
    await says(page, `${name} kembali ke`);
    assert.equal(await timeOf(id), '09:00');
    await untilHolds(page, `document.activeElement?.getAttribute('aria-label')?.startsWith('${name}')`);
    await walk(page, 'konsol, the calendar');
    await assertClean(watched, url);
    await watched.close();
  },
};

const byMouse: Scenario = {
  name: 'in the calendar of a day a booking is dragged to a free time, pressed to another, and refused where another desk was first',
  play: async (stage) => {
    const { url } = stage;
    const { date, add, timeOf, practice } = await makeMorning(url);
    const name = `Seno ${Date.now().toString(36)}`;
    const id = await add(name, 0);
    const watched = await enter(stage, demo.staff, `/konsol/kalender?tanggal=${date}`, { viewport: desk });
    const { page } = watched;
    const booked = page.getByRole('button', { name: new RegExp(`^${name}`) });
    const freeAt = (time: string) =>
      page.getByRole('button', { name: new RegExp(`^dr\\. ${practice.name} ${time}, 1 kosong$`) });
    await booked.waitFor();
    await shoot(stage, page, 'konsol-kalender-hari', true);
    await booked.dragTo(freeAt('10\\.00'));
    await says(page, `${name} dipindahkan ke`);
    assert.equal(await timeOf(id), '10:00');
    await page.getByRole('button', { name: 'Urungkan' }).click();
    await says(page, `${name} kembali ke`);
    assert.equal(await timeOf(id), '09:00');
    // Without dragging: the booking, then the time.
    await booked.click();
    await says(page, `Memindahkan ${name} dari`);
    await freeAt('10\\.30').click();
    await says(page, `${name} dipindahkan ke`);
    assert.equal(await timeOf(id), '10:30');
    // Another desk approves or moves it meanwhile: nothing is moved, and the present state is shown.
    await booked.click();
    await deskDoes(url, id, 'cancel');
    await freeAt('09\\.30').click();
    await untilHolds(page, `!document.body.innerText.includes('Sedang memindahkan')`);
    await untilHolds(page, `document.querySelector('main [role="alert"]') !== null`);
    await booked.waitFor({ state: 'detached', timeout: 25_000 });
    await assertClean(watched, url, [failedWith(409)]);
    await watched.close();
  },
};

const onPhone: Scenario = {
  name: 'on a narrow screen the calendar is a list, whose bookings lead to their page for another time',
  play: async (stage) => {
    const { url } = stage;
    const { practice, date, add } = await makeMorning(url);
    const name = `Ning ${Date.now().toString(36)}`;
    const id = await add(name, 0);
    const watched = await enter(stage, demo.staff, weekOf(practice, date), { viewport: phone });
    const { page } = watched;
    await page.getByRole('link', { name, exact: true }).waitFor();
    assert.equal(await page.getByRole('grid').count(), 0);
    // What is past and was booked by nobody does not stand above the days to come.
    assert.equal(await page.getByText('Sudah lewat').count(), 0);
    await assertAccessibleInAllLooks(page, 'konsol, the calendar as a list');
    await assertReflowsWhenLarge(page, 'konsol, the calendar as a list');
    await shoot(stage, page, 'konsol-kalender-daftar', true);
    const move = page.getByRole('link', { name: `Pindahkan janji ${name}` });
    await move.focus();
    await page.keyboard.press('Enter');
    await untilHolds(page, `location.pathname === '/konsol/pindah/${id}'`);
    await assertClean(watched, url);
    await watched.close();
  },
};

const pastLimit: Scenario = {
  name: 'in the calendar a move that passed a limit of the session is undone as any other',
  play: async (stage) => {
    const { url } = stage;
    const { practice, date, add, timeOf } = await makeMorning(url);
    const name = `Lina ${Date.now().toString(36)}`;
    const id = await add(name, 0);
    const token = await tokenOf(url, demo.admin);
    const { patient } = (await call(url, 'GET', `/v1/bookings/${id}`, { token })).body.data;
    const later = (await freeSlots(url, practice, clinicDate(3)))[0];
    assert.ok(later);
    await bookFor(url, token, practice, later, { patient_id: patient.id });
    const path = `/v1/admin/sessions/${practice.session}`;
    await call(url, 'PATCH', path, { token, body: { min_days_between: 5 } });
    const watched = await enter(stage, demo.staff, `/konsol/kalender?tanggal=${date}`, { viewport: desk });
    const { page } = watched;
    const booked = page.getByRole('button', { name: new RegExp(`^${name}`) });
    const freeAt = (time: string) =>
      page.getByRole('button', { name: new RegExp(`^dr\\. ${practice.name} ${time}, 1 kosong$`) });
    await booked.dragTo(freeAt('10\\.00'));
    await page.getByRole('button', { name: 'Tetap buatkan janji' }).click();
    await says(page, `${name} dipindahkan ke`);
    assert.equal(await timeOf(id), '10:00');
    await page.getByRole('button', { name: 'Urungkan' }).click();
    await says(page, `${name} kembali ke`);
    assert.equal(await timeOf(id), '09:00');
    await assertClean(watched, url, [failedWith(422)]);
    await watched.close();
  },
};

const hourMs = 3_600_000;

const tooLate: Scenario = {
  name: 'nothing is offered once its time is over: to take a move back, to approve, to say that the patient will come',
  play: async (stage) => {
    const { url } = stage;
    const { date, add, timeOf, practice } = await makeMorning(url);
    const name = `Yuni ${Date.now().toString(36)}`;
    const id = await add(name, 0);
    const watched = await enter(stage, demo.staff, `/konsol/kalender?tanggal=${date}`, { viewport: desk });
    const { page } = watched;
    const booked = page.getByRole('button', { name: new RegExp(`^${name}`) });
    const at = (time: string) =>
      page.getByRole('button', { name: new RegExp(`^dr\\. ${practice.name} ${time}, 1 kosong$`) });
    await booked.waitFor();
    await booked.dragTo(at('10\\.00'));
    const undo = page.getByRole('button', { name: 'Urungkan' });
    await undo.waitFor();
    await shoot(stage, page, 'konsol-kalender-urungkan');
    // Tomorrow between the old time and the new one.
    await letTimePass(page, 25 * hourMs);
    await undo.waitFor({ state: 'detached', timeout: 40_000 });
    await shoot(stage, page, 'konsol-kalender-lewat');
    await booked.focus();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('ArrowDown');
    assert.equal(await timeOf(id), '10:00');
    await page.unrouteAll({ behavior: 'wait' });

    const manual = await makePractice(url);
    const person = await newPatient(url);
    const soon = (await freeSlots(url, manual, clinicDate()))[1];
    assert.ok(soon !== undefined, 'no slot is left today');
    const waiting = await bookFor(url, person.token, manual, soon);
    const asked = new Date().toISOString();
    await page.route('**/v1/bookings?*', async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      const json = { ...rest, data: data.map((one: object) => ({ ...one, asked_at: asked })) };
      await route.fulfill({ response, json });
    });
    await page.goto(`${url}/konsol/?dokter=${manual.doctor}&janji=${waiting.id}`);
    const row = rowOf(page, waiting);
    const approve = row.getByRole('button', { name: /^Setujui: / });
    const willCome = page.getByRole('complementary').getByRole('button', { name: 'Pasien akan datang' });
    await approve.waitFor();
    await willCome.waitFor();
    await letTimePass(page, 3 * hourMs);
    await approve.waitFor({ state: 'detached', timeout: 40_000 });
    await willCome.waitFor({ state: 'detached' });
    await row.waitFor();
    await shoot(stage, page, 'konsol-hari-lewat');
    await assertClean(watched, url);
    await watched.close();
  },
};

export const calendar: readonly Scenario[] = [byKeyboard, byMouse, pastLimit, onPhone, tooLate];
