import { describe, expect, it } from 'vitest';
import { runAll } from '../../src/core/db/db.ts';
import { doctorPages, doctorPhotos, doctorSlugs } from '../../src/core/tables/catalog.ts';
import { createAdmin } from '../support/admin.ts';
import { createDoctor, createPractice } from '../support/clinic.ts';
import { settle } from '../support/due-work.ts';
import { createPerson } from '../support/people.ts';
import { asBase64, jpeg, noted, png, webp } from '../support/photos.ts';
import { counted } from '../support/round-trips.ts';
import { createWorld, type World } from '../support/world.ts';

const origin = 'https://janji.klinik.example';
const settings = { PUBLIC_URL: origin };

const setUp = async () => {
  const world = await createWorld(settings);
  const admin = await createAdmin(world);
  const practice = await createPractice(world);
  const path = `/v1/admin/doctors/${practice.doctorId}/page`;
  return { world, admin, path, ...practice };
};

const open = async (world: World, path: string, headers: Record<string, string> = {}) => {
  const answer = await world.app.request(`http://localhost${path}`, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

const jsonLd = (text: string) =>
  JSON.parse(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(text)?.[1] ?? 'null');

const sha256 = async (text: string): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`;
};

describe('the page of a doctor', () => {
  it('is not there until it is published, nor once it is taken back or the doctor retires', async () => {
    const { world, admin, path, doctorId } = await setUp();
    const address = '/dokter/dr-sari-wulandari';
    const shown = async () => [
      (await open(world, address)).status,
      (await world.request(`/v1/doctors/${doctorId}/page`)).status,
    ];
    expect((await admin.get(path)).body.data).toMatchObject({
      slug: null,
      url: null,
      published: false,
      version: 0,
    });
    expect(await shown()).toEqual([404, 404]);
    const written = await admin.patch(path, { about: 'Sejak 2012.' });
    expect(written.body.data).toMatchObject({
      slug: 'dr-sari-wulandari',
      url: `${origin}${address}`,
      version: 1,
    });
    expect(await shown()).toEqual([404, 404]);
    await admin.patch(path, { published: true });
    expect(await shown()).toEqual([200, 200]);
    await admin.patch(path, { published: false });
    expect(await shown()).toEqual([404, 404]);
    await admin.patch(path, { published: true });
    await admin.remove(`/v1/admin/doctors/${doctorId}`);
    expect(await shown()).toEqual([404, 404]);
  });

  it('stands in the list for search engines, and its address with the doctor, while it is published', async () => {
    const { world, admin, path, doctorId } = await setUp();
    const other = await createDoctor(world, { name: 'Budi Santoso' });
    const slugs = async () => [
      (await world.request(`/v1/doctors/${doctorId}`)).body.data.page_slug,
      (await world.request('/v1/doctors')).body.data.find(({ id }: { id: string }) => id === doctorId)
        ?.page_slug,
    ];
    const listed = async () => {
      const { status, headers, text } = await open(world, '/sitemap.xml');
      expect([status, headers.get('Content-Type')]).toEqual([200, 'application/xml; charset=utf-8']);
      return [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
    };
    expect(await slugs()).toEqual([null, null]);
    await admin.patch(path, { about: 'Sejak 2012.' });
    await admin.patch(`/v1/admin/doctors/${other}/page`, { published: true });
    expect(await slugs()).toEqual([null, null]);
    const doctorsPage = `${origin}/pasien/dokter`;
    expect(await listed()).toEqual([doctorsPage, `${origin}/dokter/dr-budi-santoso`]);
    await admin.patch(path, { published: true });
    expect(await slugs()).toEqual(['dr-sari-wulandari', 'dr-sari-wulandari']);
    const both = [doctorsPage, `${origin}/dokter/dr-budi-santoso`, `${origin}/dokter/dr-sari-wulandari`];
    expect(await listed()).toEqual(both);
    const { text } = await open(world, '/sitemap.xml');
    expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset /);
    expect(text).toContain('<lastmod>2026-11-23</lastmod>');
    await admin.remove(`/v1/admin/doctors/${doctorId}`);
    expect(await listed()).toEqual(both.slice(0, 2));
    const robots = await open(world, '/robots.txt');
    expect(robots.status).toBe(200);
    expect(robots.text).toBe(`User-agent: *\nDisallow:\n\nSitemap: ${origin}/sitemap.xml\n`);
  });

  it('says what the doctor and the clinic are, in the language of the reader, with the next free times', async () => {
    const { world, admin, path, doctorId, sessionId } = await setUp();
    await admin.patch('/v1/admin/clinic', {
      name: 'Klinik Melati',
      address: 'Jl. Melati 1',
      phone: '+62 22 123',
    });
    await admin.patch(path, {
      published: true,
      about: 'Anak dan dewasa.\nJuga lansia.',
      languages: ['id', 'en', 'id'],
      education: ['FK Unpad, 2010'],
    });
    const { text, headers } = await open(world, '/dokter/dr-sari-wulandari');
    expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(text).toContain('<html lang="id">');
    expect(text).toContain('<title>dr. Sari Wulandari, Umum – Klinik Melati</title>');
    expect(text).toContain('<meta name="description" content="Anak dan dewasa. Juga lansia.">');
    expect(text).toContain(`<link rel="canonical" href="${origin}/dokter/dr-sari-wulandari">`);
    expect(text).toContain('Indonesia, Inggris');
    expect(text).toContain('FK Unpad, 2010');
    expect(text).toContain('<li>Konsultasi</li>');
    // The clock stands at 07:00; the rules close slots 30 minutes before they start.
    expect(text).toContain('Senin, 23 November');
    expect(text).toContain('08.00 WIB · Konsultasi');
    expect(text).toContain(
      `/pasien/konfirmasi?dokter=${doctorId}&amp;layanan=${sessionId}&amp;tanggal=2026-11-23&amp;jam=08%3A00`,
    );
    const english = await open(world, '/dokter/dr-sari-wulandari', { 'Accept-Language': 'en' });
    expect(english.text).toContain('Monday 23 November');
    expect(english.text).toContain('Indonesian, English');
    expect(english.headers.get('Vary')).toContain('Accept-Language');
    const { data } = (await world.request(`/v1/doctors/${doctorId}/page`)).body;
    expect(data).toEqual({
      doctor_id: doctorId,
      slug: 'dr-sari-wulandari',
      about: 'Anak dan dewasa.\nJuga lansia.',
      languages: ['id', 'en'],
      education: ['FK Unpad, 2010'],
      photo: null,
      url: `${origin}/dokter/dr-sari-wulandari`,
      sessions: [{ id: sessionId, name: 'Konsultasi' }],
    });
  });

  it('has structured data that its own policy names, whatever people wrote', async () => {
    const { world, admin, path, doctorId } = await setUp();
    const hostile = `</script><script>alert("1")</script><!-- ' & \u2028 "><img src=x onerror=alert(1)>`;
    const line = hostile.replace('\u2028', '');
    await admin.patch(`/v1/admin/doctors/${doctorId}`, {
      name: line.slice(0, 90),
      specialty: line.slice(0, 90),
    });
    await admin.patch('/v1/admin/clinic', { name: line.slice(0, 90), address: line, phone: '"><b>' });
    const written = await admin.patch(path, {
      published: true,
      slug: 'sari',
      about: line,
      education: [line],
      languages: ['id'],
    });
    expect(written.status).toBe(200);
    await admin.patch('/v1/admin/clinic', { embed_origins: ['https://blog.example'] });
    const { text, headers } = await open(world, '/dokter/sari');
    const data = jsonLd(text);
    expect(data).toMatchObject({ '@type': 'Physician', url: `${origin}/dokter/sari`, description: line });
    expect(data.hasCredential).toEqual([{ '@type': 'EducationalOccupationalCredential', name: line }]);
    for (const page of [text, (await open(world, '/dokter/sari/kartu')).text]) {
      expect(page).not.toContain('<script>');
      expect(page).not.toContain('<img src=x');
      expect(page).not.toContain('<b>');
      expect(page.match(/<script/g)?.length ?? 0).toBeLessThanOrEqual(1);
    }
    const policy = headers.get('Content-Security-Policy') ?? '';
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
    const [, script = ''] = /ld\+json">([\s\S]*?)<\/script>/.exec(text) ?? [];
    expect(policy).toContain(`style-src ${await sha256(style)}`);
    expect(policy).toContain(`script-src ${await sha256(script)}`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('X-Frame-Options')).toBe('DENY');
  });

  it('keeps its former addresses, which lead to the present one, and gives none to another doctor', async () => {
    const { world, admin, path } = await setUp();
    await admin.patch(path, { published: true });
    expect((await admin.patch(path, { slug: 'dokter-sari' })).status).toBe(200);
    const old = await open(world, '/dokter/dr-sari-wulandari');
    expect([old.status, old.headers.get('Location')]).toEqual([301, '/dokter/dokter-sari']);
    expect((await open(world, '/dokter/dokter-sari')).status).toBe(200);
    const other = await createDoctor(world);
    const otherPath = `/v1/admin/doctors/${other}/page`;
    for (const slug of ['dokter-sari', 'dr-sari-wulandari'])
      expect(await admin.patch(otherPath, { slug })).toMatchObject({
        status: 409,
        body: { code: 'slug_taken' },
      });
    expect(await world.db.select().from(doctorPages)).toHaveLength(1);
    // One of the same name gets an address of its own.
    const { data } = (await admin.patch(otherPath, { published: true })).body;
    expect(data.slug).toMatch(/^dr-sari-wulandari-[0-9a-f]{6}$/);
    expect((await open(world, `/dokter/${data.slug}`)).status).toBe(200);
    // Back to the first one.
    expect((await admin.patch(path, { slug: 'dr-sari-wulandari' })).status).toBe(200);
    expect((await open(world, '/dokter/dokter-sari')).headers.get('Location')).toBe(
      '/dokter/dr-sari-wulandari',
    );
    await admin.patch(path, { published: false });
    expect((await open(world, '/dokter/dokter-sari')).status).toBe(404);
  });

  it('gives one address to one of two doctors who ask at once', async () => {
    const { world, admin, path } = await setUp();
    const other = `/v1/admin/doctors/${await createDoctor(world)}/page`;
    const answers = await Promise.all([path, other].map((one) => admin.patch(one, { slug: 'sari' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await world.db.select().from(doctorSlugs)).toHaveLength(1);
  });

  it('keeps every change of those made at once, and refuses one of another version', async () => {
    const { admin, path } = await setUp();
    const changes = [{ about: 'Satu' }, { languages: ['id'] }, { education: ['Dua'] }];
    const answers = await Promise.all(changes.map((change) => admin.patch(path, change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await admin.get(path)).body.data).toMatchObject({
      about: 'Satu',
      languages: ['id'],
      education: ['Dua'],
      version: 3,
    });
    expect(await admin.patch(path, { about: 'Lama', version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'version_mismatch', version: 3 },
    });
  });

  it('is written by the desk and by admins, and read by a doctor, but by no patient', async () => {
    const { world, path } = await setUp();
    const statuses = async (role: 'patient' | 'doctor' | 'staff') => {
      const { token } = await createPerson(world, role);
      const change = await world.request(path, { method: 'PATCH', token, body: { about: role } });
      return [(await world.request(path, { token })).status, change.status];
    };
    expect(await statuses('patient')).toEqual([403, 403]);
    expect(await statuses('doctor')).toEqual([200, 403]);
    expect(await statuses('staff')).toEqual([200, 200]);
  });

  it('refuses addresses, languages and photos that are none', async () => {
    const { admin, path } = await setUp();
    const wrong = {
      slug: ['', 'Sari', 'sari--w', '-sari', 'sari/kartu', 'x'.repeat(81)],
      languages: [['Indonesia'], ['i'], Array.from({ length: 13 }, () => 'id')],
      education: [[''], ['satu\ndua'], Array.from({ length: 11 }, (_, nth) => `Baris ${nth}`)],
      about: ['x'.repeat(2_001), 'a\u0007b', 'a\u202eb'],
      photo_image: [
        'bukan base64!',
        '',
        btoa('<svg xmlns="http://www.w3.org/2000/svg"/>'),
        asBase64(jpeg({}, '<b>')),
      ],
    };
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) {
        const { status, body } = await admin.patch(path, { [field]: value });
        expect([field, value, status, body.code]).toEqual([field, value, 422, 'validation_failed']);
      }
    expect((await admin.get(path)).body.data.version).toBe(0);
  });

  it('costs one statement where there is none', async () => {
    const { world, path, admin } = await setUp();
    await admin.patch(path, { about: 'Belum' });
    const count = counted(world);
    expect(await count('/dokter/dr-sari-wulandari', {})).toMatchObject({ status: 404, trips: 1 });
    expect(await count('/dokter/Bukan%20Alamat', {})).toMatchObject({ status: 404, trips: 0 });
    await admin.patch(path, { published: true });
    expect(await count('/dokter/dr-sari-wulandari', {})).toMatchObject({ status: 200, trips: 2 });
  });
});

describe('the photo of a doctor', () => {
  it('is served without what the camera noted, under an address that never changes, while its page is published', async () => {
    const { world, admin, path } = await setUp();
    for (const [picture, type] of [
      [jpeg(), 'image/jpeg'],
      [png(), 'image/png'],
      [webp(), 'image/webp'],
    ] as const) {
      const { data } = (await admin.patch(path, { published: true, photo_image: asBase64(picture) })).body;
      const answer = await world.app.request(`http://localhost${data.photo}`);
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, type]);
      expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
      const bytes = new Uint8Array(await answer.arrayBuffer());
      expect(Array.from(bytes, (one) => String.fromCharCode(one)).join('')).not.toContain(noted);
      expect(asBase64(bytes)).toBe(data.photo_image);
      const tag = answer.headers.get('ETag') ?? '';
      const again = await world.app.request(`http://localhost${data.photo}`, {
        headers: { 'If-None-Match': tag },
      });
      expect(again.status).toBe(304);
      expect(await world.db.select().from(doctorPhotos)).toHaveLength(1);
      expect((await open(world, '/dokter/dr-sari-wulandari')).text).toContain(`<img src="${data.photo}"`);
    }
    const { photo } = (await admin.patch(path, { published: false })).body.data;
    expect((await world.request(photo)).status).toBe(404);
    expect((await admin.patch(path, { photo_image: null })).body.data).toMatchObject({
      photo: null,
      photo_image: null,
    });
    expect(await world.db.select().from(doctorPhotos)).toEqual([]);
  });

  it('that two doctors share stays until neither has it', async () => {
    const { world, admin, path } = await setUp();
    const other = `/v1/admin/doctors/${await createDoctor(world)}/page`;
    for (const one of [path, other]) await admin.patch(one, { photo_image: asBase64(jpeg()) });
    expect(await world.db.select().from(doctorPhotos)).toHaveLength(1);
    await admin.remove(path);
    expect(await world.db.select().from(doctorPhotos)).toHaveLength(1);
    await admin.remove(other);
    expect(await world.db.select().from(doctorPhotos)).toEqual([]);
  });
});

describe('the card of a doctor', () => {
  it('may be framed by the origins that the clinic names, and is not there without any', async () => {
    const { world, admin, path } = await setUp();
    await admin.patch(path, { published: true });
    const card = '/dokter/dr-sari-wulandari/kartu';
    expect((await open(world, card)).status).toBe(404);
    const origins = ['https://klinik.example', 'https://blog.example:8443'];
    expect(
      (await admin.patch('/v1/admin/clinic', { embed_origins: origins })).body.data.embed_origins,
    ).toEqual(origins);
    const { status, headers, text } = await open(world, card);
    expect(status).toBe(200);
    expect(headers.get('Content-Security-Policy')).toContain(`frame-ancestors ${origins.join(' ')}`);
    expect(headers.get('X-Frame-Options')).toBeNull();
    expect(text).toContain('<base target="_blank">');
    expect(text.match(/<li>/g)).toHaveLength(3);
    // The page itself is in no frame.
    const { headers: own } = await open(world, '/dokter/dr-sari-wulandari');
    expect(own.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
    for (const origin of [
      'http://klinik.example',
      'https://*.example',
      'https://klinik.example/',
      'https://a.example; script-src *',
    ])
      expect((await admin.patch('/v1/admin/clinic', { embed_origins: [origin] })).status).toBe(422);
    expect((await world.request('/v1/clinic')).body.data.embed_origins).toBeUndefined();
  });
});

describe('what is stored of a page', () => {
  it('is deleted on request, and leaves a line of the audit trail without any text', async () => {
    const { world, admin, path } = await setUp();
    await admin.patch(path, { about: 'Rahasia', photo_image: asBase64(jpeg()) });
    expect((await admin.remove(path)).body.message).toBe('Data berhasil dihapus.');
    expect((await admin.remove(path)).status).toBe(200);
    for (const table of [doctorPages, doctorSlugs, doctorPhotos])
      expect(await world.db.select().from(table)).toEqual([]);
    const events = (await admin.get('/v1/admin/security-events?type=doctor_page_changed')).body.data;
    expect(events).toHaveLength(1);
    expect(events[0].detail).toMatchObject({ fields: 'about,photo_image' });
    expect(JSON.stringify(events)).not.toContain('Rahasia');
    expect((await admin.get('/v1/admin/security-events?type=doctor_page_deleted')).body.data).toHaveLength(1);
  });

  it('goes 90 days after its doctor retired', async () => {
    const { world, admin, path, doctorId } = await setUp();
    await admin.patch(path, { published: true, photo_image: asBase64(jpeg()) });
    await admin.remove(`/v1/admin/doctors/${doctorId}`);
    const rows = async () =>
      await runAll(world.db, {
        pages: world.db.select().from(doctorPages),
        slugs: world.db.select().from(doctorSlugs),
        photos: world.db.select().from(doctorPhotos),
      });
    world.clock.now += 90 * 86_400_000 - 1_000;
    await settle(world);
    expect(Object.values(await rows()).map(({ length }) => length)).toEqual([1, 1, 1]);
    world.clock.now += 2_000;
    await settle(world);
    expect(Object.values(await rows()).map(({ length }) => length)).toEqual([0, 0, 0]);
  });
});
