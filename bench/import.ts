// How long 8,000 patients take by `import-patients` and as many visits by `import-visits`, and that a kill in the middle
// loses and doubles nothing:
// node bench/import.ts [rows]

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { runAll } from '../src/core/db/db.ts';
import { newId } from '../src/core/db/ids.ts';
import { sessions } from '../src/core/tables/catalog.ts';
import { insertDoctor } from '../src/modules/catalog/doctors/queries.ts';
import { openDatabase } from '../src/runtime/node/database/database.ts';

const rows = Number(process.argv[2] ?? 8_000);
const folder = mkdtempSync(join(tmpdir(), 'janji-import-'));
const file = join(folder, 'pasien.csv');
const visitFile = join(folder, 'kunjungan.csv');
type Command = 'import-patients' | 'import-visits';
const dataKey = randomBytes(32).toString('base64');

const two = (number: number): string => String(number).padStart(2, '0');
const names = [
  'Siti',
  'Budi',
  'Agus',
  'Dewi',
  'Rina',
  'Andi',
  'Putri',
  'Joko',
  'Lestari',
  'Wahyu',
  'Ningsih',
  'Pratama',
];

/** A person as a spreadsheet has one; no two look alike. */
const lineOf = (at: number): string => {
  const name = `${names[at % 12]} ${names[Math.floor(at / 12) % 12]} ${names[Math.floor(at / 144) % 12]} ${at}`;
  const born = `${two((at % 28) + 1)}/${two((Math.floor(at / 28) % 12) + 1)}/${1940 + (Math.floor(at / 336) % 70)}`;
  const phone = `0812-${String(1000 + (at % 9000))}-${String(10_000 + at)}`;
  return `${at + 1};${name};${born};${at % 2 ? 'L' : 'P'};${phone};3171${String(at).padStart(12, '0')};Jl. Melati ${at}`;
};

const writeFile = async (): Promise<void> => {
  const out = createWriteStream(file);
  out.write('\ufeffID Pasien;Nama;Tgl Lahir;L/P;No HP;NIK;Alamat\r\n');
  for (let at = 0; at < rows; at++) out.write(`${lineOf(at)}\r\n`);
  await new Promise<void>((done) => out.end(done));
};

/** A visit of each patient, by three doctors. */
const visitOf = (at: number): string => {
  const status = ['selesai', 'selesai', 'selesai', 'tidak hadir', 'batal'][at % 5];
  return `K${at + 1};${((at * 7) % rows) + 1};dr. Lama ${at % 3};Umum;${two((at % 28) + 1)}/${two((at % 12) + 1)}/2024 ${two(8 + (at % 9))}:${two((at * 5) % 60)};${status}`;
};

const writeVisits = (): void => {
  const lines = Array.from({ length: rows }, (_, at) => visitOf(at));
  writeFileSync(visitFile, ['ID Kunjungan;ID Pasien;Dokter;Poli;Tanggal;Status', ...lines].join('\r\n'));
};

/** The doctors and the session that the visits name. */
const addCatalog = async (database: string): Promise<void> => {
  const { db, close } = await openDatabase(`file:${database}`, undefined, {});
  const at = { createdAt: 1, updatedAt: 1 };
  await db.insert(sessions).values({ id: newId(), name: 'Umum', ...at });
  for (const nth of [0, 1, 2])
    await runAll(
      db,
      insertDoctor(db, {
        ...{ id: newId(), name: `Lama ${nth}`, title: 'dr.', specialty: '', calendarVersion: 1, version: 1 },
        ...{
          bpjsDoctorCode: null,
          ihsId: null,
          externalId: null,
          metadata: null,
          retiredAt: null,
          words: null,
          ...at,
        },
      }),
    );
  await close();
};

const start = (database: string, more: readonly string[] = [], command: Command = 'import-patients') => {
  const child = spawn(
    process.execPath,
    [
      '--import',
      './src/runtime/node/quick-start.ts',
      'src/cli.ts',
      command,
      command === 'import-visits' ? visitFile : file,
      '--date-order',
      'day_first',
      '--json',
      ...more,
    ],
    {
      env: { ...process.env, DATABASE_URL: `file:${database}`, DATA_KEY: dataKey },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let out = '';
  let said = '';
  let peak = 0;
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (said += chunk));
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // It has ended.
    }
  }, 50);
  const ended = new Promise<{ out: string; said: string; peak: number; code: number | null }>((done) =>
    child.on('close', (code) => {
      clearInterval(watch);
      done({ out, said, peak, code });
    }),
  );
  return { child, ended, progress: () => said };
};

const timed = async (database: string, more?: readonly string[], command?: Command) => {
  const begun = performance.now();
  const ended = await start(database, more, command).ended;
  const seconds = (performance.now() - begun) / 1000;
  return { ...ended, seconds, state: ended.out === '' ? null : JSON.parse(ended.out) };
};

const count = async (database: string) => {
  const { db, close } = await openDatabase(`file:${database}`, undefined, {});
  const [row] = await db
    .select({
      patients: sql<number>`count(*)`.as('patients'),
      names: sql<number>`count(distinct name)`.as('names'),
      numbers: sql<number>`count(distinct medical_record_number)`.as('numbers'),
      linked: sql<number>`(select count(*) from patient_sources)`.as('linked'),
      visits: sql<number>`(select count(*) from bookings)`.as('visits'),
      results: sql<number>`(select count(*) from patient_import_rows)`.as('results'),
    })
    .from(sql`patients`);
  await close();
  return row;
};

const print = (what: string, seen: object): void =>
  void process.stdout.write(`${what}: ${JSON.stringify(seen)}\n`);

/** Imports are of a database that is there. */
const makeDatabase = async (name: string): Promise<string> => {
  const path = join(folder, name);
  await (await openDatabase(`file:${path}`)).close();
  return path;
};

await writeFile();
try {
  const whole = await makeDatabase('whole.db');
  for (const what of ['first time', 'the same file again', 'again, row by row']) {
    const more = what.endsWith('row') ? ['--again'] : [];
    const { seconds, peak, state, said, code } = await timed(whole, more);
    if (state === null) throw new Error(said);
    const { created, unchanged, refused } = state;
    print(what, { seconds: seconds.toFixed(1), peakMb: Math.round(peak), code, created, unchanged, refused });
  }
  print('stored', (await count(whole)) ?? {});

  writeVisits();
  await addCatalog(whole);
  for (const what of ['visits', 'the same visits again', 'the same visits, row by row']) {
    const more = what.endsWith('row') ? ['--again'] : [];
    const { seconds, peak, state, said } = await timed(whole, more, 'import-visits');
    if (state === null) throw new Error(said);
    const { created, unchanged, refused } = state;
    print(what, { seconds: seconds.toFixed(1), peakMb: Math.round(peak), created, unchanged, refused });
  }

  const broken = await makeDatabase('broken.db');
  for (let kills = 0; kills < 3; kills++) {
    const { child, ended, progress } = start(broken);
    const wanted = Math.floor((rows * (kills + 1)) / 4 / 1_000) * 1_000;
    while (child.exitCode === null && !progress().includes(`Row ${String(wanted).slice(0, -3)}`))
      await sleep(5);
    await sleep(30 * Math.random());
    child.kill('SIGKILL');
    await ended;
    print(`killed after row ${wanted}`, (await count(broken)) ?? {});
  }
  const { seconds, state, said } = await timed(broken);
  if (state === null) throw new Error(said);
  print('went on to the end', { seconds: seconds.toFixed(1), ...(await count(broken)) });
  await addCatalog(broken);
  const { child, ended, progress } = start(broken, [], 'import-visits');
  while (child.exitCode === null && !progress().includes('Row 4')) await sleep(5);
  child.kill('SIGKILL');
  await ended;
  print('visits, killed after row 4000', (await count(broken)) ?? {});
  await timed(broken, [], 'import-visits');
  print('visits, went on to the end', (await count(broken)) ?? {});
} finally {
  rmSync(folder, { recursive: true });
}
