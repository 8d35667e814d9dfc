// How long 8,000 patients take by `import-patients`, and that a kill in the middle loses and doubles nothing:
// node bench/import.ts [rows]

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { openDatabase } from '../src/runtime/node/database/database.ts';

const rows = Number(process.argv[2] ?? 8_000);
const folder = mkdtempSync(join(tmpdir(), 'janji-import-'));
const file = join(folder, 'pasien.csv');
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

const start = (database: string, more: readonly string[] = []) => {
  const child = spawn(
    process.execPath,
    [
      '--import',
      './src/runtime/node/quick-start.ts',
      'src/cli.ts',
      'import-patients',
      file,
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

const timed = async (database: string, more?: readonly string[]) => {
  const begun = performance.now();
  const ended = await start(database, more).ended;
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
      results: sql<number>`(select count(*) from patient_import_rows)`.as('results'),
    })
    .from(sql`patients`);
  await close();
  return row;
};

const print = (what: string, seen: object): void =>
  void process.stdout.write(`${what}: ${JSON.stringify(seen)}\n`);

await writeFile();
try {
  const whole = join(folder, 'whole.db');
  for (const what of ['first time', 'the same file again', 'again, row by row']) {
    const more = what.endsWith('row') ? ['--again'] : [];
    const { seconds, peak, state, said, code } = await timed(whole, more);
    if (state === null) throw new Error(said);
    const { created, unchanged, refused } = state;
    print(what, { seconds: seconds.toFixed(1), peakMb: Math.round(peak), code, created, unchanged, refused });
  }
  print('stored', (await count(whole)) ?? {});

  const broken = join(folder, 'broken.db');
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
} finally {
  rmSync(folder, { recursive: true });
}
