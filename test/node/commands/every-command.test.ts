import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ensureClinic } from '../../../src/core/clinic/row.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { commandLine, newFolder } from '../../support/node/command-line.ts';

/** The commands that a help text lists. */
const listedIn = (help: string): string[] => {
  const [, list = ''] = /\nCommands:\n([\s\S]*?)\n\n/.exec(`${help}\n\n`) ?? [];
  return [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
};

type CommandLine = ReturnType<typeof commandLine>;

/** The help of every command, those with others below them too: a help text ends its process, so each has one of its own. */
const everyHelp = async (janji: CommandLine, before: string[] = []): Promise<[string[], string][]> => {
  const { out } = await janji.alone(...before, '--help');
  const below = listedIn(out);
  if (below.length === 0) return [[before, out]];
  const helps = await Promise.all(below.map((name) => everyHelp(janji, [...before, name])));
  return [...(before.length === 0 ? [] : [[before, out] as [string[], string]]), ...helps.flat()];
};

const open = async (folder: string) => {
  const database = await openDatabase(`file:${join(folder, 'janji.db')}`);
  await ensureClinic(database.db, 'Asia/Jakarta');
  return database;
};

describe('every command', () => {
  it('has an example of itself, its exit codes and, where it answers, --json in its help, and --clinic where it is of one', async () => {
    const helps = await everyHelp(commandLine(newFolder()));
    expect(helps.length).toBeGreaterThan(17);
    for (const [command, help] of helps) {
      const [, examples = ''] = help.split('\nFor example:\n');
      const example = `janji ${command.join(' ')}`;
      expect([command, examples]).toEqual([command, expect.stringContaining(example)]);
      if (listedIn(help).length > 0) continue;
      expect([command, help]).toEqual([command, expect.stringMatching(/^Exit codes: 0 .*\b1 /m)]);
      // A service answers requests, and no script.
      expect([command, help.includes('--json')]).toEqual([command, command[0] !== 'serve']);
      const isOfOne = !['serve', 'init', 'clinics'].includes(command[0] ?? '');
      expect([command, /^ +--clinic </m.test(help)]).toEqual([command, isOfOne]);
    }
  });

  it('is that of a version, which --version says', async () => {
    expect(await commandLine(newFolder()).alone('--version')).toMatchObject({ status: 0, out: '0.1.0\n' });
  });

  it('answers a script in one line of JSON', async () => {
    const folder = newFolder();
    const janji = commandLine(folder);
    const key = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
    const settings = {
      JANJI_ADMIN_PASSWORD: 'kata-sandi-uji-17',
      JWT_SECRET: 'q7Zt0vE9mW2xLr8KpA5dHs3Yc6BnJf1U',
      DATA_KEY: key,
    };
    const asked = async (...args: string[]) => {
      const { status, out } = await janji.with(settings, ...args, '--json');
      expect([args, out.trimEnd().split('\n').length]).toEqual([args, 1]);
      return { status, data: JSON.parse(out) };
    };
    expect(await asked('migrate')).toMatchObject({ status: 0, data: { applied: expect.any(Array) } });
    await (await open(folder)).close();
    expect(await asked('check')).toMatchObject({ status: 0, data: { ready: true } });
    expect((await asked('create-admin', '--email', 'a@klinik.id', '--name', 'A')).data).toEqual({
      email: 'a@klinik.id',
      stood: false,
    });
    expect((await asked('holidays', '--year', '2027')).data).toMatchObject({ added: 0 });
    expect((await asked('rezone', '--to', 'Asia/Makassar')).data).toMatchObject({ applied: false });
    expect((await asked('rekey')).data).toEqual({ sealed: 0 });
    expect((await asked('audit', 'verify')).data).toMatchObject({ verdict: 'sound' });
    expect((await asked('audit', 'export', 'trail.jsonl')).data).toMatchObject({ file: 'trail.jsonl' });
    const contents = { people: 1, patients: 1, bookings: 0, events: 0 };
    expect((await asked('backup', 'b.db')).data).toEqual({ file: 'b.db', ...contents, problems: [] });
    expect((await asked('export', 'e.db')).data).toMatchObject(contents);
    expect((await asked('export-data', 'patients', 'p.ndjson')).data).toEqual({ file: 'p.ndjson', rows: 0 });
    expect((await asked('verify', 'b.db')).data).toMatchObject({ sound: true, checksum: true, ...contents });
    const third = commandLine(folder, `file:${join(folder, 'third.db')}`);
    expect(JSON.parse((await third.with(settings, 'restore', 'b.db', '--json')).out)).toMatchObject(contents);
    const other = commandLine(folder, `file:${join(folder, 'other.db')}`);
    const imported = await other.with(settings, 'import', 'e.db', '--json');
    expect(JSON.parse(imported.out)).toEqual({ rows: expect.any(Number) });
    expect(JSON.parse((await other.with({ DATABASE_KEY: key }, 'encrypt', '--json')).out)).toMatchObject({
      tables: expect.any(Number),
    });
    expect(JSON.parse((await other.with({ DATABASE_KEY: key }, 'decrypt', '--json')).out)).toMatchObject({
      rows: expect.any(Number),
    });
  });
});

describe('init', () => {
  it('says what it does not ask where there is no terminal, and asks nothing where options say it', async () => {
    const { status, errors } = await commandLine(newFolder()).alone('init');
    expect(status).toBe(0);
    expect(errors).toMatch(/without --url it is left out\.\n.*without --zone it is Asia\/Jakarta\.\n/);
    const given = ['--url', 'https://janji.klinik.example', '--zone', 'Asia/Makassar'];
    expect((await commandLine(newFolder()).alone('init', ...given)).errors).toMatch(/^Next: /);
  });

  it('writes the file that --settings names, which the other commands read, and never over one', async () => {
    const folder = newFolder();
    const janji = commandLine(folder);
    const file = join(folder, 'etc', 'own.env');
    const database = join(folder, 'klinik #1.db');
    const init = ['--settings', file, 'init', '--json', '--zone', 'Asia/Makassar', '--database', database];
    const { status, out } = await janji.alone(...init);
    expect({ status, file: JSON.parse(out).file }).toEqual({ status: 0, file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(parseEnv(readFileSync(file, 'utf8'))).toMatchObject({
      DATABASE_URL: `file:${database}`,
      NODE_ENV: 'production',
    });
    const again = await janji.alone(...init);
    expect([again.status, again.errors]).toEqual([1, expect.stringContaining('is there already')]);
    expect((await janji.alone('--settings', join(folder, 'none.env'), 'check')).status).toBe(1);
    expect((await janji.alone('--settings', file, 'migrate')).status).toBe(0);
    const { out: found } = await janji.alone('--settings', file, 'check');
    expect(found).toContain('Asia/Makassar');
  });
});

/** No service is asked, such as another one that listens on this machine. */
const alone = { PORT: '0' };

describe('status', () => {
  it('shows what there is and what waits, as words and as JSON', async () => {
    const folder = newFolder();
    const janji = commandLine(folder);
    await (await open(folder)).close();
    const { status, out } = await janji.with(alone, 'status', '--json');
    const told = JSON.parse(out);
    expect(status).toBe(0);
    expect(told).toMatchObject({
      version: '0.1.0',
      service: null,
      schema: { missing: [], newer: 0 },
      backup: null,
      paused_webhooks: 0,
      api_keys: { active: 0 },
      attention: [],
    });
    expect(told.database_bytes).toBeGreaterThan(100_000);
    expect(
      told.queues.map(({ name, waiting }: { name: string; waiting: number }) => [name, waiting]),
    ).toEqual([
      ['mails', 0],
      ['notices', 0],
      ['webhooks', 0],
      ['bookings', 0],
      ['audit', 0],
    ]);
    expect((await janji.with(alone, 'status')).out).toMatch(
      /^service +not asked\nversion +0\.1\.0\nschema +\d{4}_\w+\ndatabase +\d+\.\d MB\n/,
    );
  });

  it('asks the service, and ends with 2 where it does not answer, is not ready, or is another program', async () => {
    const folder = newFolder();
    await (await open(folder)).close();
    const paths: Record<string, [number, object]> = {};
    const server = createServer(({ url = '' }, response) => {
      const [status, data] = paths[url] ?? [404, {}];
      response.writeHead(status).end(JSON.stringify({ data }));
    });
    await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
    const { port } = server.address() as AddressInfo;
    const asked = async () => {
      const settings = { PORT: String(port), HOST: '0.0.0.0' };
      const { status, out } = await commandLine(folder).with(settings, 'status', '--json');
      const { service, attention } = JSON.parse(out);
      expect(service.address).toBe(`http://127.0.0.1:${port}`);
      return [status, service.answer, attention.length];
    };
    expect(await asked()).toEqual([2, 'another', 1]);
    paths['/health'] = [200, { name: 'janji' }];
    paths['/ready'] = [503, {}];
    expect(await asked()).toEqual([2, 'not_ready', 1]);
    paths['/ready'] = [200, { database: 'ready' }];
    expect(await asked()).toEqual([0, 'ready', 0]);
    // More load than it serves: it turns requests away, and is no other program.
    paths['/health'] = [503, {}];
    expect(await asked()).toEqual([0, 'ready', 0]);
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    expect(await asked()).toEqual([2, 'no_answer', 1]);
  });

  it('ends with 2 where mails are due that nobody sends, and where no backup was made', async () => {
    const folder = newFolder();
    const janji = commandLine(folder);
    const { db, close } = await open(folder);
    const insert = `insert into mail_outbox (id, kind, user_id, language, created_at, expires_at, attempts, due_at)
      values ('m', 'password_reset', 'u', 'id', 1, 9e15, 0, 1)`;
    await (db as unknown as { run: (text: string) => Promise<unknown> }).run(insert);
    await close();
    expect(await janji.with(alone, 'status')).toMatchObject({
      status: 2,
      out: expect.stringMatching(/mails +1 wait, [\s\S]*-> Does the service run\? mails are not sent\./),
    });
    const other = newFolder();
    await (await open(other)).close();
    const { status, out } = await commandLine(other).with(
      { ...alone, BACKUP_FOLDER: 'backups' },
      'status',
      '--json',
    );
    const { backup, attention } = JSON.parse(out);
    expect([status, backup.state, attention]).toEqual([2, 'none_yet', ['There is no good backup yet.']]);
  });

  it.each(['retry', 'drop'])('says which step is not there: exchange %s', async (verb) => {
    const folder = newFolder();
    await (await open(folder)).close();
    const janji = commandLine(folder);
    expect(await janji('exchange', verb, 'no-step', '--json')).toMatchObject({
      status: 1,
      out: expect.stringContaining('{"steps":0,"unchanged":["no-step"]}'),
      errors: expect.stringContaining('has the id no-step.'),
    });
    expect(await janji('exchange', verb, '--parked')).toMatchObject({ status: 0, errors: '' });
  });

  it.each([
    ['status'],
    ['rekey'],
    ['archive'],
    ['audit verify'],
    ['audit export trail.jsonl'],
    ['exchange list'],
    ['bpjs compare'],
    ['export-data patients p.ndjson'],
    ['import-patients p.csv'],
    ['import-visits p.csv'],
    ['holidays --year 2027'],
    ['rezone --to Asia/Makassar'],
    ['reset-second-factor --email a@klinik.id'],
  ])('makes no database where none is, as in a wrong folder: %s', async (command) => {
    const folder = newFolder();
    writeFileSync(
      join(folder, 'p.csv'),
      'Nama,ID Pasien,Dokter,Poli,Tanggal,Status\nSiti,1,A,B,2026-01-05,selesai\n',
    );
    expect(await commandLine(folder)(...command.split(' '))).toMatchObject({
      status: 1,
      out: '',
      errors: expect.stringContaining('is not there yet'),
    });
    expect(readdirSync(folder)).toEqual(['p.csv']);
  });
});
