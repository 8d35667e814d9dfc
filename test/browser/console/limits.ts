import assert from 'node:assert/strict';
import { assertClean, assertReflowsWhenLarge, failedWith } from '../support/checks.ts';
import { bookFor, clinicDate, freeSlots, makePractice } from '../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { desk, phone, type Scenario, shoot } from '../support/stage.ts';
import { newRecord } from './coming/waiting.ts';
import { choose, press, set, type } from './keyboard.ts';
import { enter } from './steps.ts';

const inEnglish = `localStorage.setItem('bahasa', 'en')`;

/** What a session limits, schedules as they are, and pages in English that no other scenario shows in it. */
export const limitsAndSchedules: readonly Scenario[] = [
  {
    name: 'a session gets a limit by keyboard; a follow-up and a series are told which limit refuses them, and the desk may pass it',
    play: async (stage) => {
      const { url } = stage;
      const practice = await makePractice(url, 3, 'automatic');
      const admin = await enter(stage, demo.admin, '/konsol/layanan');
      await press(admin.page, `Ubah ${practice.sessionName}`);
      await type(admin.page, 'Jarak antara dua janji, hari', '5');
      await assertAccessibleInAllLooks(admin.page, 'the limits of a session');
      await shoot(stage, admin.page, 'konsol-layanan-batas');
      await admin.page.getByLabel('Jarak antara dua janji, hari').press('Enter');
      await admin.page.getByRole('button', { name: 'Simpan' }).waitFor({ state: 'detached' });
      await assertClean(admin, url);
      await admin.close();
      const token = await tokenOf(url, demo.admin);
      const session = await call(url, 'GET', `/v1/admin/sessions/${practice.session}`, { token });
      assert.deepEqual(
        [session.body.data.min_days_between, session.body.data.max_per_day, session.body.data.open_to],
        [5, null, 'all'],
      );

      const patient = await newRecord(url);
      const [slot] = await freeSlots(url, practice, clinicDate(1));
      assert.ok(slot);
      const { id } = await bookFor(url, token, practice, slot, { patient_id: patient.id });
      const watched = await enter(stage, demo.staff, `/konsol/kontrol/${id}`);
      const { page } = watched;
      await choose(page, 'Kapan', 'Di antara dua tanggal');
      await set(page, 'Dari tanggal', clinicDate(2));
      await set(page, 'Sampai tanggal', clinicDate(3));
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('5 hari').waitFor();
      await assertAccessibleInAllLooks(page, 'a follow-up that a limit refuses');
      await assertReflowsWhenLarge(page, 'a follow-up that a limit refuses');
      await page.setViewportSize(desk);
      await shoot(stage, page, 'konsol-kontrol-batas');
      await press(page, 'Tetap buatkan janji');
      await page.getByText('Kontrol dipesan').waitFor();

      const at = (days: number): string => {
        const query = { dokter: practice.doctor, layanan: practice.session, jam: '10:00:00' };
        return `/konsol/rangkaian/${patient.id}?${new URLSearchParams({ tanggal: clinicDate(days), ...query })}`;
      };
      await page.goto(`${url}${at(20)}`);
      await page.getByText(`dr. ${practice.name} · ${practice.sessionName} · 10.00`).waitFor();
      await type(page, 'Selang (hari)', '2');
      await page.keyboard.press('Enter');
      await page.getByText('Belum ada yang dipesan: 2 dari 4 tanggal tidak dapat dipesan.').waitFor();
      await assertAccessibleInAllLooks(page, 'a series that a limit refuses');
      await assertReflowsWhenLarge(page, 'a series that a limit refuses');
      await page.setViewportSize(desk);
      await shoot(stage, page, 'konsol-rangkaian-batas');
      await press(page, 'Abaikan batas layanan');
      await page.getByText('Semua 4 janji dipesan.').waitFor();
      const events = await call(url, 'GET', '/v1/admin/security-events?type=booking_limit_passed&limit=50', {
        token,
      });
      assert.ok(events.body.data.length >= 2, JSON.stringify(events.body));

      await page.evaluate(inEnglish);
      await page.goto(`${url}${at(40)}`);
      await page.getByText(`dr. ${practice.name} · ${practice.sessionName} · 10:00`).waitFor();
      await type(page, 'Days between', '2');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Ignore the limits of the session' }).waitFor();
      await assertAccessibleInAllLooks(page, 'a series that a limit refuses, in English');
      await assertClean(watched, url, [failedWith(409, 422)]);
      await watched.close();
    },
  },
  {
    name: 'schedules as they are, by keyboard: every second week with a break, and a single extra date',
    play: async (stage) => {
      const { url } = stage;
      const token = await tokenOf(url, demo.admin);
      const { session, sessionName } = await makePractice(url);
      const made = await call(url, 'POST', '/v1/admin/doctors', {
        token,
        body: { name: `Wulan ${Date.now().toString(36)}`, title: 'dr.', specialty: 'Umum' },
      });
      const doctor = made.body.data.id as string;
      const watched = await enter(stage, demo.admin, `/konsol/jadwal?dokter=${doctor}`);
      const { page } = watched;
      await press(page, 'Tambah jadwal: Selasa');
      await choose(page, 'Layanan', sessionName);
      await set(page, 'Mulai', '09:00');
      await set(page, 'Selesai', '12:00');
      await set(page, 'Istirahat mulai', '10:00');
      await set(page, 'Istirahat selesai', '10:45');
      await type(page, 'Setiap berapa minggu', '2');
      await page.getByText('Slot: 09.00 · 09.30 · 10.45 · 11.15').waitFor();
      await assertAccessibleInAllLooks(page, 'a schedule with a break');
      await page.setViewportSize(desk);
      await shoot(stage, page, 'konsol-jadwal-istirahat');
      await press(page, 'Simpan');
      // Every second week is counted from a first date, which is asked for at its field.
      await page.getByRole('alert').getByText('Berlaku mulai: Wajib diisi.').waitFor();
      await set(page, 'Berlaku mulai', clinicDate(1));
      await press(page, 'Simpan');
      await page.getByText('Istirahat 10.00–10.45').first().waitFor();
      await page.getByText('Setiap 2 minggu').waitFor();

      await press(page, 'Tambah jadwal: Rabu');
      await choose(page, 'Layanan', sessionName);
      await set(page, 'Hanya satu tanggal', clinicDate(10));
      await set(page, 'Mulai', '13:00');
      await set(page, 'Selesai', '14:00');
      await press(page, 'Simpan');
      await page.getByRole('button', { name: 'Simpan' }).waitFor({ state: 'detached' });
      const { data } = (
        await call(url, 'GET', `/v1/admin/schedules?doctor_id=${doctor}&limit=100`, { token })
      ).body;
      assert.deepEqual(
        data
          .map((one: Record<string, unknown>) => [
            one.start_time,
            one.break_start,
            one.break_end,
            one.every_weeks,
          ])
          .sort(),
        [
          ['09:00:00', '10:00:00', '10:45:00', 2],
          ['13:00:00', null, null, 1],
        ],
      );
      const extra = await freeSlots(url, { doctor, session, name: '', sessionName }, clinicDate(10));
      const times = extra.map(({ schedule_time }) => schedule_time);
      assert.ok(times.includes('13:00:00') && times.includes('13:30:00'), times.join());
      await assertReflowsWhenLarge(page, 'schedules as they are');
      await page.setViewportSize(desk);
      await shoot(stage, page, 'konsol-jadwal-apa-adanya');
      await page.evaluate(inEnglish);
      await page.reload();
      await page.getByRole('button', { name: /09:00–12:00/ }).waitFor();
      await assertAccessibleInAllLooks(page, 'schedules in English');
      await page.setViewportSize(desk);
      await shoot(stage, page, 'konsol-jadwal-en');
      await assertClean(watched, url, [failedWith(422)]);
      await watched.close();
    },
  },
  {
    name: 'a room that another doctor has at the same time is told with the name, or refused with it, by keyboard',
    play: async (stage) => {
      const { url } = stage;
      const token = await tokenOf(url, demo.admin);
      const other = await makePractice(url);
      const { doctor, sessionName } = await makePractice(url, 1, 'manual', {
        start_time: '07:00:00',
        end_time: '08:00:00',
      });
      const clinic = (refuse_shared_rooms: boolean) =>
        call(url, 'PATCH', '/v1/admin/clinic', { token, body: { refuse_shared_rooms } });
      const room = `Ruang ${Date.now().toString(36)}`;
      const list = `/v1/admin/schedules?doctor_id=${other.doctor}&limit=100`;
      const [theirs] = (await call(url, 'GET', list, { token })).body.data;
      const body = { room, version: theirs.version };
      await call(url, 'PATCH', `/v1/admin/schedules/${theirs.id}`, { token, body });
      const watched = await enter(stage, demo.admin, `/konsol/jadwal?dokter=${doctor}`);
      const { page } = watched;
      const told = page.getByText(`ruang ini pada waktu yang sama juga dipakai dr. ${other.name}.`);
      const fill = async (start: string, end: string) => {
        await press(page, 'Tambah jadwal: Senin');
        await choose(page, 'Layanan', sessionName);
        await set(page, 'Mulai', start);
        await set(page, 'Selesai', end);
        await type(page, 'Ruang', room.toLowerCase());
        await press(page, 'Simpan');
      };
      try {
        assert.equal((await clinic(true)).status, 200);
        await fill('09:00', '10:00');
        await page.getByRole('alert').getByText('Ruang ini sudah dipakai dokter lain').waitFor();
        await told.waitFor();
        await assertAccessibleInAllLooks(page, 'a room that is refused');
        await page.setViewportSize(desk);
        await shoot(stage, page, 'konsol-ruang-ditolak');
        await clinic(false);
        await press(page, 'Simpan');
        await page.getByRole('button', { name: 'Simpan' }).waitFor({ state: 'detached' });
        await told.waitFor();
        await assertAccessibleInAllLooks(page, 'a room that two have');
        await page.setViewportSize(desk);
        await shoot(stage, page, 'konsol-ruang-bersama');
      } finally {
        await clinic(false);
      }
      await assertClean(watched, url, [failedWith(409)]);
      await watched.close();
    },
  },
  {
    name: 'the calendar and the page of the kiosk in English: readable and accessible, narrow and wide, light and dark',
    settings: { SELF_CHECK_IN_MINUTES: '720' },
    play: async (stage) => {
      const { url } = stage;
      const practice = await makePractice(url, 1, 'automatic', {
        start_time: '09:00:00',
        end_time: '12:00:00',
      });
      const token = await tokenOf(url, demo.staff);
      const patient = await newRecord(url);
      const [slot] = await freeSlots(url, practice, clinicDate(1));
      assert.ok(slot);
      await bookFor(url, token, practice, slot, { patient_id: patient.id });
      const watched = await enter(stage, demo.admin, '/konsol/');
      const { page } = watched;
      await page.evaluate(inEnglish);
      const pages = [
        { path: `kalender?tanggal=${clinicDate(1)}`, title: 'Calendar', name: 'kalender-hari-en' },
        {
          path: `kalender?lihat=minggu&tanggal=${clinicDate(1)}&dokter=${practice.doctor}`,
          title: 'Calendar',
          name: 'kalender-minggu-en',
        },
        { path: 'kios', title: 'Kiosk', name: 'kios-en' },
      ];
      for (const { path, title, name } of pages) {
        await page.goto(`${url}/konsol/${path}`);
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
        if (name !== 'kios-en') await page.getByText(patient.name).first().waitFor();
        await assertAccessibleInAllLooks(page, name);
        await assertReflowsWhenLarge(page, name);
        for (const viewport of [desk, phone]) {
          await page.setViewportSize(viewport);
          await shoot(stage, page, `konsol-${name}-${viewport.width}`, true);
        }
        await page.setViewportSize(desk);
      }
      await assertClean(watched, url);
      await watched.close();
    },
  },
];
