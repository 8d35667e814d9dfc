import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { doctors, sessions } from '../../../src/core/tables/catalog.ts';
import { patientImportRows, patientSources } from '../../../src/core/tables/imports.ts';
import { patients } from '../../../src/core/tables/patients.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { commandLine, newFolder } from '../../support/node/command-line.ts';
import { commandArguments } from '../../support/node/entries.ts';

const DATA_KEY = Buffer.alloc(32, 7).toString('base64');
let folder = '';
const url = () => `file:${join(folder, 'janji.db')}`;
const importPatients = (text: string, ...args: string[]) => {
  const file = join(folder, 'pasien.csv');
  writeFileSync(file, text);
  return commandLine(folder).with({ DATA_KEY }, 'import-patients', file, ...args);
};

beforeEach(async () => {
  folder = newFolder();
  await commandLine(folder)('migrate');
});

const table =
  'ID;Nama;Tgl Lahir;L/P;HP\r\n1;Siti Aminah;05/01/1950;P;0812-3456-7890\r\n2;Darmo;5 Jan 1960;L;\r\n';

describe('import-patients', () => {
  it('takes the rows of a spreadsheet, and the same file twice changes nothing', async () => {
    const args = ['--date-order', 'day_first', '--json'];
    const first = await importPatients(table, ...args);
    expect(first.status).toBe(0);
    expect(JSON.parse(first.out)).toMatchObject({ created: 2, refused: 0, last_row: 3, status: 'finished' });
    expect(JSON.parse((await importPatients(table, ...args)).out)).toEqual(JSON.parse(first.out));
    const results = join(folder, 'hasil.csv');
    expect((await importPatients(table, ...args, '--results', results)).status).toBe(0);
    expect(readFileSync(results, 'utf8')).toMatch(
      /^row,outcome,patient_id,problems\r\n2,"created","[\da-f-]{36}",""\r\n3,"created","[\da-f-]{36}",""\r\n$/,
    );
    const inWords = await importPatients(table, '--date-order', 'day_first');
    expect(inWords.out).toMatch(/^Nothing was done: .*--again.*\nThat time: 2 added, /);
    expect(inWords.errors).not.toContain('Goes on');
    const again = await importPatients(table, ...args, '--again');
    expect(JSON.parse(again.out)).toMatchObject({ created: 0, unchanged: 2 });
  });

  it('says on standard error which rows were refused, and why, and what a dry run would do', async () => {
    const { status, out, errors } = await importPatients(table, '--dry-run');
    expect(status).toBe(2);
    expect(errors).toContain('Row 2, birth_date: May be two dates.');
    expect(errors).toContain('--date-order day_first or --date-order month_first');
    expect(errors).not.toContain('Siti');
    expect(out).toBe(
      'Nothing was written. It would be: 1 added, 0 changed, 0 unchanged, 0 skipped, 1 refused.\n',
    );
  });

  it('takes the visits of the patients it took, and the same file twice changes nothing', async () => {
    await importPatients(table, '--date-order', 'day_first', '--source', 'lama');
    const { db, close } = await openDatabase(url());
    await db.insert(sessions).values({ id: crypto.randomUUID(), name: 'Umum', createdAt: 1, updatedAt: 1 });
    const doctorId = crypto.randomUUID();
    await db.insert(doctors).values({
      ...{ id: doctorId, name: 'Sri', title: 'dr.', specialty: '' },
      calendarVersion: 1,
      createdAt: 1,
      updatedAt: 1,
    });
    const file = join(folder, 'kunjungan.csv');
    const rows = [
      `K1;1;${doctorId};Umum;13/03/2024 09:30;selesai`,
      `K2;2;${doctorId};Umum;31/12/2999;selesai`,
    ];
    writeFileSync(file, ['ID Kunjungan;ID Pasien;Dokter;Poli;Tanggal;Status', ...rows].join('\n'));
    const importVisits = (...args: string[]) =>
      commandLine(folder).with({ DATA_KEY }, 'import-visits', file, '--source', 'lama', ...args);
    const tried = await importVisits('--dry-run');
    expect(tried.out).toContain(
      'Nothing was written. It would be: 1 added, 0 unchanged, 0 skipped, 1 refused.',
    );
    expect(tried.errors).toContain('Row 3, date: Must be before today.');
    const first = await importVisits('--json');
    expect(first.status).toBe(2);
    expect(JSON.parse(first.out)).toMatchObject({ kind: 'visits', created: 1, refused: 1 });
    expect(JSON.parse((await importVisits('--json', '--again')).out)).toMatchObject({
      created: 0,
      unchanged: 1,
    });
    expect(await db.select({ channel: bookings.channel }).from(bookings)).toEqual([{ channel: 'imported' }]);
    expect(await db.$count(bookingEvents, eq(bookingEvents.type, 'booking.created'))).toBe(0);
    const later = `K3;1;${doctorId};Umum;14/03/2024 09:30;batal`;
    writeFileSync(file, ['ID Kunjungan;ID Pasien;Dokter;Poli;Tanggal;Status', later].join('\n'));
    expect((await importVisits('--events')).out).toContain('1 added');
    const events = await db.select().from(bookingEvents).where(eq(bookingEvents.type, 'booking.created'));
    expect(events).toMatchObject([{ version: 1, actorId: null, actorRole: 'system' }]);
    await close();
    const lacking = await commandLine(folder).with({ DATA_KEY }, 'import-visits', join(folder, 'pasien.csv'));
    expect(lacking.errors).toContain("--column '<column>=doctor'");
  });

  it('asks for the column of the name where none is known', async () => {
    const unknown = table.replace('Nama', 'Orang');
    expect((await importPatients(unknown)).errors).toContain("--column '<column>=name'");
    const named = await importPatients(unknown, '--column', 'Orang=name', '--date-order', 'day_first');
    expect(named.out).toContain('2 added');
  });

  it('goes on after a kill: every row once, and nothing half', async () => {
    // So many that the import lasts for seconds after its first lines: the kill comes in the middle on a busy machine too.
    const rows = 30_000;
    const lines = Array.from({ length: rows }, (_, at) => `${at};Pasien ${at};1950-01-25;${10_000_000 + at}`);
    const file = join(folder, 'banyak.csv');
    writeFileSync(file, ['id;nama;tgl lahir;hp', ...lines].join('\n'));
    const start = (): ChildProcess =>
      spawn(process.execPath, [...commandArguments, 'import-patients', file, '--on-duplicate', 'make'], {
        env: { ...process.env, DATABASE_URL: url(), DATA_KEY },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    const killed = start();
    for await (const said of killed.stderr ?? []) if (String(said).includes('Row 1')) break;
    killed.kill('SIGKILL');
    if (killed.exitCode === null && killed.signalCode === null) await once(killed, 'exit');
    const counts = async () => {
      const { db, close } = await openDatabase(url());
      const count = { count: sql<number>`count(*)`.as('count') };
      const found = await Promise.all(
        [patients, patientSources, patientImportRows].map((of) => db.select(count).from(of)),
      );
      await close();
      return found.map(([row]) => row?.count);
    };
    const [half] = await counts();
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(rows);
    expect(await counts()).toEqual([half, half, half]);
    const ended = start();
    await once(ended, 'exit');
    expect(ended.exitCode).toBe(0);
    expect(await counts()).toEqual([rows, rows, rows]);
  });
});
