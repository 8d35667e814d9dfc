import { describe, expect, it } from 'vitest';
import { mountDeployment } from '../../src/deployment.ts';
import type { ClinicEntry } from '../../src/modules/clinics/queries.ts';
import { demoPassword } from '../../src/modules/demo/demo.ts';
import type { ClinicCalls, Described } from '../../src/runtime/worker/objects/calls.ts';
import { createObjectsFront } from '../../src/runtime/worker/objects/front.ts';
import { CannotRewind, rewindStorage } from '../../src/runtime/worker/objects/rewind.ts';
import { appCode } from '../support/factors.ts';
import { askHost, askOperator, bindings, createClinics } from '../support/objects/clinics.ts';

const ownHost = 'operator.example';
const secret = String(bindings.OPERATOR_SECRET);
const api = (path: string, given: Parameters<typeof askHost>[2] = {}) =>
  askHost(ownHost, `/operator/api${path}`, { token: secret, ...given });
const mayLater = { 'Content-Type': 'application/x-ndjson' };

/** Sends a copy in parts of so many lines, as the command line does. */
const restoreInto = async (id: string, text: string, size: number) => {
  const lines = text.trimEnd().split('\n');
  let after = 0;
  for (;;) {
    const body = lines.slice(after, after + size).join('\n');
    const answer = await askHost(ownHost, `/operator/api/clinics/${id}/restore?after=${after}`, {
      token: secret,
      method: 'POST',
      headers: mayLater,
      raw: body,
    });
    if (answer.status !== 200 || answer.body.data.done) return answer;
    after = answer.body.data.lines;
  }
};

/** A clinic that was made closed, for a copy. */
const makeClosed = async (id: string) => {
  const body = { name: id, hosts: [`${id}.janji.example`], id, state: 'closed' };
  expect(await askOperator('', { body })).toMatchObject({ status: 201, body: { data: { state: 'closed' } } });
};

describe('a copy of an object', () => {
  it('fills a new clinic, in which everybody logs in and finds their bookings', async () => {
    const { ask, idOf, login, book } = await createClinics(['asal']);
    const token = await login('asal');
    const booked = await book('asal', token);
    expect(booked.status).toBe(201);
    const copy = await askOperator(`/${idOf('asal')}/export`);
    expect([copy.status, copy.headers.get('Content-Type')]).toEqual([200, 'application/x-ndjson']);
    expect(JSON.parse(copy.body.trimEnd().split('\n').at(-1))).toEqual({ end: expect.any(Number) });

    await makeClosed('tujuan');
    const begun = await askHost(ownHost, '/operator/api/clinics/tujuan/restore?after=0', {
      token: secret,
      method: 'POST',
      raw: copy.body.split('\n').slice(0, 100).join('\n'),
    });
    expect(begun.body.data).toEqual({ lines: 100, done: false });
    expect((await askOperator('/tujuan')).body.data.restored_lines).toBe(100);
    const wrong = await askHost(ownHost, '/operator/api/clinics/tujuan/restore?after=7', {
      token: secret,
      method: 'POST',
      raw: '[]',
    });
    expect(wrong).toMatchObject({ status: 409, body: { code: 'part_out_of_turn', lines: 100 } });
    // What arrived only in part is served to nobody.
    await askOperator('/tujuan/open', { method: 'POST' });
    expect((await askHost('tujuan.janji.example', '/v1/doctors')).status).toBe(503);

    await makeClosed('tujuan-dua');
    expect((await restoreInto('tujuan-dua', copy.body, 300)).body.data.done).toBe(true);
    await askOperator('/tujuan-dua/open', { method: 'POST' });
    const there = (path: string, given = {}) => askHost('tujuan-dua.janji.example', path, given);
    const logged = await there('/v1/auth/login', {
      body: { email: 'pasien@klinik.example', password: demoPassword },
    });
    const history = await there('/v1/bookings/history', { token: logged.body.data.access_token });
    expect(history.body.data.map(({ id }: { id: string }) => id)).toContain(booked.body.data.id);
    expect((await there('/v1/doctors')).body.data).toEqual((await ask('asal', '/v1/doctors')).body.data);
    expect((await there('/v1/bookings/history', { token })).status).toBe(401);
  });

  it('is of one moment: what is written waits until it was read', async () => {
    const { ask, objectOf, login, book } = await createClinics(['melati']);
    const token = await login('melati');
    const { object } = await objectOf('melati');
    const reader = (await object.dump()).getReader();
    const first = await reader.read();
    expect(new TextDecoder().decode(first.value)).toContain('"janji":"dump"');
    expect((await ask('melati', '/v1/doctors')).status).toBe(200);
    let isBooked = false;
    const booking = book('melati', token).then((answer) => {
      isBooked = true;
      return answer;
    });
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      expect(isBooked).toBe(false);
      text += new TextDecoder().decode(value);
    }
    expect(text.trimEnd()).toMatch(/\{"end":\d+\}$/);
    const { status, body } = await booking;
    expect(status).toBe(201);
    expect(text).not.toContain(body.data.id);
  });

  it('that is given up lets everybody write again', async () => {
    const { objectOf, login, book } = await createClinics(['melati']);
    const token = await login('melati');
    const { object } = await objectOf('melati');
    const reader = (await object.dump()).getReader();
    await reader.read();
    await reader.cancel();
    expect((await book('melati', token)).status).toBe(201);
    expect((await askOperator(`/${(await objectOf('melati')).clinic.id}/export`)).status).toBe(200);
  });

  it('goes into no clinic that is open, in use, or was closed a moment ago', async () => {
    const { idOf } = await createClinics(['melati']);
    const copy = (await askOperator(`/${idOf('melati')}/export`)).body;
    expect(await restoreInto(idOf('melati'), copy, 100)).toMatchObject({
      status: 409,
      body: { code: 'clinic_open' },
    });
    await askOperator(`/${idOf('melati')}/close`, { method: 'POST' });
    expect((await restoreInto(idOf('melati'), copy, 100)).body.code).toBe('clinic_in_use');
    await makeClosed('kosong');
    expect(await restoreInto('kosong', 'no copy at all', 100)).toMatchObject({
      status: 422,
      body: { code: 'copy_refused' },
    });
    expect((await restoreInto('kosong', copy, 100_000)).body.data.done).toBe(true);
    expect((await restoreInto('kosong', copy, 100_000)).body.detail).toContain('not empty');
  });
});

describe('a clinic of the past', () => {
  it('is asked of the platform, which here says that it cannot; nothing is different then', async () => {
    const { idOf, ask } = await createClinics(['melati']);
    const rewind = (body: object) => askOperator(`/${idOf('melati')}/rewind`, { body });
    expect((await rewind({ at: '2026-11-27T00:00:00Z' })).body.code).toBe('clinic_open');
    expect((await rewind({ at: 'yesterday' })).status).toBe(422);
    await makeClosed('lampau');
    const refused = await askOperator('/lampau/rewind', { body: { at: '2026-11-27T00:00:00Z' } });
    expect([refused.status, refused.body.code]).toEqual([409, 'rewind_not_offered']);
    expect((await ask('melati', '/v1/doctors')).status).toBe(200);
  });

  it('is chosen by a time or by a bookmark, and answers with the bookmark of now', async () => {
    const asked: unknown[] = [];
    const storage = {
      getBookmarkForTime: async (at: number) => {
        asked.push(at);
        return `of-${at}`;
      },
      onNextSessionRestoreBookmark: async (bookmark: string) => {
        asked.push(bookmark);
        return 'of-now';
      },
    };
    expect(await rewindStorage(storage, { at: 5 }, { madeAt: 4, now: 9 })).toBe('of-now');
    expect(await rewindStorage(storage, { bookmark: 'of-now' }, { madeAt: 4, now: 9 })).toBe('of-now');
    expect(asked).toEqual([5, 4, 'of-5', 4, 'of-now']);
  });

  it('is none of an earlier clinic of the same id, which was deleted', async () => {
    const went: string[] = [];
    const storage = {
      getBookmarkForTime: async (at: number) => {
        if (at < 2) throw new Error('too long ago');
        return `of-${at}`;
      },
      onNextSessionRestoreBookmark: async (bookmark: string) => {
        went.push(bookmark);
        return 'of-9';
      },
    };
    for (const to of [{ at: 5 }, { bookmark: 'of-5' }])
      await expect(rewindStorage(storage, to, { madeAt: 6, now: 9 })).rejects.toThrow(
        new CannotRewind('the clinic was made later than that'),
      );
    expect(went).toEqual([]);
    expect(await rewindStorage(storage, { at: 5 }, { madeAt: 5, now: 9 })).toBe('of-9');
    // Made before all that the platform still has: it is not asked for that moment.
    expect(await rewindStorage(storage, { at: 5 }, { madeAt: 1, now: 2 + 30 * 86_400_000 })).toBe('of-9');
    expect(went).toEqual(['of-5', 'of-5']);
    // Whether it is one of an earlier clinic is not known where the platform does not say so.
    for (const to of [{ at: 5 }, { bookmark: 'of-5' }])
      await expect(rewindStorage(storage, to, { madeAt: 1, now: 9 })).rejects.toThrow(
        new CannotRewind('too long ago'),
      );
    expect(went).toEqual(['of-5', 'of-5']);
  });
});

/** A front over the directory as it is, whose clinics all have this object. */
const frontOver = (object: object) => {
  const CLINIC = { idFromName: () => ({}), get: () => object as ClinicCalls };
  const front = createObjectsFront({ ...bindings, CLINIC }, mountDeployment);
  return async (path: string, json?: object) => {
    const asked = new Request(`https://${ownHost}/operator/api/clinics${path}`, {
      method: json === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    return (await (await front(asked, {})).json()) as { data: Record<string, unknown>[] };
  };
};
const silent = {
  describe: async (): Promise<Described> => {
    throw new Error('overloaded');
  },
};

describe('an object as the front sees it', () => {
  it('is shown with the others although it does not answer', async () => {
    const { idOf } = await createClinics(['melati']);
    const { data } = await frontOver(silent)(`?q=${idOf('melati')}`);
    expect(data).toMatchObject([{ id: idOf('melati'), state: 'broken', problem: 'overloaded', bytes: null }]);
  });

  it('that goes back in time is restarted, and told last what the directory says now', async () => {
    await makeClosed('mundur');
    const calls: string[] = [];
    const ask = frontOver({
      rewind: async (_: ClinicEntry, { bookmark }: { bookmark: string }) => {
        calls.push(`rewind to ${bookmark}`);
        return { undo: 'of-now' };
      },
      restart: async () => {
        calls.push('restart');
        throw new Error('it ends in the middle of the call');
      },
      note: async ({ id, state }: { id: string; state: string }) => void calls.push(`note ${id} ${state}`),
    });
    expect(await ask('/mundur/rewind', { bookmark: 'of-before' })).toMatchObject({
      data: { id: 'mundur', undo: 'of-now' },
    });
    expect(calls).toEqual(['rewind to of-before', 'restart', 'note mundur closed']);
  });
});

describe('the page of operators on Workers', () => {
  it('is served under the host of no clinic, with its login', async () => {
    const asked: string[] = [];
    const ASSETS = {
      fetch: async (url: string) => {
        asked.push(new URL(url).pathname);
        return new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } });
      },
    };
    const page = await askHost(ownHost, '/operator/', {}, { ...bindings, ASSETS });
    expect([page.status, page.headers.get('Content-Security-Policy')]).toEqual([200, expect.any(String)]);
    const { host } = await createClinics(['melati']);
    expect((await askHost(host('melati'), '/operator/')).status).toBe(404);

    const email = 'ani@vendor.example';
    const password = 'jembatan-merah-9x';
    const weak = await api('/operators', { body: { email, password: 'kopi-susu' } });
    expect([weak.status, weak.body.code]).toEqual([422, 'operator_refused']);
    const made = await api('/operators', { body: { email, password } });
    expect(made.status).toBe(201);
    const own = { 'Sec-Fetch-Site': 'same-origin' };
    const login = await askHost(ownHost, '/operator/api/login', {
      headers: own,
      body: { email, password, code: appCode(made.body.data.secret.replaceAll(' ', ''), Date.now()) },
    });
    expect(login.status).toBe(200);
    const Cookie = (login.headers.get('Set-Cookie') ?? '').split(';', 1)[0] ?? '';
    const asPerson = (path: string, given = {}) =>
      askHost(ownHost, `/operator/api${path}`, { headers: { ...own, Cookie }, ...given });
    expect((await asPerson('/session')).body.data.email).toBe(email);
    const listed = await asPerson('/clinics?q=melati');
    expect(listed.body.data[0]).toMatchObject({ state: 'open', bookings_today: expect.any(Number) });
    const id = listed.body.data[0].id;
    expect((await asPerson(`/clinics/${id}/close`, { method: 'POST' })).body.data.state).toBe('closed');
    // A person on the page reads and replaces nothing of a clinic.
    for (const [method, path] of [
      ['GET', `/clinics/${id}/export`],
      ['POST', `/clinics/${id}/restore?after=0`],
      ['POST', `/clinics/${id}/rewind`],
      ['DELETE', `/clinics/${id}`],
      ['GET', '/operators'],
    ] as const)
      expect(await asPerson(path, { method }), path).toMatchObject({
        status: 403,
        body: { code: 'secret_required' },
      });
    const { body } = await asPerson('/acts');
    expect(body.data.map(({ act }: { act: string }) => act)).toContain('clinic_closed');
    expect((await api('/operators/ani@vendor.example', { method: 'DELETE' })).status).toBe(200);
    expect((await asPerson('/session')).status).toBe(401);
  });
});
