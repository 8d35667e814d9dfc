import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { holdBack } from '../support/answers.ts';
import { assertAccessible, assertClean } from '../support/checks.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { type Scenario, shoot, shotsFolder } from '../support/stage.ts';
import { choose, press, set, tabTo } from './keyboard.ts';
import { dayOf, enter, expectedToday, rowOf, todayOf, untilThere } from './steps.ts';

/** Presses what gives a file; its name, and its cells. Ours are quoted texts and bare numbers, without line ends inside. */
const downloaded = async (page: Page, name: string) => {
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, name)]);
  const text = readFileSync(await download.path(), 'utf8');
  assert.ok(text.startsWith('\ufeff'), 'spreadsheets are told that it is UTF-8');
  const rows = text
    .slice(1)
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) =>
        (quoted ?? bare ?? '').replaceAll('""', '"'),
      ),
    );
  return { file: download.suggestedFilename(), rows };
};

/** How many pages a print takes, with the margins that browsers leave. */
const countPages = async (page: Page, format: string, name: string): Promise<number | undefined> => {
  const wide = '0.5in';
  const pdf = await page.pdf({ format, margin: { top: wide, right: wide, bottom: wide, left: wide } });
  writeFileSync(`${shotsFolder()}/${name}-${format}.pdf`, pdf);
  return pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length;
};

export const figures: readonly Scenario[] = [
  {
    name: 'all data of a kind is taken away by keyboard alone, for a spreadsheet or a program, and the trail says so',
    play: async (stage) => {
      const { url } = stage;
      const today = await todayOf(url);
      const day = await dayOf(url);
      const watched = await enter(stage, demo.admin);
      const { page } = watched;
      await press(page, 'Ekspor data');
      await page.getByRole('heading', { name: 'Ekspor data' }).waitFor();
      const take = async () => {
        const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Unduh')]);
        await page.getByText(`${download.suggestedFilename()} sudah diunduh.`).waitFor();
        return {
          file: download.suggestedFilename(),
          lines: readFileSync(await download.path(), 'utf8')
            .trimEnd()
            .split(/\r?\n/),
        };
      };
      await untilThere(page, `document.querySelector('select') !== null`);
      const patients = await take();
      assert.equal(patients.file, `patients-${today}.csv`);
      assert.match(patients.lines[0] ?? '', /^\ufeffid;name;phone_country_code;/);
      assert.ok(patients.lines.some((line) => line.includes('Siti Rahayu')));
      await choose(page, 'Data', 'Janji temu');
      await set(page, 'Diubah sejak', today);
      await page.keyboard.press('Tab');
      await choose(page, 'Bentuk', 'NDJSON (program)');
      const bookings = await take();
      assert.equal(bookings.file, `bookings-${today}.ndjson`);
      const ids = bookings.lines.map((line) => JSON.parse(line).id);
      for (const { id } of day) assert.ok(ids.includes(id), 'what was booked today is among them');
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await assertAccessible(page, `the export, ${colorScheme}`);
      }
      await shoot(stage, page, 'konsol-ekspor');
      const token = await tokenOf(url, demo.admin);
      const { body } = await call(url, 'GET', '/v1/admin/security-events?type=data_exported', { token });
      assert.deepEqual(
        body.data.map(({ route, detail }: { route: string; detail: object }) => [route, detail]),
        [
          ['GET /v1/export/bookings', { format: 'ndjson', updated_since: today }],
          ['GET /v1/export/patients', { format: 'excel' }],
        ],
      );
      await assertClean(watched, url);
      await watched.close();
    },
  },
  {
    name: 'the list of the day is taken away as a table: every row, in words, and no formula in it',
    play: async (stage) => {
      const token = await tokenOf(stage.url, demo.staff);
      const booking = await expectedToday(stage.url);
      await call(stage.url, 'PATCH', `/v1/patients/${booking.patient.id}`, {
        token,
        body: { name: `=CMD() "Ani", ${booking.id.slice(0, 6)}` },
      });
      const watched = await enter(stage);
      const { page } = watched;
      await rowOf(page, booking).waitFor({ state: 'attached' });
      const { file, rows } = await downloaded(page, 'Unduh CSV');
      assert.equal(file, `janji-${await todayOf(stage.url)}.csv`);
      assert.deepEqual(rows[0]?.slice(0, 4), ['Jam', 'Nomor', 'Kode', 'Pasien']);
      const day = await dayOf(stage.url);
      assert.equal(rows.length - 1, day.length);
      const own = rows.find((row) => row[1] === booking.queue_label);
      assert.equal(own?.[3], `'=CMD() "Ani", ${booking.id.slice(0, 6)}`);
      assert.ok(own?.includes('Disetujui'));
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'statistics are read as a table, by the same numbers as the service tells and the file holds',
    play: async (stage) => {
      const { url } = stage;
      const token = await tokenOf(url, demo.admin);
      const today = await todayOf(url);
      const watched = await enter(stage, demo.admin, '/konsol/statistik');
      const { page } = watched;
      const table = page.getByRole('table', { name: 'Menurut Hari' });
      await table.waitFor();
      assert.equal(await table.getByRole('row').count(), 8, 'seven days and the head');
      assert.deepEqual((await table.getByRole('columnheader').allInnerTexts()).slice(0, 3), [
        'Hari',
        'Kursi terpakai',
        'Selesai',
      ]);
      await page
        .getByRole('img', { name: /^Dari .+ menjadi .+; tertinggi .+\. Semua angka ada dalam tabel\.$/ })
        .waitFor();
      const { body } = await call(url, 'GET', `/v1/admin/statistics?from=${today}&to=${today}&by=doctor`, {
        token,
      });
      await set(page, 'Dari', today);
      await page.keyboard.press('Enter');
      await choose(page, 'Menurut', 'Dokter');
      const byDoctor = page.getByRole('table', { name: 'Menurut Dokter' });
      await byDoctor.waitFor();
      const told = body.data as { doctor_name: string; offered_seats: number; booked_seats: number }[];
      for (const { doctor_name, offered_seats, booked_seats } of told) {
        const row = byDoctor
          .getByRole('row')
          .filter({ has: page.getByRole('rowheader', { name: doctor_name, exact: true }) });
        await row.first().waitFor();
        const [used = ''] = await row.first().getByRole('cell').allInnerTexts();
        const [booked, offered] = used.match(/\d+/g) ?? [];
        if (offered_seats > 0)
          assert.deepEqual([Number(booked), Number(offered)], [booked_seats, offered_seats], doctor_name);
      }
      const letCome = await holdBack(page, '**/v1/admin/statistics?*by=weekday_hour*');
      await page.evaluate(`new MutationObserver(() => {
        const caption = document.querySelector('caption')?.innerText ?? '';
        if (caption.startsWith('Kursi terpakai')) document.body.dataset.early = caption;
      }).observe(document.body, { childList: true, subtree: true, characterData: true })`);
      // Not typed: the text of a moment ago would still count as the beginning of the word.
      await page.getByLabel('Menurut').selectOption({ label: 'Sepekan' });
      const week = page.getByRole('table', { name: 'Kursi terpakai dari yang ada, per hari dan jam' });
      await byDoctor.waitFor({ state: 'detached' });
      assert.equal(await page.locator('[data-early]').count(), 0, 'no rows stand under the name of others');
      letCome();
      await week.waitFor();
      assert.match((await week.getByRole('cell').allInnerTexts()).join(' '), /\d+\/\d+/);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await assertAccessible(page, `the week, ${colorScheme}`);
      }
      await page.getByLabel('Menurut').selectOption({ label: 'Dokter' });
      await byDoctor.waitFor();
      const { file, rows } = await downloaded(page, 'Unduh CSV');
      assert.equal(file, `statistik-${today}-${today}-doctor.csv`);
      assert.equal(rows.length - 1, told.length);
      const [head] = rows;
      assert.deepEqual(
        rows
          .slice(1)
          .map((row) => [
            row[head?.indexOf('doctor_name') ?? -1],
            Number(row[head?.indexOf('booked_seats') ?? -1]),
          ]),
        told.map((one) => [one.doctor_name, one.booked_seats]),
      );
      await assertClean(watched, url);
      await watched.close();
    },
  },
  {
    name: 'numbers over weeks, beside each other, by how long before, and a month on one printed page',
    play: async (stage) => {
      const { url } = stage;
      const watched = await enter(stage, demo.admin, '/konsol/statistik');
      const { page } = watched;
      await page.getByRole('table', { name: 'Menurut Hari' }).waitFor();
      await shoot(stage, page, 'statistik-hari', true);
      await choose(page, 'Grafik', 'Menunggu (median)');
      await page.waitForURL(/angka=waiting/);
      const tables: readonly (readonly [view: string, names: readonly (string | RegExp)[]])[] = [
        ['Pekan', ['Menurut Pekan']],
        ['Bulan', ['Menurut Bulan']],
        ['Dokter dan layanan', ['Menurut Dokter', 'Menurut Layanan']],
        ['Jarak pemesanan', [/^Tidak hadir dari kunjungan yang berakhir/]],
        [
          'Laporan bulan',
          [
            'Menurut Dokter',
            'Menurut Layanan',
            /^Kursi terpakai dari yang ada/,
            /^Tidak hadir dari kunjungan/,
          ],
        ],
      ];
      for (const [view, names] of tables) {
        // Not typed: the text of a moment ago would still count as the beginning of the word.
        await page.getByLabel('Menurut').selectOption({ label: view });
        for (const name of names) await page.getByRole('table', { name }).waitFor();
        await shoot(stage, page, `statistik-${view}`.replaceAll(' ', '-'), true);
        await assertAccessibleInAllLooks(page, view);
      }
      for (const format of ['A4', 'Letter']) assert.equal(await countPages(page, format, 'bulan'), 1, format);
      // An address may hold anything.
      await page.goto(`${url}/konsol/statistik?menurut=report&bulan=2026-13`);
      await page.getByRole('table', { name: 'Menurut Dokter' }).waitFor();
      await assertClean(watched, url);
      await watched.close();
    },
  },
  {
    name: 'the month of a clinic with forty doctors that is open day and night is one printed page, from a phone as well',
    play: async (stage) => {
      const watched = await enter(stage, demo.admin);
      const { page } = watched;
      await page.route('**/v1/admin/statistics?*', async (route) => {
        const answer = await route.fetch();
        const { data, ...rest } = await answer.json();
        const by = new URL(route.request().url()).searchParams.get('by');
        const many = (count: number, own: (nth: number) => object) =>
          Array.from({ length: count }, (_, nth) => ({ ...data[nth % data.length], ...own(nth) }));
        const rows =
          {
            doctor: many(40, (nth) => ({
              doctor_id: `${nth}`,
              doctor_name: `dr. Anastasia Kusumawardhani ${nth}, Sp.PD`,
            })),
            session: many(20, (nth) => ({
              session_id: `${nth}`,
              session_name: `Pemeriksaan kesehatan ${nth}`,
            })),
            weekday_hour: many(168, (nth) => ({ weekday: 1 + (nth % 7), hour: Math.floor(nth / 7) })),
          }[by ?? ''] ?? data;
        await route.fulfill({ response: answer, json: { ...rest, data: rows } });
      });
      for (const language of ['id', 'en'])
        for (const width of [360, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          await page.evaluate(`localStorage.setItem('bahasa', '${language}')`);
          await page.goto(`${stage.url}/konsol/statistik?menurut=report`);
          await page.getByText('dr. Anastasia Kusumawardhani 39, Sp.PD').waitFor();
          await page.getByText('Pemeriksaan kesehatan 19').waitFor();
          await page.getByRole('rowheader', { name: /^23[.:]00$/ }).waitFor();
          for (const format of ['A4', 'Letter'])
            assert.equal(
              await countPages(page, format, 'bulan-besar'),
              1,
              `${format}, ${language}, ${width}`,
            );
          assert.equal(
            await page.locator('[style*="--scale"]').evaluate((one) => one.className.includes('paper')),
            false,
          );
        }
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'numbers of thousands are read with the separator of the language of the page, on the screen and on the printed month',
    play: async (stage) => {
      const watched = await enter(stage, demo.admin);
      const { page } = watched;
      const thousands = (found: object): object =>
        Object.fromEntries(
          Object.entries(found).map(([name, value]) => [
            name,
            /seats$|^(completed|no_shows|created|canceled_by_\w+)$/.test(name) ? 1234 : value,
          ]),
        );
      await page.route('**/v1/admin/statistics?*', async (route) => {
        const answer = await route.fetch();
        const { data, meta, ...rest } = await answer.json();
        const json = { ...rest, data: data.map(thousands), meta: { ...meta, total: thousands(meta.total) } };
        await route.fulfill({ response: answer, json });
      });
      const texts = `(() => {
        const main = document.querySelector('main');
        const hidden = [...main.querySelectorAll('[aria-label], title')].map((one) => one.getAttribute('aria-label') ?? one.textContent);
        return [...hidden, ...main.innerText.split('\\n')].filter((text) => /\\d{4}|1[.,]234/.test(text));
      })()`;
      const years = /\b20\d\d\b/g;
      for (const [language, number] of [['id', '1.234'] as const, ['en', '1,234'] as const]) {
        await page.evaluate(`localStorage.setItem('bahasa', '${language}')`);
        for (const view of ['day', 'beside', 'weekday_hour', 'lead', 'report']) {
          await page.goto(`${stage.url}/konsol/statistik?menurut=${view}`);
          await page.locator('main table').first().waitFor();
          await page.getByText(number).first().waitFor();
          const found = (await page.evaluate(texts)) as string[];
          for (const text of found)
            assert.doesNotMatch(text.replace(years, ''), /\d{4}/, `${view}, ${language}`);
          const grouped = found.filter((text) => text.includes(number));
          assert.ok(grouped.length > 3, `${view}, ${language}: ${found.join('; ')}`);
        }
        await shoot(stage, page, `statistik-ribuan-${language}`, true);
      }
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  {
    name: 'the audit is narrowed to what happened and to whom, and goes on where the page ends',
    play: async (stage) => {
      const { url } = stage;
      const token = await tokenOf(url, demo.admin);
      for (let nth = 0; nth < 55; nth++) await tokenOf(url, demo.doctor);
      const watched = await enter(stage, demo.admin, '/konsol/audit');
      const { page } = watched;
      const rows = page.locator('tbody tr');
      await choose(page, 'Jenis', 'Masuk');
      await page.waitForURL(/jenis=login/);
      await untilThere(
        page,
        `[...document.querySelectorAll('tbody th')].every((one) => one.innerText === 'Masuk')`,
      );
      await rows.nth(49).waitFor();
      assert.equal(await rows.count(), 50);
      await press(page, 'Muat lebih banyak');
      await rows.nth(50).waitFor();
      await shoot(stage, page, 'konsol-audit-saring');
      const doctor = (await call(url, 'GET', `/v1/admin/people?q=${demo.doctor}`, { token })).body.data[0];
      await tabTo(page, `Hanya orang ini: ${doctor.name}`);
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`orang=${doctor.id}`));
      await untilThere(
        page,
        `[...document.querySelectorAll('tbody tr')].every((one) => one.innerText.includes(${JSON.stringify(doctor.name)}))`,
      );
      await press(page, 'Hapus saringan');
      await page.waitForURL((address) => !address.search.includes('orang='));
      await assertClean(watched, url);
      await watched.close();
    },
  },
  {
    name: 'hours are written as the language writes them',
    play: async (stage) => {
      const { page, close } = await enter(stage, demo.admin, '/konsol/statistik?menurut=hour');
      const hour = page.getByRole('rowheader').first();
      await hour.filter({ hasText: /^\d\d\.00$/ }).waitFor();
      await page.evaluate(`localStorage.setItem('bahasa', 'en')`);
      for (const by of ['hour', 'weekday_hour']) {
        await page.goto(`${stage.url}/konsol/statistik?menurut=${by}`);
        await hour.filter({ hasText: /^\d\d:00$/ }).waitFor();
      }
      await close();
    },
  },
];
