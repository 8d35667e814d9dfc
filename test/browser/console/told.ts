import assert from 'node:assert/strict';
import { assertClean, assertReflowsWhenLarge, untilHolds } from '../support/checks.ts';
import { bookFor, clinicDate, freeSlots, makePractice } from '../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, newPatient, tokenOf } from '../support/people.ts';
import { desk, phone, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { press } from './keyboard.ts';
import { enter } from './steps.ts';

/** A patient with a visit of tomorrow. */
const withVisit = async ({ url }: Stage, practice: Awaited<ReturnType<typeof makePractice>>) => {
  const person = await newPatient(url);
  const [slot] = await freeSlots(url, practice, clinicDate(1));
  assert.ok(slot !== undefined);
  const { id } = await bookFor(url, person.token, practice, slot);
  const at = slot.schedule_time.slice(0, 5).replace(':', '.');
  const does = async (method: string, path: string, body: object, token = person.token): Promise<void> => {
    const done = await call(url, method, `/v1/bookings/${id}/${path}`, { token, body });
    assert.equal(done.status, 200, JSON.stringify(done.body));
  };
  return { id, at, does };
};

export const toldAtOnce: readonly Scenario[] = [
  {
    name: 'what patients do to visits of today and tomorrow is told at once, a line each, until it is read in this browser; what the desk does is not',
    play: async (stage) => {
      const { url } = stage;
      const practice = await makePractice(url, 1, 'automatic');
      const staff = await tokenOf(url, demo.staff);
      const admin = await tokenOf(url, demo.admin);
      const questions = [{ id: 'alergi', type: 'yes_no', label: 'Alergi obat?', required: true }];
      await call(url, 'PATCH', `/v1/admin/sessions/${practice.session}`, {
        token: admin,
        body: { questions },
      });
      const [ofDesk, answering, moving, canceling] = [
        await withVisit(stage, practice),
        await withVisit(stage, practice),
        await withVisit(stage, practice),
        await withVisit(stage, practice),
      ];
      const watched = await enter(stage, demo.staff, '/konsol/');
      const { page } = watched;
      const told = page.getByRole('region', { name: 'Kabar dari pasien' });
      // The demo's own patients do something at times too.
      const lines = told.getByRole('listitem').filter({ hasText: '(dr. Ratna)' });
      await page.getByRole('grid').waitFor();
      const begins = page.waitForResponse(/\/v1\/bookings\/changes/);
      await begins;
      await ofDesk.does('POST', 'cancel', {}, staff);
      await answering.does('PUT', 'answers', { answers: [{ id: 'alergi', value: 'no' }] });
      const [later] = await freeSlots(url, practice, clinicDate(5));
      assert.ok(later !== undefined);
      const place = { schedule_date: later.schedule_date, schedule_time: later.schedule_time };
      await moving.does('POST', 'reschedule', {
        ...{ doctor_id: practice.doctor, session_id: practice.session },
        ...place,
      });
      await canceling.does('POST', 'cancel', {});
      const canceled = `Siti Rahayu membatalkan besok ${canceling.at} (dr. ${practice.name.split(' ')[0]})`;
      await lines.filter({ hasText: canceled }).waitFor();
      await lines.filter({ hasText: `memindahkan besok ${moving.at} ke ` }).waitFor();
      await lines.filter({ hasText: `menjawab pertanyaan untuk besok ${answering.at}` }).waitFor();
      assert.equal(await lines.count(), 3);
      // The newest line is said aloud.
      const first = (await told.getByRole('listitem').first().innerText())
        .slice(6)
        .replace(/Rincian.*/s, '')
        .trim();
      await page.getByRole('status').filter({ hasText: first }).waitFor();
      await assertAccessibleInAllLooks(page, 'lines from patients');
      await assertReflowsWhenLarge(page, 'lines from patients');
      await page.setViewportSize(desk);
      await shoot(stage, page, 'konsol-kabar');
      await page.setViewportSize(phone);
      await shoot(stage, page, 'konsol-kabar-sempit');
      await page.setViewportSize(desk);

      // A line opens its booking, and is read by keyboard; the others are still there after a reload.
      await lines
        .filter({ hasText: canceled })
        .getByRole('button', { name: /^Rincian: / })
        .press('Enter');
      await page.getByRole('complementary', { name: 'Rincian janji' }).waitFor();
      await lines
        .filter({ hasText: canceled })
        .getByRole('button', { name: /^Sudah dibaca: / })
        .press('Enter');
      await lines.filter({ hasText: canceled }).waitFor({ state: 'detached' });
      await untilHolds(page, `document.activeElement?.closest('section[aria-label]') !== null`);
      await page.reload();
      await lines.filter({ hasText: 'memindahkan' }).waitFor();
      assert.equal(await lines.count(), 2);

      await page.evaluate(`localStorage.setItem('bahasa', 'en')`);
      await page.reload();
      const english = page.getByRole('region', { name: 'From patients' });
      await english.getByText(`Siti Rahayu moved tomorrow ${moving.at.replace('.', ':')} to `).waitFor();
      await assertAccessibleInAllLooks(page, 'lines from patients in English');
      await shoot(stage, page, 'konsol-kabar-en');
      await press(page, 'Mark all as read');
      await english.waitFor({ state: 'detached' });
      await page.reload();
      await page.getByRole('grid').waitFor();
      await page.waitForResponse(/\/v1\/bookings\/changes/);
      assert.equal(await english.count(), 0);
      // What happened while the console was closed is told when it opens.
      await page.goto('about:blank');
      const [again] = await freeSlots(url, practice, clinicDate(1));
      assert.ok(again !== undefined);
      await moving.does('POST', 'reschedule', {
        ...{ doctor_id: practice.doctor, session_id: practice.session },
        ...{ schedule_date: again.schedule_date, schedule_time: again.schedule_time },
      });
      await page.goto(`${url}/konsol/`);
      await english.getByText('Siti Rahayu moved ').waitFor();
      // Nobody's name is stored: only positions.
      const stored = (await page.evaluate('JSON.stringify(localStorage)')) as string;
      assert.ok(!stored.includes('Siti'), stored);
      await assertClean(watched, url);
      await watched.close();
    },
  },
];
