import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { changeClinic, findClinic, replaceHosts, setState } from '../../../src/modules/clinics/queries.ts';
import { demoIds } from '../../../src/modules/demo/demo.ts';
import { knownMigrations } from '../../../src/runtime/node/database/migrations.ts';
import { openManyClinics } from '../../support/node/many-clinics.ts';

const minute = 60_000;

describe('many clinics in one process', () => {
  it('have their own people and bookings: a token of one is 401 at its copy', async () => {
    const { ask, login, book } = await openManyClinics(['melati', 'mawar']);
    const token = await login('melati');
    expect((await book('melati', token)).status).toBe(201);
    expect((await ask('mawar', '/v1/bookings/history', { token })).status).toBe(401);
    const there = await ask('mawar', '/v1/bookings/history', { token: await login('mawar') });
    expect(there.body.data).toEqual([]);
    const here = await ask('melati', '/v1/bookings/history', { token });
    expect(here.body.data).toHaveLength(1);
  });

  it('are opened as they are asked for, and those used least recently are closed for others', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const { ask, many } = await openManyClinics(ids, { settings: { CLINICS_OPEN: '2' } });
    for (const id of [...ids, ...ids]) expect((await ask(id, '/v1/doctors')).status).toBe(200);
    expect(many().clinics.counts()).toEqual({ open: 2, inUse: 0 });
    expect(
      many()
        .clinics.list()
        .map(({ clinic }) => clinic.id),
    ).toEqual(['d', 'e']);
  });

  it('stay open while an answer is under way, and one more is refused while all are in use', async () => {
    const { send, ask } = await openManyClinics(['a', 'b'], { settings: { CLINICS_OPEN: '1' } });
    const held = await send('a', '/v1/doctors');
    expect(held.answer.status).toBe(200);
    expect(await ask('b', '/v1/doctors')).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect((await ask('a', '/v1/doctors')).status).toBe(200);
    held.end();
    expect((await ask('b', '/v1/doctors')).status).toBe(200);
  });

  it('are let go by a client that went away while its clinic was opened', async () => {
    const { send, ask } = await openManyClinics(['a', 'b'], { settings: { CLINICS_OPEN: '1' } });
    await send('a', '/v1/doctors', { isGone: true });
    expect((await ask('b', '/v1/doctors')).status).toBe(200);
  });

  it('fail alone: a damaged file, one that is gone, and one of a newer version', async () => {
    const { ask, path, told, many, time } = await openManyClinics(['melati', 'rusak', 'hilang']);
    writeFileSync(path('rusak'), 'no database at all, and long enough to be read as one'.repeat(100));
    rmSync(path('hilang'));
    for (const id of ['rusak', 'hilang'])
      expect(await ask(id, '/v1/doctors')).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect((await ask('melati', '/v1/doctors')).status).toBe(200);
    expect(told.filter(({ message }) => message === 'clinic cannot be opened')).toMatchObject([
      { fields: { clinic: 'rusak', cause: expect.stringContaining('rusak.db') } },
      { fields: { clinic: 'hilang', cause: expect.stringContaining('is not there') } },
    ]);
    // It is noted after the answer.
    const noted = async () => (await findClinic(many().directory, 'hilang'))?.problem ?? null;
    await vi.waitUntil(async () => (await noted()) !== null, { timeout: 10_000, interval: 5 });
    expect(await noted()).toContain('is not there');
    // It is tried again after a while, not with each request.
    copyFileSync(path('melati'), path('hilang'));
    expect((await ask('hilang', '/v1/doctors')).status).toBe(503);
    time.now += minute;
    expect((await ask('hilang', '/v1/doctors')).status).toBe(200);
  });

  it('answer again when the thread that has their files was replaced', async () => {
    const { ask, login, many } = await openManyClinics(['melati']);
    const token = await login('melati');
    await many().threads.replace();
    expect((await ask('melati', '/v1/bookings/history', { token })).status).toBe(200);
  });

  it('closed in the directory are closed here too, and answer 503', async () => {
    const { ask, many, runDue, time } = await openManyClinics(['melati', 'mawar']);
    await ask('melati', '/v1/doctors');
    await setState(many().directory, 'melati', 'closed', time.now);
    time.now += minute;
    await runDue();
    expect(many().clinics.counts().open).toBe(0);
    expect(await ask('melati', '/v1/doctors')).toMatchObject({
      status: 503,
      body: { code: 'clinic_closed' },
    });
  });

  it('take their settings from the directory: the sender of mail, origins, the time zone', async () => {
    const { many, ask } = await openManyClinics(['melati']);
    await changeClinic(many().directory, 'melati', {
      settings: { MAIL_FROM: 'Klinik Melati <janji@melati.example>', CORS_ORIGINS: 'https://melati.example' },
    });
    await ask('melati', '/v1/doctors');
    const [opened] = many().clinics.list();
    expect(opened?.opened.deps.config).toMatchObject({
      MAIL_FROM: 'Klinik Melati <janji@melati.example>',
      CORS_ORIGINS: ['https://melati.example'],
      PUBLIC_URL: 'https://melati.janji.example',
      CLINIC_ID: 'melati',
    });
  });

  it('tell search engines their own pages alone, under their first address whichever of theirs is asked', async () => {
    const { ask, send, login, many } = await openManyClinics(['melati', 'mawar']);
    const { directory } = many();
    await replaceHosts(directory, 'melati', ['melati.janji.example', 'praktik.janji.example']);
    for (const [at, id] of ['melati', 'mawar'].entries()) {
      const token = await login(id, 'admin@klinik.example');
      const path = `/v1/admin/doctors/${demoIds.doctors[at]}/page`;
      const body = { slug: `dr-${id}`, published: true };
      expect((await ask(id, path, { method: 'PATCH', token, body })).status).toBe(200);
    }
    const textOf = async (id: string, path: string) => {
      const { answer, end } = await send(id, path);
      expect(answer.status).toBe(200);
      const text = await answer.text();
      end();
      return text;
    };
    for (const [asked, own] of [
      ['melati', 'melati'],
      ['praktik', 'melati'],
      ['mawar', 'mawar'],
    ] as const) {
      const origin = `https://${own}.janji.example`;
      const list = [...(await textOf(asked, '/sitemap.xml')).matchAll(/<loc>(.*?)<\/loc>/g)];
      expect(list.map(([, address]) => address)).toEqual([
        `${origin}/pasien/dokter`,
        `${origin}/dokter/dr-${own}`,
      ]);
      expect(await textOf(asked, '/robots.txt')).toContain(`Sitemap: ${origin}/sitemap.xml\n`);
      expect(await textOf(asked, `/dokter/dr-${own}`)).toContain(
        `<link rel="canonical" href="${origin}/dokter/dr-${own}"`,
      );
    }
    const { answer, end } = await send('mawar', '/dokter/dr-melati');
    expect(answer.status).toBe(404);
    await answer.arrayBuffer();
    end();
  });
});

describe('the due work of many clinics', () => {
  it('asks a clinic that has nothing due for nothing, in an hour and after a restart', async () => {
    const now = Date.parse('2026-12-01T03:00:00Z');
    const { ask, login, many, runDue, time, restart } = await openManyClinics(['melati', 'mawar'], { now });
    await ask('mawar', '/v1/doctors');
    await login('melati');
    // What the login left to do, what that left, and what ends within hours.
    for (const minutes of [1, 1, 180, 1]) {
      time.now += minutes * minute;
      await runDue();
    }
    // The deliverer of webhooks looks once more, a moment after the events.
    while (many().clinics.counts().inUse > 0) await turn();
    const before = many().threads.operations();
    expect(before).toBeGreaterThan(0);
    for (let at = 0; at < 60; at++) {
      time.now += minute;
      await runDue();
    }
    expect(many().threads.operations()).toBe(before);
    await restart();
    await runDue();
    expect(many().threads.operations()).toBe(0);
  });

  it('is done at its time though the clinic was closed, and then known until the next', async () => {
    const { login, book, many, runDue, time, restart, ask } = await openManyClinics(['melati', 'mawar']);
    const token = await login('melati');
    const booked = await book('melati', token);
    expect(booked.body.data.status).toBe('waiting');
    await restart();
    const entry = await findClinic(many().directory, 'melati');
    expect(entry?.dueAt).toBeGreaterThan(0);
    expect((await findClinic(many().directory, 'mawar'))?.dueAt).toBeNull();
    time.now += 10 * 24 * 60 * minute;
    await runDue();
    const after = await ask('melati', '/v1/bookings/history', { token: await login('melati') });
    const statuses = new Map(after.body.data.map(({ id, status }: Record<string, string>) => [id, status]));
    expect(statuses.get(booked.body.data.id)).toBe('canceled');
  });

  it('is noted in the directory with the schema when a clinic is closed', async () => {
    const { many, ask, restart } = await openManyClinics(['melati']);
    const newest = Math.max(...knownMigrations().map(({ madeAt }) => madeAt));
    await ask('melati', '/v1/doctors');
    await restart();
    expect((await findClinic(many().directory, 'melati'))?.schema).toBe(newest);
  });
});
