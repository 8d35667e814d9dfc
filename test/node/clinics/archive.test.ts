import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changeClinic, findClinic } from '../../../src/modules/clinics/queries.ts';
import { demoPeople } from '../../../src/modules/demo/demo.ts';
import { archivePathOf } from '../../../src/runtime/node/database/archive.ts';
import { giveLongPast, rowsIn } from '../../support/node/long-past.ts';
import { openMachines } from '../../support/node/machines.ts';
import { openManyClinics } from '../../support/node/many-clinics.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const visits = 12;

/** The ids of a page that are of the long past: the demo clinic adds bookings of each day. */
const oldIds = (body: { data?: { id: string }[] }): string[] =>
  (body.data ?? []).map(({ id }) => id).filter((id) => id.includes('-000000000'));

/** The archive has the room that was shown, the row of the visit may have none. */
const withoutRoom = (row: string): string => row.replace(/"[^"]*",("\d{4}-\d\d-\d\d","\d\d:)/, '"",$1');

const isOld = (row: string): boolean => row.slice(0, 40).includes('-000000000');

const withPast = async (ids: readonly string[], settings: Record<string, string> = {}) => {
  const opened = await openManyClinics(ids, { settings });
  for (const id of ids) await opened.book(id, await opened.login(id));
  await opened.restart(() => {
    for (const id of ids) giveLongPast(opened.path(id), visits, demoPeople.patient);
  });
  const archive = (id: string) => archivePathOf(opened.path(id));
  const set = (id: string, given: Record<string, string>) =>
    changeClinic(opened.many().directory, id, { settings: given });
  const history = async (id: string) => {
    const token = await opened.login(id);
    const { status, body } = await opened.ask(id, '/v1/bookings/history?limit=50', { token });
    return { status, ids: oldIds(body) };
  };
  /** The archive of an open clinic. */
  const kept = (id: string) =>
    opened
      .many()
      .clinics.list()
      .find(({ clinic }) => clinic.id === id)?.opened.archive;
  return { ...opened, archive, set, history, kept };
};

describe('the archives of many clinics', () => {
  it('are those of the clinics that set a horizon, each beside its own file, and histories read both', async () => {
    const { path, archive, set, history, kept, runDue, time } = await withPast(['melati', 'mawar']);
    await set('melati', { ARCHIVE_AFTER_DAYS: '400' });
    const before = { melati: await history('melati'), mawar: await history('mawar') };
    expect(before.melati.ids).toHaveLength(visits);
    const rows = rowsIn(path('melati')).bookings.filter(isOld);
    // Nothing was archived: the clinic has no file of it, and none is open.
    expect(existsSync(archive('melati'))).toBe(false);
    expect(kept('melati')?.isOpen()).toBe(false);
    expect(kept('mawar')).toBeUndefined();
    time.now += minute;
    await runDue();
    const archived = rowsIn(archive('melati'));
    expect(archived.bookings).toHaveLength(visits - 1);
    const own = rowsIn(path('melati'));
    const all = [...own.bookings, ...archived.bookings].filter(isOld);
    expect(all.map(withoutRoom).sort()).toEqual(rows.map(withoutRoom).sort());
    expect(archived.events.length).toBeGreaterThanOrEqual(visits - 1);
    expect(existsSync(archive('mawar'))).toBe(false);
    expect(await history('melati')).toEqual(before.melati);
    expect(await history('mawar')).toEqual(before.mawar);
  });

  it('are opened when they are asked for something, and not with their clinics', async () => {
    const { set, history, kept, runDue, restart, ask, time, many } = await withPast(['melati']);
    await set('melati', { ARCHIVE_AFTER_DAYS: '400' });
    await ask('melati', '/v1/doctors');
    for (let at = 0; at < 3; at++) {
      time.now += minute;
      await runDue();
    }
    // When it has to be asked again is known without it.
    await restart();
    await ask('melati', '/v1/doctors');
    time.now += minute;
    await runDue();
    expect(kept('melati')?.isOpen()).toBe(false);
    expect((await findClinic(many().directory, 'melati'))?.dueAt).not.toBeNull();
    await history('melati');
    expect(kept('melati')?.isOpen()).toBe(true);
    // Turned off, what went there is still read.
    const before = await history('melati');
    await set('melati', {});
    await restart();
    expect(await history('melati')).toEqual(before);
  });

  it('that nobody asks for are tended once a day, by the horizon of the deployment, and one of its own wins', async () => {
    const { archive, set, runDue, time, ask } = await withPast(['melati', 'mawar'], {
      ARCHIVE_AFTER_DAYS: '400',
    });
    await set('mawar', { ARCHIVE_AFTER_DAYS: '0' });
    for (const id of ['melati', 'mawar']) await ask(id, '/v1/doctors');
    for (let at = 0; at < 2; at++) {
      time.now += day;
      await runDue();
    }
    expect(rowsIn(archive('melati')).bookings).toHaveLength(visits - 1);
    expect(existsSync(archive('mawar'))).toBe(false);
  });

  it('fail alone: where one is damaged, bookings go on, and what reads it is 503', async () => {
    const { archive, set, history, runDue, time, told, kept, restart, login, book, many } = await withPast([
      'melati',
    ]);
    await set('melati', { ARCHIVE_AFTER_DAYS: '400' });
    await history('melati');
    time.now += minute;
    await runDue();
    const whole = readFileSync(archive('melati'));
    await many().clinics.closeAll();
    writeFileSync(archive('melati'), 'no database at all, and long enough to be read as one'.repeat(100));
    await restart();
    expect((await book('melati', await login('melati'))).status).toBe(201);
    expect((await history('melati')).status).toBe(503);
    // Its job is told to have failed once, and rests longer and longer.
    time.now += day;
    for (let at = 0; at < 180; at++) {
      time.now += minute;
      await runDue();
    }
    const failed = told.filter(({ message, fields }) => message === 'job failed' && fields.job === 'archive');
    expect(failed).toHaveLength(1);
    expect(kept('melati')?.failures).toBe(8);
    writeFileSync(archive('melati'), whole);
    expect((await history('melati')).status).toBe(200);
  });

  it('of another clinic is refused', async () => {
    const { archive, set, history, runDue, time, restart } = await withPast(['melati', 'mawar']);
    for (const id of ['melati', 'mawar']) {
      await set(id, { ARCHIVE_AFTER_DAYS: '400' });
      await history(id);
    }
    time.now += minute;
    await runDue();
    await restart();
    writeFileSync(archive('mawar'), readFileSync(archive('melati')));
    expect((await history('melati')).status).toBe(200);
    expect((await history('mawar')).status).toBe(503);
  });

  it('are the owner’s where several machines serve the clinics, and the next owner’s after it', async () => {
    const { start, path, time } = await openMachines(['melati']);
    const zero = await start({ CLINICS_LEASE: '300' });
    await zero.book('melati', await zero.login('melati'));
    await zero.end();
    giveLongPast(path('melati'), visits, demoPeople.patient);
    const one = await start({ ARCHIVE_AFTER_DAYS: '400', CLINICS_LEASE: '300' });
    const two = await start({ ARCHIVE_AFTER_DAYS: '400', CLINICS_LEASE: '300' });
    const token = await one.login('melati');
    const ask = (machine: typeof one) => machine.ask('melati', '/v1/bookings/history?limit=50', { token });
    const before = await ask(one);
    time.now += minute;
    await one.runDue();
    expect(existsSync(archivePathOf(path('melati')))).toBe(true);
    const ids = ({ body }: Awaited<ReturnType<typeof ask>>) => oldIds(body);
    expect(ids(before)).toHaveLength(visits);
    expect(ids(await ask(one))).toEqual(ids(before));
    expect(ids(await ask(two))).toEqual(ids(before));
    await one.end();
    await two.end();
    const three = await start({ CLINICS_LEASE: '300' });
    expect(ids(await ask(three))).toEqual(ids(before));
  });
});
