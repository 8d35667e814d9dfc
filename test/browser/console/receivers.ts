import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assertAccessible, assertClean, assertReflowsWhenLarge } from '../support/checks.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { type Scenario, shoot } from '../support/stage.ts';
import { confirm, press, type } from './keyboard.ts';
import { enter, expectedToday, until, untilThere } from './steps.ts';

interface Heard {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver on this machine, which keeps what it was sent. */
const startReceiver = async () => {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      heard.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/janji`, heard, stop: () => server.close() };
};

const isSignedBy = ({ headers, body }: Heard, secret: string): boolean => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(signature);
};

export const receivers: readonly Scenario[] = [
  {
    name: 'a receiver is added, hears, is sent an event again, paused, and given a new secret by keyboard alone',
    play: async (stage) => {
      const { url } = stage;
      const receiver = await startReceiver();
      try {
        const token = await tokenOf(url, demo.admin);
        const name = `Rekam medis ${Date.now().toString(36)}`;
        const watched = await enter(stage, demo.admin, '/konsol/webhook');
        const { page } = watched;
        const card = page.getByRole('region', { name });
        const hookOf = async () =>
          (
            (await call(url, 'GET', '/v1/admin/webhooks?limit=100', { token })).body.data as {
              id: string;
              description: string;
              status: string;
            }[]
          ).find((one) => one.description === name);
        await press(page, 'Tambah penerima');
        await type(page, 'Alamat (https)', receiver.url);
        await type(page, 'Keterangan', name);
        await page.keyboard.press('Enter');
        await page.getByText('Rahasia tanda tangan.').waitFor();
        const secret = await page.locator('main code').innerText();
        assert.match(secret, /^whsec_/);
        await assertAccessible(page, 'a secret that is shown once');
        await shoot(stage, page, 'konsol-webhook-rahasia');

        await expectedToday(url);
        await until(async () => receiver.heard.length > 0, 'the receiver hears', 30_000);
        assert.ok(receiver.heard[0] && isSignedBy(receiver.heard[0], secret), 'signed by the shown secret');

        await card.getByRole('button', { name: 'Pengiriman' }).focus();
        await page.keyboard.press('Enter');
        const row = card.getByRole('row', { name: /booking\.created.*Terkirim/ }).first();
        await row.waitFor({ timeout: 20_000 });
        await assertAccessible(page, 'deliveries');
        await shoot(stage, page, 'konsol-webhook-kiriman');
        await row.getByRole('button', { name: /^Lihat isi/ }).press('Enter');
        await page.getByRole('heading', { name: 'Yang dijawab' }).waitFor();
        await page.getByText(/"type": "booking\.created"/).waitFor();
        await page.getByText('HTTP 204').waitFor();
        await assertAccessibleInAllLooks(page, 'the content of a delivery');
        await assertReflowsWhenLarge(page, 'the content of a delivery');
        await shoot(stage, page, 'konsol-webhook-isi', true);
        await row.getByRole('button', { name: /^Tutup isi/ }).press('Enter');
        await page.getByRole('heading', { name: 'Yang dijawab' }).waitFor({ state: 'detached' });
        const sent = receiver.heard.length;
        await card.getByRole('button', { name: 'Kirim uji coba' }).press('Enter');
        await page.getByText('Penerima menjawab uji coba ini dengan benar.').waitFor();
        assert.ok(
          receiver.heard
            .slice(sent)
            .some((one) => isSignedBy(one, secret) && one.body.includes('"webhook.test"')),
          'a signed test was heard',
        );
        await assertAccessibleInAllLooks(page, 'a test that was sent');
        await shoot(stage, page, 'konsol-webhook-uji', true);
        await row.getByRole('button', { name: /^Kirim ulang/ }).focus();
        await page.keyboard.press('Enter');
        await page.getByText('Dikirim ulang.').waitFor();
        // Others' events come in between.
        const ids = () => receiver.heard.map(({ headers }) => headers['webhook-id']);
        const isSentAgain = async () => new Set(ids()).size < receiver.heard.length;
        await until(isSentAgain, 'it is sent again under the same id', 30_000);

        await page.evaluate(`localStorage.setItem('bahasa', 'en')`);
        await page.reload();
        await card.getByRole('button', { name: 'Send a test' }).press('Enter');
        await page.getByText('The receiver answered this test as it should.').waitFor();
        await assertAccessibleInAllLooks(page, 'a test that was sent, in English');
        await page.evaluate(`localStorage.setItem('bahasa', 'id')`);
        await page.reload();

        await card.getByRole('button', { name: 'Jeda' }).focus();
        await page.keyboard.press('Enter');
        await card.getByText(/Dijeda oleh admin/).waitFor();
        assert.equal((await hookOf())?.status, 'paused');
        await card.getByRole('button', { name: 'Lanjutkan' }).focus();
        await page.keyboard.press('Enter');
        await card.getByText(/^Aktif/).waitFor();
        assert.equal((await hookOf())?.status, 'active');

        await card.getByRole('button', { name: 'Ganti rahasia' }).focus();
        await page.keyboard.press('Enter');
        await confirm(page, 'Ganti rahasia');
        await untilThere(
          page,
          `document.querySelector('main code')?.textContent !== ${JSON.stringify(secret)}`,
        );
        const fresh = await page.locator('main code').innerText();
        const before = receiver.heard.length;
        await expectedToday(url);
        await until(async () => receiver.heard.length > before, 'it hears under the new secret', 30_000);
        const last = receiver.heard.at(-1);
        assert.ok(last && isSignedBy(last, fresh) && isSignedBy(last, secret), 'by both, for a while');

        await card.getByRole('button', { name: 'Hapus' }).focus();
        await page.keyboard.press('Enter');
        await confirm(page, 'Hapus');
        await card.waitFor({ state: 'detached' });
        assert.equal(await hookOf(), undefined);
        await assertClean(watched, url);
        await watched.close();
      } finally {
        receiver.stop();
      }
    },
  },
];
