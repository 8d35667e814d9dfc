import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import type { PublicFile } from '../../src/core/deps.ts';
import { createWorld } from '../support/world.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; media-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types janji";

const file = (text: string, contentType: string): PublicFile => ({
  content: new TextEncoder().encode(text),
  contentType,
  etag: `"${text}"`,
});
const files: Readonly<Record<string, PublicFile>> = {
  '/pasien/index.html': file('pasien', 'text/html; charset=utf-8'),
  '/konsol/index.html': file('konsol', 'text/html; charset=utf-8'),
  '/kios/index.html': file('kios', 'text/html; charset=utf-8'),
  '/pasien/sw.js': file('worker', 'text/javascript; charset=utf-8'),
  '/assets/pasien-abc.js': file('program', 'text/javascript; charset=utf-8'),
  '/common-passwords.txt': file('rahasia', 'text/plain'),
};

const served = async () => {
  const { deps } = await createWorld();
  const app = createApp({ ...deps, publicFile: async (path) => files[path] ?? null });
  return (path: string, init: RequestInit = {}) => app.request(path, init);
};

describe('the pages', () => {
  it.each(['/pasien/', '/pasien/tiket/01a202eb', '/pasien/dokter/x/y'])(
    'answer the page of the app at %s, under the policy',
    async (path) => {
      const ask = await served();
      const answer = await ask(path);
      expect([answer.status, await answer.text()]).toEqual([200, 'pasien']);
      expect(answer.headers.get('Content-Security-Policy')).toBe(policy);
      expect(answer.headers.get('Cache-Control')).toBe('public, no-cache');
      expect(answer.headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
      expect(answer.headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
      expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(answer.headers.get('Permissions-Policy')).toMatch(
        /^screen-wake-lock=\(self\), fullscreen=\(self\), autoplay=\(self\), /,
      );
    },
  );

  it.each(['/mulai/', '/mulai/klinik'])('begin a clinic in the console, at %s', async (path) => {
    const answer = await (await served())(path);
    expect([answer.status, await answer.text()]).toEqual([200, 'konsol']);
    expect(answer.headers.get('Content-Security-Policy')).toBe(policy);
    const short = await (await served())('/mulai');
    expect([short.status, short.headers.get('Location')]).toEqual([302, '/mulai/']);
  });

  it('let the kiosk alone use the camera', async () => {
    const ask = await served();
    const policyOf = async (path: string) => (await ask(path)).headers.get('Permissions-Policy');
    expect((await ask('/kios/')).headers.get('Content-Security-Policy')).toBe(policy);
    expect(await policyOf('/kios/')).toContain('camera=(self)');
    for (const path of ['/pasien/', '/konsol/', '/mulai/'])
      expect(await policyOf(path)).toContain('camera=()');
  });

  it('answer 304 to who has it, HEAD without a body, and 405 to a write', async () => {
    const ask = await served();
    const known = await ask('/pasien/akun', { headers: { 'If-None-Match': '"pasien"' } });
    expect([known.status, await known.text()]).toEqual([304, '']);
    const head = await ask('/pasien/akun', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const write = await ask('/pasien/akun', { method: 'POST' });
    expect([write.status, write.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('name files by their dot: those that are there, and no page in place of one that is not', async () => {
    const ask = await served();
    expect(await (await ask('/pasien/sw.js')).text()).toBe('worker');
    expect((await ask('/pasien/sw.js')).headers.get('Cache-Control')).toBe('public, no-cache');
    for (const path of ['/pasien/hilang.js', '/pasien/..%2fcommon-passwords.txt', '/layar/'])
      expect((await ask(path)).status).toBe(404);
  });

  it('lead from the bare name to the app', async () => {
    const ask = await served();
    const answer = await ask('/konsol');
    expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/konsol/']);
  });

  it('load only hashed files, which are cached without limit', async () => {
    const ask = await served();
    const answer = await ask('/assets/pasien-abc.js');
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    for (const path of ['/assets/hilang.js', '/common-passwords.txt', '/assets/../common-passwords.txt'])
      expect((await ask(path)).status).toBe(404);
  });

  it('leave the interface as it was: other paths answer in JSON', async () => {
    const ask = await served();
    const answer = await ask('/pasienx');
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([
      404,
      'application/json; charset=UTF-8',
    ]);
  });
});
