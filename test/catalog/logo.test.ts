import { describe, expect, it } from 'vitest';
import { logos } from '../../src/core/tables/catalog.ts';
import { createAdmin } from '../support/admin.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { createWorld } from '../support/world.ts';

const path = '/v1/admin/clinic';
const base64 = (...bytes: (string | number)[]): string =>
  btoa(bytes.map((one) => (typeof one === 'number' ? String.fromCharCode(one) : one)).join(''));
const png = (more = '') => base64(0x89, 'PNG\r\n', 0x1a, '\n', more);

const setUp = async () => {
  const world = await createWorld();
  return { world, admin: await createAdmin(world) };
};

describe('the logo', () => {
  it('is served from the address that the clinic names, as what its bytes are', async () => {
    const { world, admin } = await setUp();
    expect((await world.request('/v1/clinic')).body.data.logo).toBeNull();
    for (const [image, type] of [
      [png(), 'image/png'],
      [base64(0xff, 0xd8, 0xff, 0xe0), 'image/jpeg'],
      [base64('RIFF', 0, 0, 0, 0, 'WEBPVP8 '), 'image/webp'],
    ] as const) {
      expect((await admin.patch(path, { logo_image: image })).status).toBe(200);
      const { logo } = (await world.request('/v1/clinic')).body.data;
      const answer = await world.app.request(`http://localhost${logo}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('Content-Type')).toBe(type);
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
      expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
      expect(base64(...new Uint8Array(await answer.arrayBuffer()))).toBe(image);
      const tag = answer.headers.get('ETag') ?? '';
      const again = await world.app.request(`http://localhost${logo}`, { headers: { 'If-None-Match': tag } });
      expect(again.status).toBe(304);
      expect(await world.db.select().from(logos)).toHaveLength(1);
    }
  });

  it('is refused unless it is a picture, and a small one', async () => {
    const { world, admin } = await setUp();
    const svg = base64('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const wrong = [
      svg,
      base64('GIF89a'),
      base64('RIFF', 0, 0, 0, 0, 'WAVE'),
      'bukan base64!',
      '',
      png('x'.repeat(32_761)),
    ];
    for (const logo_image of wrong) {
      const { status, body } = await admin.patch(path, { logo_image });
      expect([status, body.code]).toEqual([422, 'validation_failed']);
      expect(body.errors).toEqual({ logo_image: ['Harus gambar PNG, JPEG, atau WebP, maksimal 32 KB.'] });
    }
    expect((await admin.patch(path, { logo_image: png('x'.repeat(32_760)) })).status).toBe(200);
    expect((await world.request('/logo/tidak-ada')).status).toBe(404);
  });

  it('stays while other things change, and goes with its bytes when it is removed', async () => {
    const { world, admin } = await setUp();
    const { logo } = (await admin.patch(path, { logo_image: png('satu') })).body.data;
    expect((await admin.patch(path, { name: 'Klinik Melati' })).body.data.logo).toBe(logo);
    expect((await world.app.request(`http://localhost${logo}`)).status).toBe(200);
    expect((await admin.patch(path, { logo_image: null })).body.data.logo).toBeNull();
    expect((await world.request(logo)).status).toBe(404);
    expect(await world.db.select().from(logos)).toEqual([]);
  });

  it('of a change that came too late is not stored, and does not touch the one that won', async () => {
    const { world, admin } = await setUp();
    const { version } = (await admin.get(path)).body.data;
    let won: string | null = null;
    beforeRoundTrip(world, 3, async () => {
      won = (await admin.patch(path, { logo_image: png('menang') })).body.data.logo;
    });
    const late = await admin.patch(path, { logo_image: png('kalah'), version });
    expect([late.status, late.body.code]).toEqual([409, 'version_mismatch']);
    expect((await world.request('/v1/clinic')).body.data.logo).toBe(won);
    expect(await world.db.select({ content: logos.content }).from(logos)).toEqual([
      { content: png('menang') },
    ]);
    expect((await world.app.request(`http://localhost${won}`)).status).toBe(200);
  });
});
