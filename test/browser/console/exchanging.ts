import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { bpjsSettings, createBpjs } from '../../support/peers/bpjs.ts';
import { assertAccessible, assertClean, assertReflowsWhenLarge, walk } from '../support/checks.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { startOwn } from '../support/own-service.ts';
import { call, demo, tokenOf } from '../support/people.ts';
import { phone, type Scenario, shoot } from '../support/stage.ts';
import { choose, press } from './keyboard.ts';
import { enter, expectedToday, type Listed, until } from './steps.ts';

/** BPJS on this machine, as a clinic that reports to it meets it. */
const startBpjs = async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const own = { ...bpjsSettings, BPJS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const bpjs = createBpjs(Date.now, own);
  server.on('request', async (incoming, outgoing) => {
    const headers = incoming.headers as Record<string, string>;
    const request = {
      url: `${own.BPJS_URL}${incoming.url}`,
      method: 'POST',
      headers,
      body: await text(incoming),
    };
    const answer = await bpjs.ask(request as never, AbortSignal.timeout(10_000));
    if ('failure' in answer) return outgoing.destroy();
    outgoing.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.body);
  });
  return { bpjs, own, stop: () => server.close() };
};

/** The due work of a minute, and some time for it. */
const withinRounds = 150_000;

export const exchanging: readonly Scenario[] = [
  {
    name: 'what BPJS does not take says why, is tried again once that is mended, or is left, by keyboard alone',
    startsOwn: true,
    waits: true,
    play: async (outer) => {
      const { bpjs, own, stop } = await startBpjs();
      const server = await startOwn(outer, own);
      const stage = { ...outer, url: server.url };
      const { url } = stage;
      try {
        const token = await tokenOf(url, demo.admin);
        const change = (path: string, body: object) => call(url, 'PATCH', path, { token, body });
        const listed = await call(url, 'GET', '/v1/admin/sessions', { token });
        for (const { id } of listed.body.data)
          await change(`/v1/admin/sessions/${id}`, { bpjs_poli_code: 'ANA' });
        // No doctor has a code of HFIS yet: BPJS can be told of neither of the two.
        const visits = [await expectedToday(url), await expectedToday(url)];
        const codeOf = async ({ id }: Listed): Promise<string> =>
          (await call(url, 'GET', `/v1/bookings/${id}`, { token })).body.data.booking_code;
        const [first = '', second = ''] = await Promise.all(visits.map(codeOf));
        // The demo clinic has visits of its own, which wait for the same.
        const parked = async () => {
          const found = await call(url, 'GET', '/v1/admin/exchanges?state=parked&limit=100', { token });
          const codes = found.body.data.map((one: { booking_code: string }) => one.booking_code);
          return [first, second].filter((code) => codes.includes(code));
        };
        await until(async () => (await parked()).length === 2, 'both are parked', withinRounds);

        const watched = await enter(stage, demo.admin, '/konsol/pertukaran');
        const { page } = watched;
        const rowOf = (code: string) => page.getByRole('row', { name: new RegExp(code) });
        await rowOf(first).getByText('Dokter belum punya kode HFIS.').waitFor();
        await rowOf(second).getByText('Dokter belum punya kode HFIS.').waitFor();
        await page.getByText(/BPJS Antrean: \d+ menunggu, \d+ perlu tindakan/).waitFor();
        await assertAccessibleInAllLooks(page, 'exchanges');
        await assertReflowsWhenLarge(page, 'exchanges');
        await walk(page, 'exchanges');
        await shoot(stage, page, 'konsol-pertukaran', true);
        await page.setViewportSize(phone);
        await page.emulateMedia({ colorScheme: 'dark' });
        await shoot(stage, page, 'konsol-pertukaran-360-gelap', true);
        await page.emulateMedia({ colorScheme: null });

        for (const { doctor_id } of visits)
          await change(`/v1/admin/doctors/${doctor_id}`, { bpjs_doctor_code: 12_346 });
        await press(page, `Coba lagi: ${first}, terdaftar`);
        await page.getByText('Dikirim lagi.').waitFor();
        await rowOf(first).waitFor({ state: 'detached' });
        await until(async () => bpjs.queues.has(first), 'BPJS is told', withinRounds);
        assert.equal(bpjs.queues.has(second), false, 'the other one waits for a person');

        await press(page, `Biarkan: ${second}, terdaftar`);
        await page.getByText('Dibiarkan.').waitFor();
        await rowOf(second).waitFor({ state: 'detached' });
        assert.deepEqual(await parked(), []);
        await choose(page, 'Keadaan', 'Dibiarkan');
        await rowOf(second).waitFor();
        assert.equal(await rowOf(second).getByRole('button').count(), 0, 'it is given up for good');

        await page.evaluate("localStorage.setItem('bahasa', 'en')");
        await page.reload();
        await page.getByRole('heading', { level: 1, name: 'Data exchange' }).waitFor();
        await page.getByRole('combobox').first().selectOption('left');
        await rowOf(second).getByText('The doctor has no code of HFIS.').waitFor();
        await assertAccessible(page, 'exchanges, in English');
        await shoot(stage, page, 'konsol-pertukaran-en', true);
        assert.equal(bpjs.wrongs.length, 0, bpjs.wrongs.join());
        await assertClean(watched, url);
        await watched.close();
      } finally {
        await server.stop();
        stop();
      }
    },
  },
];
