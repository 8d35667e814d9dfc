import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Server, startNode, startWorker, temporaryFolder } from '../../support/servers.ts';
import { assertAccessible, assertClean, assertReflowsWhenLarge, walk } from '../support/checks.ts';
import { clinicDate, settings } from '../support/clinic.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { desk, phone, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { confirm, press, set, type } from './keyboard.ts';
import { enter } from './steps.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The lines of wrangler.toml for a sandbox, as its comment says them, and its paths from wherever it stands. */
const withSandbox = (settings: string): string =>
  settings
    .replace(/^# A sandbox[^\n]*\n((?:# .*\n)+)/m, (_, lines: string) => lines.replaceAll(/^# /gm, ''))
    .replace('"build/worker.js"', JSON.stringify(join(root, 'build/worker.js')))
    .replace('"public"', JSON.stringify(join(root, 'public')))
    .replace('["src", "web"]', JSON.stringify([join(root, 'src')]));

const startWithSandbox = ({ runtime }: Stage): Promise<Server> => {
  const folder = temporaryFolder();
  if (runtime === 'node')
    return startNode(folder, {
      ...settings,
      SANDBOX_DATABASE_URL: `file:${join(folder, 'sandbox.db')}`,
    });
  const config = join(folder, 'wrangler.toml');
  writeFileSync(config, withSandbox(readFileSync(join(root, 'wrangler.toml'), 'utf8')));
  return startWorker(folder, settings, ['--config', config]);
};

/** The sandbox beside a clinic, on the screen of the API keys. */
export const sandboxes: readonly Scenario[] = [
  {
    name: 'an admin makes and revokes a test key, sets the clock of the sandbox and begins it again, by keyboard alone',
    startsOwn: true,
    play: async (outer) => {
      const clinic = await startWithSandbox(outer);
      const stage: Stage = { ...outer, url: clinic.url };
      const { url } = stage;
      try {
        const token = await tokenOf(url, demo.admin);
        const standing = async () => (await call(url, 'GET', '/v1/sandbox', { token })).body.data;
        const watched = await enter(stage, demo.admin, '/konsol/kunci');
        const { page } = watched;
        const part = page.getByRole('region', { name: 'Sandbox: klinik uji coba' });
        await part.getByText('Belum ada kunci uji.').waitFor();
        await press(page, 'Buat kunci uji');
        await type(page, 'Nama', 'Integrasi kasir');
        await page.getByLabel('Membaca dokter, layanan, dan jadwal').focus();
        await page.keyboard.press('Space');
        await press(page, 'Simpan');
        const key = (await part.locator('code').textContent()) ?? '';
        assert.match(key, /^janji_test_/);
        const row = part.getByRole('row', { name: /^Integrasi kasir/ });
        await row.getByText('Membaca dokter, layanan, dan jadwal').waitFor();
        const reads = async () => (await call(url, 'GET', '/v1/admin/doctors', { token: key })).status;
        assert.equal(await reads(), 200);
        // The clinic's own keys are another list.
        await page.getByText('Belum ada kunci.').waitFor();
        await assertAccessibleInAllLooks(page, 'the sandbox');
        await assertReflowsWhenLarge(page, 'the sandbox');
        await walk(page, 'the sandbox');
        for (const [name, viewport] of [['1280', desk] as const, ['360', phone] as const])
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.setViewportSize(viewport);
            await page.emulateMedia({ colorScheme });
            await shoot(stage, page, `konsol-sandbox-${name}-${colorScheme}`, true);
          }
        await page.setViewportSize(desk);
        await page.emulateMedia({ colorScheme: null });

        const later = clinicDate(9);
        await set(page, 'Majukan ke tanggal', later.split('-').reverse().join('/'));
        await set(page, 'Pukul', '09.30');
        await page.keyboard.press('Enter');
        await part.getByText('Jam sudah dimajukan.').waitFor();
        await part.getByText(/^Sekarang di sandbox: .+, 09\.3\d /).waitFor();
        const { now: ahead } = await standing();
        const local = new Date(ahead).toLocaleString('sv-SE', { timeZone: settings.CLINIC_TIME_ZONE });
        assert.ok(local.startsWith(`${later} 09:3`), `${ahead} is half past nine at the clinic`);
        // It does not go back.
        await set(page, 'Pukul', '08.00');
        await page.keyboard.press('Enter');
        await part.getByRole('alert').waitFor();
        await assertAccessible(page, 'the sandbox, a clock that goes back');
        assert.ok((await standing()).now >= ahead);

        await page.evaluate(`localStorage.setItem('bahasa', 'en')`);
        await page.reload();
        await page.getByRole('heading', { name: 'Sandbox: a clinic for trials' }).waitFor();
        await page.getByRole('row', { name: /^Integrasi kasir/ }).waitFor();
        assert.equal(await page.locator('code').count(), 0, 'the key is shown once');
        await assertAccessibleInAllLooks(page, 'the sandbox, in English');
        await assertReflowsWhenLarge(page, 'the sandbox, in English');
        await shoot(stage, page, 'konsol-sandbox-en', true);
        await page.evaluate(`localStorage.setItem('bahasa', 'id')`);
        await page.reload();
        await row.waitFor();

        await press(page, 'Mulai sandbox dari awal');
        await page.getByRole('dialog', { name: 'Mulai sandbox dari awal?' }).waitFor();
        await assertAccessibleInAllLooks(page, 'the sandbox, before it begins again');
        await shoot(stage, page, 'konsol-sandbox-tanya');
        await confirm(page, 'Mulai sandbox dari awal');
        await part.getByText('Sandbox dimulai dari awal.').waitFor();
        assert.ok((await standing()).now < ahead);
        assert.equal(await reads(), 200, 'keys stay');
        await press(page, 'Cabut: Integrasi kasir');
        await confirm(page, 'Cabut');
        await part.getByText('Kunci sudah dicabut.').waitFor();
        await part.getByText('Belum ada kunci uji.').waitFor();
        assert.equal(await reads(), 401);
        await assertClean(watched, url, [/status of 422 /]);
        await watched.close();
      } finally {
        await clinic.stop();
      }
    },
  },
];
