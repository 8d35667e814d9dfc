import assert from 'node:assert/strict';
import { assertClean } from '../support/checks.ts';
import { bookFor, clinicDate, freeSlots, makePractice } from '../support/clinic.ts';
import { call, demo, newPatient, tokenOf } from '../support/people.ts';
import type { Scenario, Stage } from '../support/stage.ts';
import { enter } from './steps.ts';

const daysAhead = 290;

const setAdvance = async ({ url }: Stage, token: string, max_advance_days: number): Promise<number> => {
  const before = (await call(url, 'GET', '/v1/clinic')).body.data.max_advance_days as number;
  const { status } = await call(url, 'PATCH', '/v1/admin/clinic', { token, body: { max_advance_days } });
  assert.equal(status, 200);
  return before;
};

export const farDays: readonly Scenario[] = [
  {
    name: 'a clinic that opens its days far ahead: what waits there is counted, shown and approved',
    isOfNode: true,
    play: async (stage) => {
      const { url } = stage;
      const admin = await tokenOf(url, demo.admin);
      const before = await setAdvance(stage, admin, daysAhead + 5);
      try {
        const practice = await makePractice(url);
        const [slot] = await freeSlots(url, practice, clinicDate(daysAhead));
        assert.ok(slot);
        const person = await newPatient(url);
        const { id } = await bookFor(url, person.token, practice, slot);
        const watched = await enter(stage, demo.staff, '/konsol/persetujuan');
        const { page } = watched;
        const row = page.locator(`tr[data-row="${id}"]`);
        await row.waitFor();
        const all = await page.locator('tr[data-row]').count();
        await page.getByRole('link', { name: `Persetujuan ${all} menunggu` }).waitFor();
        await row.getByRole('button', { name: /^Setujui/ }).focus();
        await page.keyboard.press('Enter');
        await row.waitFor({ state: 'detached' });
        const { body } = await call(url, 'GET', `/v1/bookings/${id}`, { token: admin });
        assert.equal(body.data.status, 'approved');
        await assertClean(watched, url);
        await watched.close();
      } finally {
        await setAdvance(stage, admin, before);
      }
    },
  },
];
