import assert from 'node:assert/strict';
import { asc, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { unsettleArchive } from '../../src/core/archive/archive.ts';
import { createClinicTime } from '../../src/core/clinic/time.ts';
import { TransientDatabaseError } from '../../src/core/db/transient.ts';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { schedules } from '../../src/core/tables/catalog.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { archiveBookings } from '../../src/jobs/archive.ts';
import { jobs, runJobs } from '../../src/jobs/jobs.ts';
import { createPast, readContents } from '../support/archive.ts';
import { act, detail } from '../support/clinic-people.ts';
import { findViolations } from '../support/invariants.ts';
import type { World } from '../support/world.ts';

const dayMs = 86_400_000;
const archiveJob = jobs.filter(({ name }) => name === 'archive');

const archive = (world: World) => archiveBookings(world.deps, world.clock.now);

const rulesOf = (violations: readonly string[]): string[] =>
  violations.map((line) => line.replaceAll(/[\da-f-]{36},?/g, ''));

/** All pages of a list. */
const pagesOf = async (world: World, token: string, path: string): Promise<Record<string, unknown>[]> => {
  const rows = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from = cursor === '' ? '' : `&cursor=${cursor}`;
    const { status, body } = await world.request(`${path}${path.includes('?') ? '&' : '?'}limit=7${from}`, {
      token,
    });
    expect(status).toBe(200);
    rows.push(...body.data);
    cursor = body.meta.next_cursor;
  }
  return rows;
};

const exported = async (world: World, token: string, since = '') => {
  const { status, body } = await world.request(`/v1/export/bookings?format=ndjson${since}`, { token });
  expect(status).toBe(200);
  return String(body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

describe('an archive', () => {
  it('takes the bookings that are older than the horizon, with their events, and leaves the last of each kind', async () => {
    const { world, done, off } = await createPast();
    const before = await readContents(world);
    const violations = await findViolations(world.db);
    await archive(world);
    const { own, archived, events } = await readContents(world);
    expect(own).toEqual([done, off].sort());
    expect([...own, ...archived].sort()).toEqual(before.own);
    expect(events.sort()).toEqual(before.events.slice(0, before.events.length).sort());
    expect(new Set(events).size).toBe(events.length);
    expect(rulesOf(violations)).toEqual(expect.arrayContaining(rulesOf(await findViolations(world.db))));
    const [line] = await world.db
      .select({ detail: securityEvents.detail })
      .from(securityEvents)
      .where(sql`type = 'bookings_archived'`);
    expect(JSON.parse(line?.detail ?? '')).toMatchObject({ bookings: archived.length });
  });

  it('is read by the history, the desk, an export and the statistics as before', async () => {
    const { world, clinic } = await createPast();
    const { patient, staff, admin, doctor, otherDoctor } = clinic;
    const ofDesk = `/v1/patients/${patient.id}/bookings`;
    const ask = async () => ({
      history: await pagesOf(world, patient.token, '/v1/bookings/history'),
      past: await pagesOf(world, patient.token, '/v1/bookings/history?when=past&include=detail'),
      canceled: await pagesOf(world, patient.token, '/v1/bookings/history?status=canceled'),
      upcoming: await pagesOf(world, patient.token, '/v1/bookings/history?when=upcoming'),
      desk: await pagesOf(world, staff.token, ofDesk),
      ofDoctor: await pagesOf(world, doctor.token, ofDesk),
      ofOther: (await world.request(ofDesk, { token: otherDoctor.token })).status,
      list: await pagesOf(world, staff.token, '/v1/bookings?from=2025-04-01&to=2025-06-30&order=desc'),
      record: (await world.request(`/v1/patients/${patient.id}`, { token: staff.token })).body.data.visits,
      exported: await exported(world, admin.token),
      changed: await exported(world, admin.token, '&updated_since=2025-07-01'),
      statistics: (
        await world.request('/v1/admin/statistics?from=2025-05-01&to=2025-06-30&by=month', {
          token: admin.token,
        })
      ).body,
      own: (await world.request('/v1/auth/export', { token: patient.token, method: 'POST', body: {} })).body
        .data?.bookings,
    });
    const before = await ask();
    expect(before.history).toHaveLength(30);
    expect(before.desk).toHaveLength(30);
    await archive(world);
    expect((await readContents(world)).archived.length).toBeGreaterThan(20);
    expect(await ask()).toEqual(before);
  });

  it('is read by id, with the events; nothing changes there any more', async () => {
    const { world, clinic } = await createPast();
    const { patient, stranger, staff, otherDoctor } = clinic;
    const [old] = (await readContents(world)).own.filter((id) => id.endsWith('0000000000e'));
    const id = String(old);
    const paths = ['', '/events', '/calendar.ics', '/answers'].map((part) => `/v1/bookings/${id}${part}`);
    const ask = async () =>
      Promise.all(
        [patient, staff, stranger, otherDoctor].flatMap(({ token }) =>
          paths.map(async (path) => {
            const { status, body } = await world.request(path, { token });
            return { path, status, body: status === 404 ? body.code : body };
          }),
        ),
      );
    const before = await ask();
    await archive(world);
    expect((await readContents(world)).archived).toContain(id);
    const after = await ask();
    expect(after.map(({ status }) => status)).toEqual(before.map(({ status }) => status));
    expect(after).toEqual(before);
    const refused = await act(world, staff, id, 'undo');
    expect(refused).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect((await act(world, stranger, id, 'cancel')).status).toBe(404);
    const edited = await world.request(`/v1/bookings/${id}`, {
      method: 'PATCH',
      token: staff.token,
      body: { staff_notes: 'x' },
    });
    expect(edited.body.code).toBe('invalid_transition');
  });

  it('has the room of each visit as it was shown last, whatever its schedule says later', async () => {
    const { world, clinic } = await createPast(3);
    const { staff } = clinic;
    const setRoom = (room: string) => world.db.update(schedules).set({ room });
    const roomOf = async (id: string) => (await detail(world, staff, id)).room;
    await setRoom('Poli 2');
    const [id = ''] = (await readContents(world)).own.filter((each) => each.endsWith('00000000001'));
    expect(await roomOf(id)).toBe('Poli 2');
    await archive(world);
    expect((await readContents(world)).archived).toContain(id);
    expect(await roomOf(id)).toBe('Poli 2');
    await setRoom('Poli 3');
    expect(await roomOf(id)).toBe('Poli 2');
  });

  it('follows a merge and an erasure, and keeps nothing longer than the clinic does', async () => {
    const { world, clinic } = await createPast(6);
    const { staff, admin } = clinic;
    const add = async (name: string) =>
      (
        await world.request('/v1/patients', {
          token: staff.token,
          body: { name, birth_date: '1960-08-17', confirm: true },
        })
      ).body.data.id;
    const [source, target] = [await add('Pak Darmo'), await add('Pak Darmo Sastro')];
    await world.db.update(bookings).set({ patientId: source });
    await archive(world);
    const merged = await world.request(`/v1/patients/${source}/merge`, {
      token: admin.token,
      body: { into: target },
    });
    expect(merged.status).toBe(200);
    const shown = await pagesOf(world, staff.token, `/v1/patients/${target}/bookings`);
    expect(shown).toHaveLength(14);
    const [old] = (await readContents(world)).archived;
    expect((await detail(world, staff, String(old))).patient.id).toBe(target);
    const erased = await world.request(`/v1/patients/${target}`, { method: 'DELETE', token: admin.token });
    expect(erased.status).toBe(200);
    const text = JSON.stringify(await world.deps.archive?.db.select().from(bookings));
    expect(text).toContain(target);
    expect(text).not.toMatch(/Batuk|Kontrol/);
    expect((await detail(world, staff, String(old))).patient.name).toBe('');
    // The daily job does the same for a process that ended in between.
    await world.deps.archive?.db.update(bookings).set({ notes: 'Batuk' });
    world.deps.config.RETENTION_YEARS = 1;
    await archive(world);
    const left = (await world.deps.archive?.db.select().from(bookings)) ?? [];
    expect(JSON.stringify(left)).not.toContain('Batuk');
    expect(left).toEqual([]);
  });

  it('takes nothing that is young, changed lately, waited for, or known by an id of another system', async () => {
    const { world } = await createPast(3);
    const set = async (change: Record<string, unknown>) => {
      await world.db.update(bookings).set(change);
      await archive(world);
      return (await readContents(world)).archived;
    };
    expect(await set({ updatedAt: world.clock.now - 399 * dayMs })).toEqual([]);
    await world.db.update(bookings).set({ updatedAt: world.clock.now - 500 * dayMs });
    world.deps.config.ARCHIVE_AFTER_DAYS = 600;
    await archive(world);
    expect((await readContents(world)).archived).toEqual([]);
    world.deps.config.ARCHIVE_AFTER_DAYS = 0;
    await archive(world);
    expect((await readContents(world)).archived).toEqual([]);
    world.deps.config.ARCHIVE_AFTER_DAYS = 400;
    await world.db.update(bookings).set({ externalId: sql`'x' || id` });
    await archive(world);
    expect((await readContents(world)).archived).toEqual([]);
    await world.db.update(bookings).set({ externalId: null });
    await archive(world);
    expect((await readContents(world)).archived).toHaveLength(6);
  });

  it('finds a booking by its code, and only among what is asked for', async () => {
    const { world, clinic } = await createPast(3);
    const { staff, patient, practice, others, stranger, otherDoctor } = clinic;
    const [id] = (await readContents(world)).own.filter((one) => one.endsWith('000000000002'));
    await world.db
      .update(bookings)
      .set({ bookingCode: '7KQ2M9XR' })
      .where(eq(bookings.id, String(id)));
    const [row] = await world.db
      .select()
      .from(bookings)
      .where(eq(bookings.id, String(id)));
    const filters = [
      '',
      `&patient_id=${patient.id}`,
      `&patient_id=${stranger.id}`,
      `&doctor_id=${practice.doctorId}`,
      `&doctor_id=${others.doctorId}`,
      `&session_id=${others.sessionId}`,
      '&status=waiting',
      '&status=approved,canceled',
      '&visit=expected',
      '&updated_since=2026-11-01',
      `&date=${row?.scheduleDate}&patient_id=${stranger.id}`,
      `&date=${row?.scheduleDate}`,
    ];
    const ask = () =>
      Promise.all(
        [staff, otherDoctor].flatMap(({ token }) =>
          filters.map(async (filter) => {
            const { status, body } = await world.request(`/v1/bookings?q=7kq2m9xr${filter}`, { token });
            return { filter, status, data: body.data, counts: body.meta?.counts };
          }),
        ),
      );
    const before = await ask();
    await archive(world);
    expect((await readContents(world)).archived).toContain(id);
    expect(await ask()).toEqual(before);
    expect(before.filter(({ data }) => data?.length === 1).length).toBeGreaterThan(3);
  });

  it('refuses whatever would change a booking, and hides it from those who may not see it', async () => {
    const { world, clinic } = await createPast(3);
    const { patient, stranger, staff } = clinic;
    await archive(world);
    const id = String((await readContents(world)).archived[0]);
    const ask = async (token: string) => {
      const answers = await world.request(`/v1/bookings/${id}/answers`, {
        method: 'PUT',
        token,
        body: { answers: [] },
      });
      const confirmed = await act(world, { token }, id, 'confirm');
      return [answers, confirmed].map(({ status, body }) => [status, body.code]);
    };
    const refused = [409, 'invalid_transition'];
    expect(await ask(staff.token)).toEqual([refused, refused]);
    expect(await ask(patient.token)).toEqual([refused, refused]);
    const hidden = [404, 'not_found'];
    expect(await ask(stranger.token)).toEqual([hidden, hidden]);
  });

  it('refuses a merge where archived visits of both records overlap', async () => {
    const { world, clinic, done } = await createPast(3);
    const { staff, admin } = clinic;
    const add = async (name: string) => {
      const body = { name, birth_date: '1960-08-17', confirm: true };
      return (await world.request('/v1/patients', { token: staff.token, body })).body.data.id;
    };
    const [source, target] = [await add('Pak Darmo'), await add('Pak Darmo Sastro')];
    await world.db.update(bookings).set({ patientId: source });
    await archive(world);
    const archived = world.deps.archive?.db;
    const [one, other] =
      (await archived?.select().from(bookings).where(eq(bookings.status, 'approved'))) ?? [];
    const own = await world.db.select().from(bookings).where(eq(bookings.id, done));
    assert.ok(archived && one && other && own[0]);
    const { startsAt, endsAt } = one;
    const merge = async (more = {}) =>
      world.request(`/v1/patients/${source}/merge`, { token: admin.token, body: { into: target, ...more } });
    const conflictsOf = async (more = {}) => {
      const { status, body } = await merge(more);
      expect([status, body.code]).toEqual([409, 'merge_conflict']);
      return body.conflicts.map((pair: Record<'source' | 'into', { id: string }>) => [
        pair.source.id,
        pair.into.id,
      ]);
    };

    await archived
      .update(bookings)
      .set({ patientId: target, startsAt, endsAt })
      .where(eq(bookings.id, other.id));
    expect(await conflictsOf({ dry_run: true })).toEqual([[one.id, other.id]]);
    expect(await conflictsOf()).toEqual([[one.id, other.id]]);
    // One of the clinic's own database, of a time before, counts too.
    const times = { startsAt: own[0].startsAt, endsAt: own[0].endsAt };
    await archived.update(bookings).set(times).where(eq(bookings.id, other.id));
    expect(await conflictsOf()).toEqual([[done, other.id]]);
    await archived.update(bookings).set({ status: 'canceled' }).where(eq(bookings.id, other.id));
    expect((await merge()).status).toBe(200);
  });

  it('has a last event of each booking that shows it as it is, after a merge and in another time zone', async () => {
    const { world, clinic } = await createPast(3);
    const { staff, admin } = clinic;
    const add = async (name: string) => {
      const body = { name, birth_date: '1960-08-17', confirm: true };
      return (await world.request('/v1/patients', { token: staff.token, body })).body.data.id;
    };
    const [source, target] = [await add('Pak Darmo'), await add('Pak Darmo Sastro')];
    await world.db.update(bookings).set({ patientId: source });
    await world.db
      .update(bookingEvents)
      .set({ payload: sql`json_set(payload, '$.patient_id', ${source})` })
      .where(sql`type like 'booking.%'`);
    await archive(world);
    const shown = async () => {
      const from = world.deps.archive?.db ?? world.db;
      const rows = await from
        .select({ booking: bookings, payload: bookingEvents.payload })
        .from(bookings)
        .innerJoin(
          bookingEvents,
          sql`${bookingEvents.bookingId} = ${bookings.id} and ${bookingEvents.version} = ${bookings.version}`,
        )
        .orderBy(asc(bookings.id));
      return rows.map(({ booking, payload }) => ({ booking, event: JSON.parse(payload) }));
    };
    expect(await shown()).toHaveLength(6);
    const body = { into: target };
    const merged = await world.request(`/v1/patients/${source}/merge`, { token: admin.token, body });
    expect(merged.status).toBe(200);
    for (const { booking, event } of await shown())
      expect([booking.patientId, event.patient_id]).toEqual([target, target]);
    world.deps.config.CLINIC_TIME_ZONE = 'Asia/Jayapura';
    Object.assign(world.deps, { clinicTime: createClinicTime('Asia/Jayapura') });
    const before = await shown();
    await archive(world);
    const after = await shown();
    for (const [at, { booking, event }] of after.entries()) {
      expect(booking.startsAt).toBe((before[at]?.booking.startsAt ?? 0) - 2 * 3_600_000);
      expect(event.starts_at).toBe(new Date(booking.startsAt).toISOString());
      expect(event.ends_at).toBe(new Date(booking.endsAt).toISOString());
    }
  });

  it('gives bookings back to their record where the database is brought back to before its merge, also a second one', async () => {
    const { world, clinic } = await createPast(6);
    const { staff, admin } = clinic;
    const add = async (name: string): Promise<string> => {
      const body = { name, birth_date: '1960-08-17', confirm: true };
      return (await world.request('/v1/patients', { token: staff.token, body })).body.data.id;
    };
    const [source, between, target] = [await add('Pak Darmo'), await add('Pak D'), await add('Darmo Sastro')];
    const setMerged = (id: string, mergedInto: string | null) =>
      world.db.update(patients).set({ mergedInto }).where(eq(patients.id, id));
    const merge = async (from: string, into: string) => {
      const path = `/v1/patients/${from}/merge`;
      expect((await world.request(path, { token: admin.token, body: { into } })).status).toBe(200);
    };
    const owners = async () => {
      const from = world.deps.archive?.db ?? world.db;
      const rows = await from.selectDistinct({ id: bookings.patientId }).from(bookings);
      const told = await from
        .selectDistinct({ id: sql<string>`payload ->> '$.patient_id'` })
        .from(bookingEvents)
        .innerJoin(
          bookings,
          sql`${bookings.id} = booking_id and ${bookings.version} = ${bookingEvents.version}`,
        );
      return [rows.map(({ id }) => id), told.map(({ id }) => id)];
    };
    /** As of the moment before: its own bookings too are those of the record that it names. */
    const bringBack = async (owner: string) => {
      await world.db.update(bookings).set({ patientId: owner });
      if (world.deps.archive) await unsettleArchive(world.deps.archive.db);
      await archive(world);
    };
    await world.db.update(bookings).set({ patientId: source });
    await archive(world);
    await merge(source, between);
    await merge(between, target);
    await archive(world);
    expect(await owners()).toEqual([[target], [target]]);
    await setMerged(between, null);
    await setMerged(source, between);
    await bringBack(between);
    expect(await owners()).toEqual([[between], [between]]);
    await setMerged(source, null);
    await bringBack(source);
    expect(await owners()).toEqual([[source], [source]]);
    expect(await pagesOf(world, staff.token, `/v1/patients/${source}/bookings`)).toHaveLength(14);
    expect(await pagesOf(world, staff.token, `/v1/patients/${between}/bookings`)).toHaveLength(0);
    await merge(source, target);
    expect(await owners()).toEqual([[target], [target]]);
    // A person who was erased before the job gave the bookings back has nothing in them either.
    const from = world.deps.archive?.db ?? world.db;
    await from.update(bookings).set({ notes: 'Batuk' });
    await setMerged(source, null);
    await world.db.update(patients).set({ erasureId: world.deps.newId() }).where(eq(patients.id, source));
    await bringBack(source);
    const left = await from.selectDistinct({ id: bookings.patientId, notes: bookings.notes }).from(bookings);
    expect(left).toEqual([{ id: source, notes: '' }]);
  });

  it('takes bookings with as many texts as other systems may keep with them', async () => {
    const { world } = await createPast(110);
    const name = (at: number) => `name_${at}`;
    const metadata = JSON.stringify(
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [name(at), 'x'.repeat(500)])),
    );
    await world.db.update(bookings).set({ metadata });
    await world.db
      .update(bookingEvents)
      .set({ payload: sql`json_set(payload, '$.metadata', json(${metadata}))` })
      .where(sql`type like 'booking.%'`);
    const kept = world.deps.archive;
    if (kept === undefined) throw new Error('no archive');
    const { db } = kept;
    let copies = 0;
    kept.db = new Proxy(db, {
      get: (target, name) =>
        name !== 'batch'
          ? Reflect.get(target, name)
          : (statements: Parameters<typeof db.batch>[0]) => {
              if (statements.length === 2) copies += 1;
              return db.batch(statements);
            },
    });
    await archive(world);
    kept.db = db;
    expect((await readContents(world)).archived).toHaveLength(220);
    // 3 steps of a hundred bookings would give a statement more than D1 takes.
    expect(copies).toBeGreaterThan(6);
  });

  it('is looked after once a day, and not at all without a horizon', async () => {
    const { world } = await createPast(3);
    await runJobs(world.deps);
    const tomorrow = Date.parse('2026-11-24T00:00:00+07:00');
    expect(world.deps.archive?.nextAt).toBe(tomorrow);
  });

  it('that fails is tried again ever more seldom, up to an hour, with one line in the log', async () => {
    const { world } = await createPast(1);
    const kept = world.deps.archive;
    assert.ok(kept);
    const lines: unknown[] = [];
    const counted: string[] = [];
    const error = (message: string, fields = {}) => void lines.push({ message, ...fields });
    Object.assign(world.deps, {
      log: { ...world.deps.log, error },
      metrics: { ...world.deps.metrics, jobFailed: (name: string) => void counted.push(name) },
    });
    const real = kept.db;
    kept.db = new Proxy(real, {
      get: () => () => {
        throw new Error('damaged');
      },
    });
    const rests = [];
    for (let at = 0; at < 9; at += 1) {
      world.clock.now = Math.max(world.clock.now, kept.nextAt);
      await runJobs(world.deps, undefined, archiveJob);
      rests.push((kept.nextAt - world.clock.now) / 60_000);
    }
    expect(rests).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(lines).toEqual([{ message: 'job failed', job: 'archive', cause: 'Error' }]);
    expect(counted).toEqual(Array.from({ length: 9 }, () => 'archive'));
    // Mended, it goes on as if nothing had been, and the next damage is told again.
    kept.db = real;
    world.clock.now = kept.nextAt;
    await runJobs(world.deps, undefined, archiveJob);
    expect(kept.nextAt - world.clock.now).toBeGreaterThan(3_600_000);
    expect((await readContents(world)).archived.length).toBeGreaterThan(0);
    kept.db = new Proxy(real, {
      get: () => () => {
        throw new Error('damaged');
      },
    });
    await runJobs(world.deps, undefined, archiveJob);
    expect(lines).toHaveLength(2);
  });
});

/** Ends the process, as it were, at one round trip to either database: before its work, or after it. */
const endAt = (world: World, nth: number, when: 'before' | 'after') => {
  const { db } = world;
  const own = world.deps.archive;
  if (own === undefined) throw new Error('no archive');
  const real = own.db;
  let trips = 0;
  const failing = (from: typeof db) =>
    new Proxy(from, {
      get: (target, name) =>
        name !== 'batch'
          ? Reflect.get(target, name)
          : async (statements: Parameters<typeof db.batch>[0]) => {
              trips += 1;
              if (trips < nth) return from.batch(statements);
              if (trips === nth && when === 'after') await from.batch(statements);
              throw new TransientDatabaseError('gone');
            },
    });
  world.deps.db = failing(db);
  own.db = failing(real);
  return () => {
    world.deps.db = db;
    own.db = real;
    return trips >= nth;
  };
};

describe('a process that ends while bookings are archived', () => {
  it.each(['before', 'after'] as const)(
    'loses none and shows none twice, %s any of its steps',
    async (when) => {
      const { world, clinic } = await createPast(5);
      const { patient, admin } = clinic;
      const before = await readContents(world);
      const violations = await findViolations(world.db);
      const history = await pagesOf(world, patient.token, '/v1/bookings/history');
      const all = await exported(world, admin.token);
      for (let nth = 1; ; nth += 1) {
        const repair = endAt(world, nth, when);
        await archiveBookings(world.deps, world.clock.now).catch(() => {});
        const wasEnded = repair();
        expect(await pagesOf(world, patient.token, '/v1/bookings/history')).toEqual(history);
        expect(await exported(world, admin.token)).toEqual(all);
        const { own, archived } = await readContents(world);
        expect([...new Set([...own, ...archived])].sort()).toEqual(before.own);
        if (!wasEnded) break;
      }
      const { own, archived, events } = await readContents(world);
      expect([...own, ...archived].sort()).toEqual(before.own);
      expect(events.sort()).toEqual(before.events.sort());
      expect(rulesOf(violations)).toEqual(expect.arrayContaining(rulesOf(await findViolations(world.db))));
    },
  );
});

describe('a person who is erased while their bookings are archived', () => {
  it('leaves no text in the archive', async () => {
    const { world, clinic } = await createPast(3);
    const { admin, patient } = clinic;
    const kept = world.deps.archive;
    if (kept === undefined) throw new Error('no archive');
    const { db } = kept;
    let isErased = false;
    kept.db = new Proxy(db, {
      get: (target, name) =>
        name !== 'batch'
          ? Reflect.get(target, name)
          : async (statements: Parameters<typeof db.batch>[0]) => {
              // The copy of bookings and events, which were read before.
              if (statements.length === 2 && !isErased) {
                isErased = true;
                const path = `/v1/patients/${patient.id}`;
                const { status } = await world.request(path, { method: 'DELETE', token: admin.token });
                expect(status).toBe(200);
              }
              return db.batch(statements);
            },
    });
    await archive(world);
    expect(isErased).toBe(true);
    kept.db = db;
    const text = JSON.stringify(await db.select().from(bookings));
    expect(text).toContain(patient.id);
    expect(text).not.toMatch(/Batuk|Kontrol/);
  });
});
