import { describe, expect, it } from 'vitest';
import { failureFormats } from '../../src/interface/dialects.ts';
import { createDirectory } from '../../src/modules/clinics/directory.ts';
import { createFront } from '../../src/modules/clinics/front.ts';
import { ClinicBroken } from '../../src/modules/clinics/opener.ts';
import type { ClinicEntry } from '../../src/modules/clinics/queries.ts';
import { normalizeHost } from '../../src/modules/clinics/rules.ts';
import { originsOf } from '../../src/modules/clinics/settings.ts';

const minute = 60_000;

const entry = (id: string, state: ClinicEntry['state'] = 'open'): ClinicEntry => ({
  id,
  name: id,
  timeZone: 'Asia/Jakarta',
  state,
  stateSince: 0,
  settings: {},
  file: null,
  schema: null,
  dueAt: null,
  usedAt: null,
  problem: null,
  createdAt: 0,
  hosts: [`${id}.example`],
});

const stored = (...entries: ClinicEntry[]) => {
  const rows = new Map(entries.map((one) => [one.hosts[0] ?? '', one]));
  const state = { now: 0, reads: 0, fails: false };
  const directory = createDirectory({
    clock: () => state.now,
    read: async (host) => {
      state.reads += 1;
      if (state.fails) throw new Error('gone');
      return rows.get(host) ?? null;
    },
  });
  return { rows, state, directory };
};

describe('the directory of clinics', () => {
  it('finds a clinic by its host in any case, with a port or a final dot, and none by another', async () => {
    const { directory } = stored(entry('melati'));
    for (const host of ['melati.example', 'MELATI.Example:8787', 'melati.example.'])
      expect((await directory.find(host))?.id).toBe('melati');
    for (const host of ['mawar.example', 'example', '', '[::1]:80', '../melati.example'])
      expect(await directory.find(host)).toBeNull();
  });

  it('reads an entry, or that there is none, once a minute', async () => {
    const { state, directory, rows } = stored(entry('melati'));
    for (const host of ['melati.example', 'mawar.example', 'melati.example', 'mawar.example'])
      await directory.find(host);
    expect(state.reads).toBe(2);
    expect(directory.known('MELATI.example:8787')?.id).toBe('melati');
    expect(['mawar.example', 'anggrek.example'].map(directory.known)).toEqual([null, null]);
    rows.set('mawar.example', entry('mawar'));
    state.now = minute - 1;
    expect(await directory.find('mawar.example')).toBeNull();
    state.now = minute;
    expect((await directory.find('mawar.example'))?.id).toBe('mawar');
  });

  it('knows its clinics for an hour while it cannot be read, and no clinic that it never read', async () => {
    const { state, directory } = stored(entry('melati'), entry('mawar'));
    await directory.find('melati.example');
    state.fails = true;
    state.now = 60 * minute - 1;
    expect((await directory.find('melati.example'))?.id).toBe('melati');
    await expect(directory.find('mawar.example')).rejects.toThrow('cannot be read');
    state.now = 61 * minute;
    await expect(directory.find('melati.example')).rejects.toThrow('cannot be read');
    state.fails = false;
    expect((await directory.find('melati.example'))?.id).toBe('melati');
  });

  it('takes nothing for a host that is none', () => {
    expect(['a', 'a.b-c.d', 'x1.example:1'].map(normalizeHost)).toEqual(['a', 'a.b-c.d', 'x1.example']);
    expect(['-a', 'a..b', 'a_b', ' a', 'a/b', 'a'.repeat(254)].map(normalizeHost)).toEqual(
      Array(6).fill(null),
    );
  });
});

describe('the front of many clinics', () => {
  const front = (...entries: ClinicEntry[]) => {
    const { directory, state } = stored(...entries);
    const fetch = createFront({
      directory,
      formats: failureFormats,
      opener: {
        answer: async ({ id }) => {
          if (id === 'rusak') throw new ClinicBroken('damaged');
          return new Response(id);
        },
      },
      originsOf: (clinic) => originsOf({ CORS_ORIGINS: ['https://semua.example'] }, clinic),
      ownPaths: (request) => (request.url.endsWith('/health') ? new Response('deployment') : null),
    });
    const ask = async (host: string, path = '/v1/doctors') => {
      const answer = await fetch(new Request(`http://${host}${path}`), {});
      const text = await answer.text();
      return [answer.status, text.startsWith('{') ? JSON.parse(text).code : text];
    };
    return { ask, fetch, state };
  };

  it('answers by the clinic of the host, and says which hosts no clinic has', async () => {
    const { ask } = front(entry('melati'), entry('mawar'));
    expect(await ask('melati.example')).toEqual([200, 'melati']);
    expect(await ask('mawar.example:8787')).toEqual([200, 'mawar']);
    expect(await ask('anggrek.example')).toEqual([404, 'clinic_not_found']);
    expect(await ask('127.0.0.1', '/health')).toEqual([200, 'deployment']);
  });

  it('lets pages of a clinic’s origins read each refusal, and ask before it', async () => {
    const own = (one: ClinicEntry, CORS_ORIGINS: string) => ({ ...one, settings: { CORS_ORIGINS } });
    const origin = 'https://tutup.example';
    const { fetch, state } = front(own(entry('tutup', 'closed'), origin), entry('rusak'));
    const allowed = async (host: string, Origin: string, init: RequestInit = {}) => {
      const headers = { Origin, ...(init.headers as object) };
      const answer = await fetch(new Request(`http://${host}/v1/doctors`, { ...init, headers }), {});
      return [answer.status, answer.headers.get('Access-Control-Allow-Origin')];
    };
    const preflight = {
      method: 'OPTIONS',
      headers: {
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'authorization',
      },
    };
    const all = 'https://semua.example';
    expect(await allowed('tutup.example', origin)).toEqual([503, origin]);
    expect(await allowed('tutup.example', origin, preflight)).toEqual([204, origin]);
    expect(await allowed('tutup.example', all)).toEqual([503, null]);
    expect(await allowed('tutup.example', all, preflight)).toEqual([503, null]);
    expect(await allowed('rusak.example', all)).toEqual([503, all]);
    expect(await allowed('lain.example', all)).toEqual([404, all]);
    state.fails = true;
    expect(await allowed('baru.example', all)).toEqual([503, all]);
    const asked = await fetch(
      new Request('http://rusak.example/', {
        ...preflight,
        headers: { ...preflight.headers, Origin: all },
      }),
      {},
    );
    expect(asked.headers.get('Access-Control-Allow-Methods')).toBe('PUT');
    expect(asked.headers.get('Access-Control-Allow-Headers')).toBe('authorization');
  });

  it('answers for a closed clinic, a broken one and an unreadable directory, each alone', async () => {
    const { ask, fetch, state } = front(entry('melati'), entry('tutup', 'closed'), entry('rusak'));
    expect(await ask('tutup.example')).toEqual([503, 'clinic_closed']);
    expect(await ask('rusak.example')).toEqual([503, 'unavailable']);
    expect(await ask('melati.example')).toEqual([200, 'melati']);
    state.fails = true;
    expect(await ask('melati.example')).toEqual([200, 'melati']);
    expect(await ask('baru.example')).toEqual([503, 'unavailable']);
    const request = new Request('http://tutup.example/', { headers: { 'Accept-Language': 'en' } });
    const { headers } = await fetch(request, {});
    expect(headers.get('Retry-After')).toBe('60');
    expect(headers.get('Content-Language')).toBe('en');
    const spoken = async (path: string) => {
      const answer = await fetch(new Request(`http://tutup.example${path}`), {});
      return [
        answer.status,
        answer.headers.get('Content-Type'),
        answer.headers.get('Retry-After'),
        await answer.json(),
      ];
    };
    expect(await spoken('/fhir/r4/Slot')).toEqual([
      ...[503, 'application/fhir+json; charset=utf-8', '60'],
      expect.objectContaining({
        resourceType: 'OperationOutcome',
        issue: [expect.objectContaining({ code: 'transient' })],
      }),
    ]);
    expect(await spoken('/bpjs/rs/antrean/status')).toEqual([
      ...[200, 'application/json; charset=UTF-8', '60'],
      { metadata: { code: 201, message: 'Layanan klinik ini sedang ditutup.' } },
    ]);
  });
});
