import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { mountDeployment } from '../../src/deployment.ts';
import { changeClinic } from '../../src/modules/clinics/queries.ts';
import { demoPassword, demoPeople } from '../../src/modules/demo/demo.ts';
import type { ClinicCalls, ObjectBindings } from '../../src/runtime/worker/objects/calls.ts';
import { archiveOf } from '../../src/runtime/worker/objects/clinic-of.ts';
import { createObjectsFront, openDirectory } from '../../src/runtime/worker/objects/front.ts';
import { longPast } from '../support/long-past.ts';
import { askHost, askOperator, bindings, createClinics } from '../support/objects/clinics.ts';

const visits = 12;
/** Long, as the limit of a test is: nothing fails because the machine is slow. */
const patienceMs = 120_000;
type Row = Record<string, unknown>;

const readIn = (object: object, text: string): Promise<Row[]> =>
  runInDurableObject(object, (_, { storage: { sql } }) => sql.exec(text).toArray() as Row[]);
const writeIn = (object: object, texts: readonly string[]): Promise<void> =>
  runInDurableObject(object, (_, { storage }) =>
    storage.transactionSync(() => {
      storage.sql.exec('pragma defer_foreign_keys = on').toArray();
      for (const text of texts) storage.sql.exec(text).toArray();
    }),
  );

const isOld = (id: unknown): boolean => String(id).includes('-000000000');

/** Demo clinics whose patient has a past of many years. */
const withPast = async (names: readonly string[]) => {
  const made = await createClinics(names);
  const { ask, idOf, login, book, objectOf } = made;
  const clinicOf = async (name: string) => (await objectOf(name)).object as ClinicCalls & object;
  const archive = async (name: string) => archiveOf(bindings, (await objectOf(name)).clinic) as object;
  for (const name of names) {
    await book(name, await login(name));
    const object = await clinicOf(name);
    const columns = async (table: string) =>
      (await readIn(object, `select name from pragma_table_info('${table}') order by cid`)).map(
        ({ name: one }) => String(one),
      );
    const known = { bookings: await columns('bookings'), booking_events: await columns('booking_events') };
    await writeIn(
      object,
      longPast((table) => known[table], visits, demoPeople.patient),
    );
  }
  const set = async (name: string, days: string | null) => {
    const body = { settings: { ARCHIVE_AFTER_DAYS: days } };
    const answer = await askOperator(`/${idOf(name)}`, { method: 'PATCH', body });
    expect(answer.status).toBe(200);
  };
  const idsIn = async (object: object): Promise<string[]> => {
    const tables = await readIn(object, "select name from sqlite_master where name = 'bookings'");
    if (tables.length === 0) return [];
    return (await readIn(object, 'select id from bookings order by id')).map(({ id }) => String(id));
  };
  const history = async (name: string) => {
    const { status, body } = await ask(name, '/v1/bookings/history?limit=50', { token: await login(name) });
    return { status, ids: (body.data ?? []).map(({ id }: Row) => String(id)).filter(isOld) };
  };
  /**
   * Lets the object do what is due until its old bookings are in the archive and the job has ended, which notes its next time last: the
   * platform may have begun it by itself, and it would go on beside what the test does next.
   */
  const rest = async (name: string) => {
    const object = await clinicOf(name);
    await expect
      .poll(
        async () => {
          await runDurableObjectAlarm(object);
          const old = (await idsIn(object)).filter(isOld);
          if (old.length > 1) return false;
          const [noted] = await readIn(await archive(name), 'select next_at as at from archive');
          return Number(noted?.at) > Date.now();
        },
        { timeout: patienceMs, interval: 50 },
      )
      .toBe(true);
  };
  /** The clinic was closed long ago, as far as the directory knows. */
  const letGo = async (name: string) => {
    expect((await askOperator(`/${idOf(name)}/close`, { method: 'POST' })).status).toBe(200);
    await changeClinic(openDirectory(bindings), idOf(name), { state: 'closed', stateSince: 0 });
  };
  const open = (name: string) => askOperator(`/${idOf(name)}/open`, { method: 'POST' });
  return { ...made, clinicOf, archive, set, idsIn, history, rest, letGo, open };
};

describe('the archive of a clinic in an object', () => {
  it('takes what is older than the horizon of that clinic, and is read as before', async () => {
    const { ask, idOf, login, clinicOf, archive, set, idsIn, history, rest } = await withPast([
      'melati',
      'mawar',
    ]);
    const token = await login('melati');
    const staff = await login('melati', 'staff@klinik.example');
    const [old = ''] = (await idsIn(await clinicOf('melati'))).filter((id) => id.endsWith('00000000000c'));
    // The room is that of the schedule, as long as the booking is where the schedules are.
    const byId = async () => {
      const { status, body } = await ask('melati', `/v1/bookings/${old}`, { token });
      return { status, ...body.data, room: null };
    };
    const look = async () => [
      await history('melati'),
      await byId(),
      (await ask('melati', `/v1/bookings/${old}/events`, { token })).body,
      (await ask('melati', `/v1/patients/${demoPeople.patient}/bookings`, { token: staff })).body,
    ];
    const before = await look();
    expect((await history('melati')).ids).toHaveLength(visits);
    expect((await askOperator(`/${idOf('melati')}`)).body.data.archive_bytes).toBeNull();
    await set('melati', '400');
    await rest('melati');
    expect(await idsIn(await archive('melati'))).toHaveLength(visits - 1);
    expect(await idsIn(await archive('melati'))).toContain(old);
    expect(await look()).toEqual(before);
    // Its size is shown; the clinic beside it has none, and no table for one.
    expect((await askOperator(`/${idOf('melati')}`)).body.data.archive_bytes).toBeGreaterThan(10_000);
    expect((await askOperator(`/${idOf('mawar')}`)).body.data.archive_bytes).toBeNull();
    expect(
      await readIn(await archive('mawar'), "select name from sqlite_master where name not glob '_cf_*'"),
    ).toEqual([]);
    // Nothing changes there any more.
    const canceled = await ask('melati', `/v1/bookings/${old}/cancel`, {
      token: staff,
      method: 'POST',
      body: {},
    });
    expect([canceled.status, canceled.body.code]).toEqual([409, 'invalid_transition']);
    // Turned off, and after the object has ended, what went there is still read.
    await set('melati', '0');
    await evictDurableObject(await clinicOf('melati'));
    expect(await look()).toEqual(before);
  });

  it('wakes its clinic once a day, and no clinic that has no horizon', async () => {
    const { clinicOf, set, rest } = await withPast(['melati']);
    await set('melati', '400');
    await rest('melati');
    const object = await clinicOf('melati');
    const noted = await runInDurableObject(object, (_, { storage }) =>
      storage.get<{ nextAt: number }>('archive'),
    );
    expect(noted?.nextAt).toBeGreaterThan(Date.now());
    expect(noted?.nextAt).toBeLessThan(Date.now() + 25 * 3_600_000);
    const { wakesAt } = await object.describe();
    expect(wakesAt).not.toBeNull();
    expect(wakesAt).toBeLessThanOrEqual(noted?.nextAt ?? 0);
  });

  it('is no clinic: it answers no request, and no host or id of the front leads to it', async () => {
    const { idOf, archive, set, rest } = await withPast(['melati']);
    await set('melati', '400');
    await rest('melati');
    const isCalled = await runInDurableObject(await archive('melati'), (instance) =>
      ['fetch', 'serve', 'describe', 'dump', 'alarm', 'runStep'].map((name) => name in instance),
    );
    expect(isCalled).toEqual([false, false, false, false, false, true]);
    for (const id of [`${idOf('melati')}-archive`, `${idOf('melati')}%2Farchive`, 'archive'])
      expect((await askOperator(`/${id}`)).status).toBe(404);
  });

  it('that cannot be read closes nothing but what reads it', async () => {
    const { ask, login, clinicOf, archive, set, rest, firstSlot } = await withPast(['melati']);
    await set('melati', '400');
    await rest('melati');
    await writeIn(await archive('melati'), ["update archive set clinic_id = 'another'"]);
    await evictDurableObject(await clinicOf('melati'));
    const token = await login('melati');
    expect((await ask('melati', '/v1/bookings/history?limit=50', { token })).status).toBe(503);
    const slot = await firstSlot('melati');
    expect((await ask('melati', '/v1/bookings', { token, body: slot })).status).not.toBe(503);
    expect((await ask('melati', '/v1/doctors')).status).toBe(200);
  });

  it('is deleted with its clinic: another one of the same id sees nothing of it', async () => {
    const { idOf, host, archive, set, rest, letGo, history } = await withPast(['melati']);
    await set('melati', '400');
    await rest('melati');
    const kept = await archive('melati');
    await letGo('melati');
    expect((await askOperator(`/${idOf('melati')}`, { method: 'DELETE' })).status).toBe(200);
    expect(await readIn(kept, "select name from sqlite_master where name = 'bookings'")).toEqual([]);
    const body = { name: 'melati', hosts: [host('melati')], id: idOf('melati'), demo: true };
    expect((await askOperator('', { body })).status).toBe(201);
    expect(await history('melati')).toEqual({ status: 200, ids: [] });
    // Its own archive is made with the first booking that goes there.
    await set('melati', '400');
    expect(await history('melati')).toEqual({ status: 200, ids: [] });
    expect(await readIn(kept, "select name from sqlite_master where name = 'bookings'")).toEqual([]);
  });
});

const restoreInto = async (id: string, text: string) => {
  const lines = text.trimEnd().split('\n');
  for (let after = 0; ; ) {
    const raw = lines.slice(after, after + 300).join('\n');
    const answer = await askOperator(`/${id}/restore?after=${after}`, { method: 'POST', raw });
    if (answer.status !== 200 || answer.body.data.done) return answer;
    after = answer.body.data.lines;
  }
};

/** The old bookings of a copy, and their events. */
const inCopy = (text: string) => {
  const ids: string[] = [];
  const events: number[] = [];
  let table = '';
  let at = 0;
  let booking = 0;
  for (const line of text
    .trimEnd()
    .split('\n')
    .map((one) => JSON.parse(one))) {
    if (line.table !== undefined) {
      table = line.table;
      at = line.columns.indexOf(table === 'bookings' ? 'id' : 'sequence');
      booking = line.columns.indexOf('booking_id');
    }
    if (!Array.isArray(line)) continue;
    if (table === 'bookings' && isOld(line[at])) ids.push(line[at]);
    if (table === 'booking_events' && isOld(line[booking])) events.push(line[at]);
  }
  return { ids: ids.sort(), events: events.sort((a, b) => a - b) };
};

describe('a copy of a clinic with an archive', () => {
  it('has all bookings, each once, and fills another clinic, which archives them anew', async () => {
    const { idOf, clinicOf, archive, set, idsIn, history, rest } = await withPast(['melati']);
    const before = (await idsIn(await clinicOf('melati'))).filter(isOld);
    const events = (
      await readIn(
        await clinicOf('melati'),
        "select sequence as n from booking_events where booking_id like '%-000000000%' order by 1",
      )
    ).map(({ n }) => n);
    await set('melati', '400');
    await rest('melati');
    // A code of an archived booking was given again, there and to one that is not archived.
    const [own] = await readIn(await clinicOf('melati'), 'select booking_code as code from bookings limit 1');
    await writeIn(await archive('melati'), [
      `update bookings set booking_code = 'X3' where id = (select max(id) from bookings)`,
      `update bookings set booking_code = '${own?.code}' where id = (select min(id) from bookings)`,
    ]);
    const copy = (await askOperator(`/${idOf('melati')}/export`)).body as string;
    expect(inCopy(copy)).toEqual({ ids: before, events });

    const id = `salinan-${idOf('melati')}`;
    const body = { name: id, hosts: [`${id}.janji.example`], id, state: 'closed' };
    expect((await askOperator('', { body })).status).toBe(201);
    expect((await restoreInto(id, copy)).body.data).toMatchObject({ done: true });
    await askOperator(`/${id}/open`, { method: 'POST' });
    const login = await askHost(`${id}.janji.example`, '/v1/auth/login', {
      body: { email: 'pasien@klinik.example', password: demoPassword },
    });
    const there = await askHost(`${id}.janji.example`, '/v1/bookings/history?limit=50', {
      token: login.body.data?.access_token,
    });
    expect((there.body.data ?? []).map(({ id: one }: Row) => one).filter(isOld)).toEqual(
      (await history('melati')).ids,
    );
  });

  it('has each once whatever comes and goes while it is read', async () => {
    const { clinicOf, archive, set, idsIn, rest, login, book } = await withPast(['melati']);
    const object = await clinicOf('melati');
    const before = (await idsIn(object)).filter(isOld);
    await set('melati', '400');
    await rest('melati');
    const own = await idsIn(object);
    // A process ended between the copy and the removal of one: it is in both. Another one is only where the clinic's are.
    const [both = '', young = ''] = await idsIn(await archive('melati'));
    const rows = await readIn(
      await archive('melati'),
      `select * from bookings where id in ('${both}', '${young}')`,
    );
    await runInDurableObject(object, (_instance, { storage: { sql } }) => {
      for (const { settled: _, merged_from: __, ...row } of rows) {
        const names = Object.keys(row).map((name) => `"${name}"`);
        const places = names.map(() => '?').join();
        sql
          .exec(`insert into bookings (${names.join()}) values (${places})`, ...Object.values(row))
          .toArray();
      }
    });
    await writeIn(await archive('melati'), [
      `update bookings set settled = 0 where id = '${both}'`,
      `delete from bookings where id = '${young}'`,
      'update archive set next_at = 0',
    ]);
    const dueAgain = async () => {
      await runInDurableObject(object, (_instance, { storage }) =>
        storage.put('archive', { isThere: true, nextAt: 0 }),
      );
      await evictDurableObject(object);
    };
    await dueAgain();
    const token = await login('melati');
    const reader = (await object.dump()).getReader();
    let text = '';
    let job: Promise<unknown> | null = null;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += new TextDecoder().decode(value);
      if (job !== null) continue;
      // The job would move both meanwhile: its copies would come to the archive before that is read.
      job = runDurableObjectAlarm(object);
      const isTried = async (): Promise<boolean> => {
        const noted = await runInDurableObject(object, (_instance, { storage }) =>
          storage.get<{ nextAt: number }>('archive'),
        );
        return (noted?.nextAt ?? 0) > 0 || (await idsIn(await archive('melati'))).includes(young);
      };
      await expect.poll(isTried, { timeout: patienceMs, interval: 20 }).toBe(true);
    }
    await job;
    expect((await book('melati', token)).status).not.toBe(503);
    const { ids } = inCopy(text);
    expect(ids).toEqual(before);
    expect(own).not.toContain(both);
    expect(own).not.toContain(young);
    // Afterwards the job goes on, a minute later.
    await dueAgain();
    await rest('melati');
    expect(await idsIn(await archive('melati'))).toEqual(expect.arrayContaining([both, young]));
  });
});

describe('a clinic with an archive that is brought back to an earlier moment', () => {
  it('shows each booking once, and moves again what it has again', async () => {
    const { idOf, clinicOf, archive, set, idsIn, history, rest, letGo, open } = await withPast(['melati']);
    const object = await clinicOf('melati');
    const before = await history('melati');
    const tables = ['bookings', 'booking_events'] as const;
    const then = await Promise.all(tables.map((table) => readIn(object, `select * from ${table}`)));
    await set('melati', '400');
    await rest('melati');
    const archived = await idsIn(await archive('melati'));
    await letGo('melati');
    /** What the platform does, which cannot be had here. */
    const rewind = async () => {
      await runInDurableObject(object, async (_, { storage }) => {
        await storage.delete('archive');
        storage.transactionSync(() => {
          const { sql } = storage;
          sql.exec('pragma defer_foreign_keys = on').toArray();
          for (const table of [...tables].reverse()) sql.exec(`delete from ${table}`).toArray();
          for (const [at, table] of tables.entries())
            for (const row of then[at] ?? []) {
              const names = Object.keys(row).map((name) => `"${name}"`);
              const places = names.map(() => '?').join();
              sql
                .exec(`insert into ${table} (${names.join()}) values (${places})`, ...Object.values(row))
                .toArray();
            }
        });
      });
      return { undo: 'of-now' };
    };
    const CLINIC = {
      idFromName: bindings.CLINIC.idFromName.bind(bindings.CLINIC),
      get: () =>
        ({
          rewind,
          restart: () => evictDurableObject(object),
          note: (clinic) => object.note(clinic),
          rememberArchive: (clinic) => object.rememberArchive(clinic),
        }) as Partial<ClinicCalls> as ClinicCalls,
    };
    const front = createObjectsFront({ ...bindings, CLINIC } as ObjectBindings, mountDeployment);
    const answer = await front(
      new Request(`https://operator.example/operator/api/clinics/${idOf('melati')}/rewind`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${bindings.OPERATOR_SECRET}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ bookmark: 'of-before' }),
      }),
      {},
    );
    expect(answer.status).toBe(200);
    expect((await idsIn(object)).filter(isOld)).toHaveLength(visits);
    await open('melati');
    expect(await history('melati')).toEqual(before);
    const shown = await askOperator(`/${idOf('melati')}`);
    expect(shown.body.data.archive_bytes).toBeGreaterThan(10_000);
    const copy = (await askOperator(`/${idOf('melati')}/export`)).body as string;
    expect(inCopy(copy).ids).toEqual((await idsIn(object)).filter(isOld));
    await rest('melati');
    expect(await idsIn(await archive('melati'))).toEqual(archived);
    expect(
      await readIn(await archive('melati'), 'select count(*) as n from bookings where settled = 0'),
    ).toEqual([{ n: 0 }]);
    expect(await history('melati')).toEqual(before);
  });
});

describe('a deployment of before there were archives', () => {
  it('refuses a horizon, and says what it lacks', async () => {
    const { idOf } = await createClinics(['melati']);
    const { ARCHIVE: _, ...without } = bindings;
    const front = createObjectsFront(without as ObjectBindings, mountDeployment);
    const set = async (days: string) => {
      const answer = await front(
        new Request(`https://operator.example/operator/api/clinics/${idOf('melati')}`, {
          method: 'PATCH',
          headers: {
            Authorization: `Bearer ${bindings.OPERATOR_SECRET}`,
            'Content-Type': 'application/json',
          },
          body: JSON.stringify({ settings: { ARCHIVE_AFTER_DAYS: days } }),
        }),
        {},
      );
      return { status: answer.status, text: await answer.text() };
    };
    expect(await set('400')).toMatchObject({
      status: 422,
      text: expect.stringContaining('wrangler.objects.toml'),
    });
    expect((await set('0')).status).toBe(200);
    expect(() =>
      createObjectsFront({ ...without, ARCHIVE_AFTER_DAYS: '400' } as ObjectBindings, mountDeployment),
    ).toThrow('wrangler.objects.toml');
  });

  it('that is deployed again answers nothing as whole that is not, and deletes no clinic by half', async () => {
    const { ask, login, clinicOf, archive, set, idsIn, rest } = await withPast(['melati']);
    await set('melati', '400');
    await rest('melati');
    const object = await clinicOf('melati');
    const before = await idsIn(await archive('melati'));
    await evictDurableObject(object);
    const { ARCHIVE: _, ...without } = bindings;
    await runInDurableObject(
      object,
      (instance) => void Object.defineProperty(instance, 'env', { value: without }),
    );
    const token = await login('melati');
    expect((await ask('melati', '/v1/bookings/history?limit=50', { token })).status).toBe(503);
    expect((await ask('melati', '/v1/doctors')).status).toBe(200);
    for (const act of ['dump', 'erase'] as const) {
      const isDone = await runInDurableObject(object, (instance) =>
        (instance as unknown as ClinicCalls)[act]().then(
          () => true,
          () => false,
        ),
      );
      expect([act, isDone]).toEqual([act, false]);
    }
    expect(await idsIn(await archive('melati'))).toEqual(before);
    expect((await idsIn(object)).filter(isOld)).toHaveLength(1);
  });
});
