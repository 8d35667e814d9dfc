import assert from 'node:assert/strict';
import { assertClean, assertReflowsWhenLarge } from '../support/checks.ts';
import { bookFor, clinicDate, freeSlots, makePractice } from '../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { type Scenario, shoot } from '../support/stage.ts';
import { newRecord } from './coming/waiting.ts';
import { press } from './keyboard.ts';
import { enter } from './steps.ts';

/** What other programs store with the clinic's records. */
export const otherSystems: readonly Scenario[] = [
  {
    name: 'what another system stores with a doctor, a session, a patient and a booking is shown with them, in both languages',
    play: async (stage) => {
      const { url } = stage;
      const own = Date.now().toString(36);
      const practice = await makePractice(url, 2, 'automatic');
      const token = await tokenOf(url, demo.admin);
      const patient = await newRecord(url);
      const stored = (kind: string) => ({
        external_id: `${kind}-${own}`,
        metadata: { [`rak_${kind}`]: `Lemari ${kind}` },
      });
      for (const [path, kind] of [
        [`/v1/admin/doctors/${practice.doctor}`, 'dokter'],
        [`/v1/admin/sessions/${practice.session}`, 'layanan'],
        [`/v1/patients/${patient.id}`, 'pasien'],
      ] as const) {
        const { status, body } = await call(url, 'PATCH', path, { token, body: stored(kind) });
        assert.equal(status, 200, JSON.stringify(body));
      }
      const [slot] = await freeSlots(url, practice, clinicDate(1));
      assert.ok(slot);
      const { id } = await bookFor(url, token, practice, slot, {
        patient_id: patient.id,
        ...stored('janji'),
      });
      const watched = await enter(stage, demo.admin, '/konsol/dokter');
      const { page } = watched;
      const shown = async (kind: string) => {
        await page.getByText(`${kind}-${own}`).waitFor();
        await page.getByText(`Lemari ${kind}`).waitFor();
        await assertAccessibleInAllLooks(page, `another system, ${kind}`);
        await assertReflowsWhenLarge(page, `another system, ${kind}`);
        await shoot(stage, page, `konsol-sistem-lain-${kind}`);
      };
      await press(page, `Ubah dr. ${practice.name}`);
      await page.locator('summary', { hasText: 'Di sistem lain' }).press('Enter');
      await shown('dokter');
      await page.goto(`${url}/konsol/layanan`);
      await press(page, `Ubah ${practice.sessionName}`);
      await page.locator('summary', { hasText: 'Di sistem lain' }).press('Enter');
      await shown('layanan');
      await page.evaluate(`localStorage.setItem('bahasa', 'en')`);
      await page.goto(`${url}/konsol/pasien/${patient.id}`);
      await page.getByText('Id in another system').waitFor();
      await shown('pasien');
      await page.goto(`${url}/konsol/?tanggal=${slot.schedule_date}&janji=${id}`);
      await shown('janji');
      await assertClean(watched, url);
      await watched.close();
    },
  },
];
