import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { resolveExampleDates } from '../../../src/core/endpoint/example-dates.ts';
import { callsTemplate, eventsTemplate } from '../../../src/interface/reference/document.ts';
import { withOpenAnswers } from '../../../src/interface/reference/open-answers.ts';
import { readerOfBuilt } from '../../../src/runtime/node/pages/built-files.ts';
import { compress } from '../../../src/runtime/node/serve/compress.ts';
import { createWorld } from '../../support/world.ts';

const serve = async () => {
  const { deps, clock } = await createWorld();
  const app = createApp({ ...deps, publicFile: readerOfBuilt(), compress });
  const get = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers });
  return Object.assign(get, { clock });
};

describe('the reference as it is served', () => {
  it('gives the document that the contracts make', async () => {
    const get = await serve();
    const answer = await get('/openapi.json');
    expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    const dated = (template: object) =>
      JSON.parse(resolveExampleDates(JSON.stringify(template), '2026-11-23'));
    expect(await answer.json()).toEqual(dated(withOpenAnswers(callsTemplate())));
    const events = await (await get('/openapi-webhooks.json')).json();
    expect(events).toEqual(dated(withOpenAnswers(eventsTemplate())));
  });

  it('gives examples that lie ahead, whatever day it is, under an ETag of the day', async () => {
    const get = await serve();
    const read = async (headers = {}) => {
      const answer = await get('/openapi.json', headers);
      const text = new TextDecoder().decode(await answer.arrayBuffer());
      return { etag: answer.headers.get('ETag'), text, status: answer.status };
    };
    const monday = await read();
    expect(monday.text).toContain('"schedule_date": "2026-11-30"');
    expect(monday.text).not.toContain('{today');
    // 23:00 in Jakarta is still Monday.
    get.clock.now += 16 * 3_600_000;
    expect(await read()).toEqual(monday);
    expect((await read({ 'If-None-Match': monday.etag })).status).toBe(304);
    get.clock.now += 2 * 3_600_000;
    const tuesday = await read({ 'If-None-Match': monday.etag });
    expect([tuesday.status, tuesday.etag === monday.etag]).toEqual([200, false]);
    expect(tuesday.text).toContain('"schedule_date": "2026-12-01"');
    const packed = await get('/openapi.json', { 'Accept-Encoding': 'gzip' });
    expect(packed.headers.get('Content-Encoding')).toBe('gzip');
    const unpacked = gunzipSync(new Uint8Array(await packed.arrayBuffer())).toString();
    expect(unpacked).toBe(tuesday.text);
  });

  it('gives every file that the page asks for, under a policy that trusts nobody else', async () => {
    const get = await serve();
    const page = await get('/docs');
    const policy = page.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const wanted = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, path]) => path as string,
    );
    expect(wanted.length).toBeGreaterThan(4);
    for (const path of wanted) {
      expect((await get(path)).status).toBe(200);
    }
  });

  it('gives the page with a slash at its end, too', async () => {
    const get = await serve();
    expect(await (await get('/docs/')).text()).toBe(await (await get('/docs')).text());
  });

  it.each([
    ['gzip', 'br;q=0, gzip', 3],
    ['br', 'gzip, deflate, br', 3.8],
  ] as const)(
    'packs the largest file in %s for who sends %j, with an ETag of its own',
    async (encoding, accepted, times) => {
      const get = await serve();
      const path = '/docs/swagger-ui-bundle.js';
      const plain = await get(path);
      const packed = await get(path, { 'Accept-Encoding': accepted });
      const [all, few] = [await plain.arrayBuffer(), await packed.arrayBuffer()];
      expect(packed.headers.get('Content-Encoding')).toBe(encoding);
      expect([packed.headers.get('Vary'), plain.headers.get('Content-Encoding')]).toEqual([
        'Accept-Encoding',
        null,
      ]);
      expect(few.byteLength).toBeLessThan(all.byteLength / times);
      const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[encoding];
      expect(unpack(few).equals(Buffer.from(all))).toBe(true);
      expect(packed.headers.get('ETag')).not.toBe(plain.headers.get('ETag'));
      const etag = packed.headers.get('ETag') ?? '';
      expect((await get(path, { 'Accept-Encoding': accepted, 'If-None-Match': etag })).status).toBe(304);
    },
  );

  it('packs the page and the document, and never a picture', async () => {
    const get = await serve();
    const encodingOf = async (path: string) =>
      (await get(path, { 'Accept-Encoding': 'br' })).headers.get('Content-Encoding');
    expect(await encodingOf('/openapi.json')).toBe('br');
    expect(await encodingOf('/docs')).toBe('br');
    expect(await encodingOf('/docs/favicon-32x32.png')).toBe(null);
  });

  it('answers 304 to who has the file, and 404 to any other name', async () => {
    const get = await serve();
    const etag = (await get('/openapi.json')).headers.get('ETag') ?? '';
    expect((await get('/openapi.json', { 'If-None-Match': etag })).status).toBe(304);
    for (const path of ['/docs/package.json', '/docs/..%2f..%2fpackage.json', '/docs/constructor'])
      expect((await get(path)).status).toBe(404);
  });
});
