import assert from 'node:assert/strict';
import { assertAccessible, assertClean } from '../support/checks.ts';
import { bookFor, clinicDate, freeSlots, makePractice } from '../support/clinic.ts';
import { call, demo, newPatient, tokenOf } from '../support/people.ts';
import { openPage, phone, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { enter, todayOf } from './steps.ts';

type Kind = 'doctors' | 'sessions' | 'schedules';

/** Takes every record of a kind out of service, or back into it. */
const setActive = async ({ url }: Stage, kind: Kind, active: boolean): Promise<void> => {
  const token = await tokenOf(url, demo.admin);
  const { body } = await call(url, 'GET', `/v1/admin/${kind}?limit=100`, { token });
  for (const { id } of body.data as { id: string }[]) {
    const { status } = await call(url, 'PATCH', `/v1/admin/${kind}/${id}`, { token, body: { active } });
    assert.equal(status, 200);
  }
};

export const nothing: readonly Scenario[] = [
  {
    name: 'a clinic from nothing: each empty screen says what comes first, leads an admin there, and sends a desk to one',
    settings: { MIN_NOTICE_MINUTES: '29' },
    play: async (stage) => {
      const { url } = stage;
      for (const kind of ['schedules', 'doctors', 'sessions'] as const) await setActive(stage, kind, false);
      const far = new Date(Date.parse(await todayOf(url)) + 60 * 86_400_000).toISOString().slice(0, 10);
      const screens = [
        `/konsol/?tanggal=${far}`,
        `/konsol/datang?tanggal=${far}`,
        '/konsol/tunggu',
        '/konsol/jadwal',
      ];
      const steps = [
        ['sessions', /^Belum ada layanan|^Belum ada dokter/, /^(Layanan|Dokter)$/],
        ['doctors', /^Belum ada dokter/, /^Dokter$/],
        ['schedules', /^Belum ada jadwal praktik|Tidak ada/, /^Jadwal praktik$/],
      ] as const;
      for (const [kind, sentence, link] of steps) {
        for (const screen of kind === 'schedules' ? screens.slice(0, 3) : screens) {
          const watched = await enter(stage, demo.admin, screen);
          const main = watched.page.getByRole('main');
          await main.getByText(sentence).first().waitFor();
          const way = main.getByRole('link', { name: link });
          await way.waitFor();
          if (kind === 'sessions') {
            await assertAccessible(watched.page, `${screen} of a clinic without sessions`);
            await watched.page.setViewportSize(phone);
            await shoot(stage, watched.page, `konsol-kosong-${screens.indexOf(screen)}-360`);
          }
          const address = await way.getAttribute('href');
          await way.focus();
          await watched.page.keyboard.press('Enter');
          await watched.page.waitForURL(`**${address}`);
          await assertClean(watched, url);
          await watched.close();
        }
        if (kind === 'sessions') {
          const patient = await openPage(stage);
          for (const path of ['dokter', 'waktu']) {
            await patient.page.goto(`${url}/pasien/${path}`);
            await patient.page.getByText('Belum ada dokter yang dapat dipesan di sini.').waitFor();
          }
          await assertClean(patient, url);
          await patient.close();
          const reception = await enter(stage, demo.staff, '/konsol/tunggu');
          await reception.page.getByText('Mintalah admin klinik membuatnya.').waitFor();
          await reception.close();
        }
        await setActive(stage, kind, true);
      }
      await setActive(stage, 'schedules', true);
    },
  },
  {
    name: 'what is typed into the search stays when the page is drawn anew, and is cleared by Escape',
    play: async (stage) => {
      const watched = await enter(stage, demo.admin, '/konsol/dokter');
      const { page } = watched;
      const field = page.getByRole('searchbox', { name: 'Cari pasien atau kode' });
      await field.fill('Budi');
      await page.getByRole('button', { name: 'Tambah dokter' }).click();
      await page.getByRole('complementary', { name: 'Tambah dokter' }).waitFor();
      assert.equal(await field.inputValue(), 'Budi');
      await field.focus();
      await field.pressSequentially(' Sant');
      assert.equal(await field.inputValue(), 'Budi Sant');
      await page.keyboard.press('Escape');
      assert.equal(await field.inputValue(), '');
      await field.fill('Budi');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/konsol/pasien?q=Budi');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a schedule that is shortened names the bookings that it leaves outside, each with the way to move it',
    play: async (stage) => {
      const practice = await makePractice(stage.url);
      const { token, name } = await newPatient(stage.url);
      const date = clinicDate(3);
      const slot = (await freeSlots(stage.url, practice, date)).at(-1);
      assert.ok(slot !== undefined);
      const { id } = await bookFor(stage.url, token, practice, slot);
      const watched = await enter(stage, demo.admin, `/konsol/jadwal?dokter=${practice.doctor}`);
      const { page } = watched;
      const weekday = (new Date(date).getUTCDay() + 6) % 7;
      await page
        .getByRole('cell')
        .nth(weekday)
        .getByRole('button', { name: /00\.00/ })
        .first()
        .click();
      await page.getByLabel('Selesai', { exact: true }).fill('12:00');
      await page.getByRole('button', { name: 'Simpan' }).click();
      await page.getByText('1 janji mendatang terkena.').waitFor();
      const move = page.getByRole('link', { name: `Jadwalkan ulang: ${name}` });
      await assertAccessible(page, 'a schedule with whom it leaves outside');
      await shoot(stage, page, 'konsol-jadwal-terkena');
      await move.focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/konsol/pindah/${id}`);
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'a desk chooses to be told of what patients cancel, and an admin ends a calendar address of a person',
    play: async (stage) => {
      const { url } = stage;
      const watched = await enter(stage, demo.admin, '/konsol/akun');
      const { page } = watched;
      const wish = page.getByRole('checkbox', { name: /^Beri tahu saya bila pasien/ });
      await wish.press('Space');
      await page.reload();
      await wish.waitFor();
      assert.equal(await wish.isChecked(), true);
      const person = await newPatient(url);
      await call(url, 'POST', '/v1/calendar-feeds', { token: person.token, body: {} });
      await page.goto(`${url}/konsol/orang?q=${encodeURIComponent(person.email)}`);
      await page.getByRole('button', { name: /^Ubah/ }).first().click();
      await page.getByRole('button', { name: /^Hapus alamat: / }).press('Enter');
      await page.getByText('Tidak ada alamat kalender.').waitFor();
      const { body } = await call(url, 'GET', '/v1/calendar-feeds', { token: person.token });
      assert.deepEqual(body.data, []);
      await assertClean(watched, url);
      await watched.close();
    },
  },
];
