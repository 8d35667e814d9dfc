import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openAs } from '../patient/steps.ts';
import { assertAccessible, assertClean, assertReflowsWhenLarge, walk } from '../support/checks.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { startOwn } from '../support/own-service.ts';
import { call, demo, newPatient, tokenOf } from '../support/people.ts';
import { desk, phone, type Scenario, type Stage, shoot } from '../support/stage.ts';
import { confirm, press, tabTo } from './keyboard.ts';
import { enter, until } from './steps.ts';

/** What a provider of mail is given, and how it is asked. */
const receiveMails = async () => {
  const mails: { to: string; subject: string; text: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      const { to, subject, text } = JSON.parse(body);
      mails.push({ to: to[0], subject, text });
      response.end('{}');
    });
  });
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  const { port } = server.address() as AddressInfo;
  return {
    mails,
    given: { MAIL_API_URL: `http://127.0.0.1:${port}/emails`, MAIL_API_KEY: 'kunci' },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

type Mails = Awaited<ReturnType<typeof receiveMails>>['mails'];

/** A patient who has proved the e-mail by the code that was mailed. */
const proved = async (url: string, mails: Mails) => {
  const person = await newPatient(url);
  const code = () => /\n(\d{4} \d{4})\n/.exec(mails.find(({ to }) => to === person.email)?.text ?? '')?.[1];
  await until(async () => code() !== undefined, 'the code is mailed');
  const { token } = person;
  const sent = await call(url, 'POST', '/v1/auth/email/verify', { token, body: { code: code() } });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  return person;
};

const recordFor = async (url: string, email: string, name: string): Promise<string> => {
  const token = await tokenOf(url, demo.staff);
  const body = { name, email, birth_date: '1984-03-09', address: 'Jalan Melati 4', confirm: true };
  return (await call(url, 'POST', '/v1/patients', { token, body })).body.data.id;
};

export const matching: readonly Scenario[] = [
  {
    name: 'an earlier record is found by a proved e-mail and the date of birth; the desk confirms one and declines another by keyboard alone',
    startsOwn: true,
    play: async (stage) => {
      const post = await receiveMails();
      const server = await startOwn(stage, post.given);
      const { url } = server;
      const own: Stage = { ...stage, url };
      try {
        const [one, other] = [await proved(url, post.mails), await proved(url, post.mails)];
        const record = await recordFor(url, one.email, 'Ny. Siti Rahayu Lama');
        await recordFor(url, other.email, 'Orang Lain Sekali');

        // The patient gives the date, and is told the same whether or not there is a record.
        for (const person of [one, other]) {
          const watched = await openAs(own, person, 'keluarga', { viewport: phone });
          const { page } = watched;
          await page.getByText('Pernah berobat di klinik ini?').click();
          await page.getByText(/^Isi tanggal lahir Anda/).waitFor();
          if (person === one) {
            await assertAccessibleInAllLooks(page, 'family, were you here before');
            await assertReflowsWhenLarge(page, 'family, were you here before');
            await shoot(own, page, 'pasien-pernah-berobat', true);
          }
          await page.getByLabel('Tanggal lahir').first().fill('1984-03-09');
          await page.getByRole('button', { name: 'Simpan tanggal lahir' }).press('Enter');
          await page.getByText('Tersimpan. Klinik memeriksanya.').waitFor();
          assert.equal(
            await page.getByText(/Ny\. |Jalan Melati/).count(),
            0,
            'nothing of the record is shown',
          );
          await assertClean(watched, url);
          await watched.close();
        }

        const watched = await enter(own, demo.staff, '/konsol/');
        const { page } = watched;
        const line = '2 catatan lama mungkin milik pasien yang kini punya akun';
        await page.getByRole('link', { name: line, exact: true }).waitFor();
        await assertAccessibleInAllLooks(page, 'the day with earlier records');
        await page.setViewportSize(phone);
        await shoot(own, page, 'konsol-hari-catatan-lama-360');
        await page.setViewportSize(desk);
        await shoot(own, page, 'konsol-hari-catatan-lama');
        await press(page, line);
        await page
          .getByRole('heading', { level: 1, name: 'Catatan yang mungkin milik pasien ini' })
          .waitFor();
        const card = page.locator('section').filter({ hasText: 'Ny. Siti Rahayu Lama' });
        await card.getByRole('row', { name: /^Alamat · berbeda – Jalan Melati 4$/ }).waitFor();
        await assertAccessibleInAllLooks(page, 'earlier records');
        await assertReflowsWhenLarge(page, 'earlier records');
        for (const [name, viewport] of [['', desk] as const, ['-360', phone] as const])
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.setViewportSize(viewport);
            await page.emulateMedia({ colorScheme });
            await shoot(own, page, `konsol-cocok${name}-${colorScheme}`, true);
          }
        await walk(page, 'earlier records, 360');
        await page.evaluate(`localStorage.setItem('bahasa', 'en')`);
        await page.reload();
        await page.getByRole('heading', { level: 1, name: 'Records that may be this patient’s' }).waitFor();
        await page
          .getByRole('button', { name: /^It is this patient’s/ })
          .first()
          .waitFor();
        await assertAccessible(page, 'earlier records, in English');
        await assertReflowsWhenLarge(page, 'earlier records, in English');
        await shoot(own, page, 'konsol-cocok-en', true);
        await page.evaluate(`localStorage.setItem('bahasa', 'id')`);
        await page.emulateMedia({ colorScheme: null });
        await page.setViewportSize(desk);
        await page.reload();
        await card.waitFor();

        // Both accounts have one name: the first card is the one that waits longest.
        await tabTo(page, `Milik pasien ini: Ny. Siti Rahayu Lama → ${one.name}`);
        await page.keyboard.press('Enter');
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('heading', { name: `Ny. Siti Rahayu Lama → ${one.name}` }).waitFor();
        await assertAccessibleInAllLooks(page, 'earlier records, before it is confirmed');
        await shoot(own, page, 'konsol-cocok-tanya');
        await confirm(page, 'Milik pasien ini');
        await page.getByText(`Catatan lama kini milik ${one.name}.`).waitFor();
        await page.getByText('Ny. Siti Rahayu Lama').waitFor({ state: 'detached' });
        const merged = await call(url, 'GET', `/v1/patients/${record}`, {
          token: await tokenOf(url, demo.staff),
        });
        assert.deepEqual([merged.body.data.id, merged.body.data.address], [one.id, 'Jalan Melati 4']);
        await until(
          async () =>
            post.mails.some(
              ({ to, subject }) =>
                to === one.email && subject === 'Catatan lama Anda telah ditambahkan ke akun Anda',
            ),
          'the patient is told',
        );

        await press(page, `Bukan miliknya: Orang Lain Sekali → ${other.name}`);
        await confirm(page, 'Bukan miliknya');
        await page.getByText('Tidak ada catatan yang perlu diperiksa.').waitFor();
        assert.equal(await page.evaluate(`document.activeElement?.tagName`), 'H1');
        await assertAccessible(page, 'no earlier records');
        await shoot(own, page, 'konsol-cocok-kosong');
        await page.getByRole('link', { name: 'Catatan lama' }).waitFor({ state: 'detached' });
        const told = post.mails.filter(({ to, subject }) => to === other.email && /^Catatan/.test(subject));
        assert.deepEqual(told, [], 'who was declined is told nothing');
        await assertClean(watched, url);
        await watched.close();
      } finally {
        await server.stop();
        post.stop();
      }
    },
  },
];
