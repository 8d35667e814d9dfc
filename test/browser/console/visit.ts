import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible, assertClean, untilHolds } from '../support/checks.ts';
import { bookFor, clinicDate, freeSlots, makePractice } from '../support/clinic.ts';
import { call, demo, newPatient, tokenOf } from '../support/people.ts';
import type { Scenario } from '../support/stage.ts';
import { bookSeat, newRecord, seatsOf } from './coming/waiting.ts';
import { choose, press, tabTo, type } from './keyboard.ts';
import { enter, until } from './steps.ts';

interface Booked {
  id: string;
  name: string;
}

const isInRow = ({ id }: Booked): string => `document.activeElement?.closest('[data-row="${id}"]') !== null`;

/** Goes with Tab to the row, as far as it has to. */
const goTo = async (page: Page, booked: Booked): Promise<void> => {
  for (let nth = 0; nth < 60; nth++) {
    if (await page.evaluate(isInRow(booked))) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`The Tab key does not reach the row of ${booked.name}.`);
};

/** Presses the next action of a row. */
const next = async (page: Page, booked: Booked, verb: string): Promise<void> => {
  const isAtIt = `document.activeElement?.getAttribute('aria-label') === '${verb}: ${booked.name}'`;
  await goTo(page, booked);
  await page.getByRole('button', { name: `${verb}: ${booked.name}` }).waitFor();
  for (let nth = 0; nth < 4 && !(await page.evaluate(isAtIt)); nth++) await page.keyboard.press('ArrowLeft');
  assert.ok(await page.evaluate(isAtIt), `The arrow keys do not reach "${verb}".`);
  await page.keyboard.press('Enter');
};

/** Opens the rest of a row with the arrow keys, and presses one of it. */
const further = async (page: Page, booked: Booked, verb: string): Promise<void> => {
  await goTo(page, booked);
  const isAtMore = `document.activeElement?.getAttribute('aria-label') === 'Lainnya untuk ${booked.name}'`;
  for (let nth = 0; nth < 4 && !(await page.evaluate(isAtMore)); nth++)
    await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.locator(`[data-row="${booked.id}"] [data-menu]`).waitFor();
  await tabTo(page, verb);
  await page.keyboard.press('Enter');
};

/** Answers the question, whose harmless answer has the focus. */
const answer = async (page: Page, booked: Booked, verb: string): Promise<void> => {
  const dialog = page.getByRole('dialog');
  await dialog.getByText(booked.name).waitFor();
  await untilHolds(page, `document.activeElement?.innerText === 'Tidak jadi'`);
  await press(page, verb);
  await dialog.waitFor({ state: 'detached' });
};

export const visits: readonly Scenario[] = [
  {
    name: 'a visit from the request to its end, each step back and each way out, by keyboard alone',
    play: async (stage) => {
      const { url } = stage;
      const practice = await makePractice(url, 4);
      const [slot] = await freeSlots(url, practice, clinicDate());
      assert.ok(slot);
      const token = await tokenOf(url, demo.staff);
      const bookedBy = async (): Promise<Booked> => {
        const person = await newPatient(url);
        const { id } = await bookFor(url, person.token, practice, slot);
        const { body } = await call(url, 'PATCH', `/v1/patients/${person.id}`, {
          token,
          body: { name: `Siti ${id.slice(-6)}`, version: 1 },
        });
        return { id, name: body.data.name };
      };
      const [first, second, third] = [await bookedBy(), await bookedBy(), await bookedBy()];
      // Of the slot that has begun, which the desk alone still books.
      const seat = (await seatsOf(url, clinicDate())).find((one) => one.doctor_id === practice.doctor);
      assert.ok(seat);
      const record = await newRecord(url);
      const late = { ...record, ...(await bookSeat(url, seat, record)) };
      const now = async ({ id }: Booked) => {
        const { body } = await call(url, 'GET', `/v1/bookings/${id}`, { token });
        const { status, visit, cancellation } = body.data;
        return [visit?.status ?? status, visit?.call_count ?? cancellation?.reason ?? ''].join(' ').trim();
      };
      const watched = await enter(stage, demo.staff, `/konsol/?dokter=${practice.doctor}`);
      const { page } = watched;
      await page.locator(`[data-row="${third.id}"]`).waitFor();
      const becomes = async (booked: Booked, state: string): Promise<void> => {
        await until(async () => (await now(booked)) === state, state).catch(async () =>
          assert.equal(await now(booked), state),
        );
        // An action never moves the focus: the next one is where the hands are.
        await untilHolds(page, isInRow(booked));
      };

      await next(page, first, 'Setujui');
      await becomes(first, 'approved');
      await next(page, first, 'Catat hadir');
      await becomes(first, 'checked_in 0');
      await next(page, first, 'Panggil');
      await becomes(first, 'called 1');
      await further(page, first, 'Panggil ulang');
      await becomes(first, 'called 2');
      await further(page, first, 'Lewati');
      await becomes(first, 'checked_in 0');
      await next(page, first, 'Panggil');
      await becomes(first, 'called 1');
      await next(page, first, 'Selesai');
      await becomes(first, 'completed 1');
      await further(page, first, 'Urungkan langkah terakhir');
      await becomes(first, 'called 1');
      await further(page, first, 'Urungkan langkah terakhir');
      await becomes(first, 'checked_in 0');

      await further(page, late, 'Tandai tidak hadir');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await becomes(late, 'approved');
      await further(page, late, 'Tandai tidak hadir');
      await answer(page, late, 'Tandai tidak hadir');
      await becomes(late, 'no_show 0');

      await further(page, second, 'Tolak');
      await page.getByRole('dialog').waitFor();
      await choose(page, 'Alasan', 'Alasan lain');
      await type(page, 'Alasan lain', 'Poli pindah gedung');
      await assertAccessible(page, 'a rejection with its reason');
      await press(page, 'Tolak');
      await becomes(second, 'canceled Poli pindah gedung');

      await next(page, third, 'Setujui');
      await becomes(third, 'approved');
      await further(page, third, 'Batalkan janji');
      await page.getByRole('dialog').waitFor();
      await choose(page, 'Alasan', 'Dokter berhalangan');
      await press(page, 'Batalkan janji');
      await becomes(third, 'canceled Dokter berhalangan');
      await assertClean(watched, url);
      await watched.close();
    },
  },
];
