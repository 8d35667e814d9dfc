import assert from 'node:assert/strict';
import { openAs } from '../patient/steps.ts';
import { assertClean, assertReflows } from '../support/checks.ts';
import { bookFor, clinicDate, freeSlots } from '../support/clinic.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { desk, phone, type Scenario, type Stage, shoot, type Watched } from '../support/stage.ts';
import { enter, todayOf } from './steps.ts';

const person = 'Bartholomeusaleksandernapoleonpangestuwidyaningrumhadikusumo';
const session = 'Konsultasikesehatanmenyeluruhuntuklansiadanpasienpascaoperasi';
const room = 'Ruangpemeriksaankhususlantaitigasayapbarat';

/** A doctor, a session, a room and a patient of one word each, who is late today; and a child of the demo's patient. */
const namedAtLength = async ({ url }: Stage) => {
  const token = await tokenOf(url, demo.admin);
  const make = async (path: string, body: object, as = token) => {
    const made = await call(url, 'POST', path, { token: as, body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.data as { id: string };
  };
  const doctor = await make('/v1/admin/doctors', {
    name: person,
    title: 'Prof. Dr. dr.',
    specialty: session,
  });
  const kind = await make('/v1/admin/sessions', { name: session, approval: 'automatic' });
  for (let weekday = 1; weekday <= 7; weekday++)
    await make('/v1/admin/schedules', {
      ...{ doctor_id: doctor.id, session_id: kind.id, weekday, room, slot_minutes: 30, capacity: 5 },
      ...{ start_time: '00:00:00', end_time: '24:00:00' },
    });
  const today = await todayOf(url);
  const path = `/v1/doctors/${doctor.id}/slots?from=${today}&to=${today}`;
  const [begun] = (await call(url, 'GET', path, { token })).body.data;
  const patient = await make('/v1/patients', { name: person, birth_date: '1980-02-29', confirm: true });
  const practice = { doctor: doctor.id, session: kind.id, name: person, sessionName: session };
  const late = await bookFor(url, token, practice, begun, { patient_id: patient.id });
  const own = await tokenOf(url, demo.patient);
  await make('/v1/family', { name: person, birth_date: '2019-01-02', relation: 'child' }, own);
  const [slot] = await freeSlots(url, practice, clinicDate(1));
  assert.ok(slot !== undefined);
  await make('/v1/waitlist', { session_id: kind.id, from: clinicDate(1), to: clinicDate(9) }, own);
  return { practice, late: late.id, patient: patient.id, slot };
};

const lookAt = async (stage: Stage, watched: Watched, paths: readonly string[]): Promise<void> => {
  const { page } = watched;
  for (const path of paths) {
    await page.goto(`${stage.url}${path}`);
    await page
      .getByText(/Bartholomeus|Konsultasikesehatan/)
      .first()
      .waitFor({ state: 'attached' });
    for (const viewport of [phone, desk]) {
      await page.setViewportSize(viewport);
      const name = path.replace(/[0-9a-f]{8}-[^/?&]*/g, 'id').replaceAll(/\W+/g, '-');
      await shoot(stage, page, `panjang-${name}-${viewport.width}`, true);
      await assertReflows(page, `${path}, ${viewport.width}`);
    }
  }
};

/** Names of sixty letters without a blank, on a clinic of their own. */
export const longNames: readonly Scenario[] = [
  {
    name: 'names that are one long word push nothing out of the window, and a late patient’s state is not covered',
    isOfNode: true,
    settings: { MIN_NOTICE_MINUTES: '28' },
    play: async (stage) => {
      const { practice, late, patient, slot } = await namedAtLength(stage);
      const { doctor, session: of } = practice;
      const watched = await enter(stage, demo.admin);
      await lookAt(stage, watched, [
        `/konsol/?dokter=${doctor}&janji=${late}`,
        '/konsol/kalender',
        '/konsol/antrean',
        '/konsol/datang',
        `/konsol/pindah/${late}`,
        `/konsol/rangkaian/${patient}`,
        `/konsol/pasien/${patient}`,
        '/konsol/tunggu',
        '/konsol/dokter',
        '/konsol/statistik?menurut=beside',
      ]);
      const { page } = watched;
      await page.goto(`${stage.url}/konsol/?dokter=${doctor}`);
      const row = page.locator(`[data-row="${late}"]`);
      const state = await row.getByText(/terlambat/).boundingBox();
      const action = await row.getByRole('button', { name: /^Catat hadir/ }).boundingBox();
      assert.ok(
        state !== null && action !== null && state.x + state.width <= action.x,
        'the state is covered',
      );
      await row.getByText('Prof. Bartholomeus').waitFor();
      // The page as it is left is that of a desk.
      await page.goto(`${stage.url}/konsol/pasien/${patient}`);
      const time = page.getByRole('rowheader').getByRole('link').first();
      const lines = await time.evaluate((link) => link.getClientRects().length);
      assert.ok(lines <= 2, `"${await time.innerText()}" is broken into ${lines} lines`);
      await assertClean(watched, stage.url);
      await watched.close();
      const own = await openAs(stage, { email: demo.patient, password: demo.password });
      const chosen = new URLSearchParams({ dokter: doctor, layanan: of, tanggal: slot.schedule_date });
      await lookAt(stage, own, [
        '/pasien/',
        '/pasien/dokter',
        `/pasien/waktu?layanan=${of}`,
        `/pasien/konfirmasi?${chosen}&jam=${slot.schedule_time.slice(0, 5)}`,
        `/pasien/tunggu?layanan=${of}`,
        '/pasien/keluarga',
      ]);
      await assertClean(own, stage.url);
      await own.close();
    },
  },
];
