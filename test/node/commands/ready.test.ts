import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ensureClinic } from '../../../src/core/clinic/row.ts';
import { users } from '../../../src/core/tables/accounts.ts';
import { checkClock } from '../../../src/runtime/node/checks/clock.ts';
import { checkIntentions } from '../../../src/runtime/node/checks/settings.ts';
import { connectDatabase, openDatabase } from '../../../src/runtime/node/database/database.ts';
import { knownMigrations } from '../../../src/runtime/node/database/migrations.ts';
import { parseAllSettings } from '../../../src/runtime/node/settings.ts';
import { commandLine, newFolder } from '../../support/node/command-line.ts';
import { newPath } from '../../support/node/embedded-files.ts';
import { serveHrana } from '../../support/node/hrana-server.ts';

const known = knownMigrations().map(({ name }) => name);

/** The command line with a folder and a database of its own. */
const janjiInFolder = () => {
  const folder = newFolder();
  return { folder, url: `file:${join(folder, 'janji.db')}`, janji: commandLine(folder) };
};

const strong = 'q7Zt0vE9mW2xLr8KpA5dHs3Yc6BnJf1U';

describe('migrate', () => {
  it('lists the applied migrations, and says when there are none', async () => {
    const { janji } = janjiInFolder();
    const first = await janji.alone('migrate');
    expect(first).toMatchObject({ status: 0, out: known.map((name) => `applied ${name}\n`).join('') });
    const again = await janji('migrate');
    expect(again).toMatchObject({ status: 0, out: 'Nothing to apply: the database is up to date.\n' });
  });

  it('does the same to a database over the network', async () => {
    const path = newPath();
    const server = await serveHrana(path, () => null);
    onTestFinished(() => void server.close());
    const remote = await connectDatabase(server.url);
    expect((await remote.migrations()).missing).toHaveLength(known.length);
    expect((await remote.migrate()).map(({ name }) => name)).toEqual(known);
    expect(await remote.migrations()).toEqual({ missing: [], newer: 0, foreign: false });
    await remote.close();
  });

  it('does not change the database of a newer version', async () => {
    const { janji, url } = janjiInFolder();
    await janji('migrate');
    const { db, close } = await connectDatabase(url);
    const record = sql`insert into __drizzle_migrations (hash, created_at) values ('x', 9999999999999)`;
    await (db as unknown as { run: (query: typeof record) => Promise<unknown> }).run(record);
    await close();
    const writing = [
      ['migrate'],
      ['holidays', '--year', '2027', '--apply'],
      ['rezone', '--to', 'Asia/Makassar'],
    ];
    for (const args of writing)
      expect(await janji(...args)).toMatchObject({ status: 1, errors: expect.stringContaining('newer') });
    await expect(openDatabase(url)).rejects.toThrow('newer version');
    expect((await janji('check')).out).toMatch(/WRONG {2}migrations +1 belong to a newer version/);
  });
});

describe('a database with other tables of the same names', () => {
  it('is reported by check, and no command changes it', async () => {
    const { janji, url } = janjiInFolder();
    const { db, close } = await connectDatabase(url);
    await (db as unknown as { run: (query: string) => Promise<unknown> }).run('create table users (a)');
    await close();
    const refused = { status: 1, errors: expect.stringContaining("its tables are not this service's") };
    expect(await janji('migrate')).toMatchObject(refused);
    await expect(openDatabase(url)).rejects.toThrow("its tables are not this service's");
    expect((await janji('check')).out).toMatch(/WRONG {2}migrations +its tables are not/);
  });
});

describe('demo', () => {
  it('fills an empty database once', async () => {
    const { janji } = janjiInFolder();
    expect((await janji.alone('demo')).out).toMatch(
      /^The demo clinic is there\.\nAccounts .*pasien@klinik\.example\n$/,
    );
    expect(await janji('demo')).toMatchObject({ status: 0, out: expect.stringMatching(/^It was there/) });
  });

  it('refuses a database with people of its own, which stays as it is', async () => {
    const { janji, url } = janjiInFolder();
    const admin = ['create-admin', '--email', 'a@klinik.example', '--name', 'A'];
    await janji.with({ JANJI_ADMIN_PASSWORD: 'kata-sandi-uji-17' }, ...admin);
    expect(await janji('demo')).toMatchObject({ status: 1, errors: expect.stringContaining('of its own') });
    const { db, close } = await openDatabase(url);
    expect(await db.select({ email: users.email }).from(users)).toEqual([{ email: 'a@klinik.example' }]);
    await close();
  });

  it('refuses production unless DEMO is on, and DEMO=off everywhere', async () => {
    const { janji, folder } = janjiInFolder();
    expect(await janji.with({ NODE_ENV: 'production' }, 'demo')).toMatchObject({
      status: 1,
      errors: expect.stringContaining('DEMO=on'),
    });
    expect((await janji.with({ DEMO: 'off' }, 'demo')).status).toBe(1);
    expect(existsSync(join(folder, 'janji.db'))).toBe(false);
    expect((await janji.with({ NODE_ENV: 'production', DEMO: 'on' }, 'demo')).status).toBe(0);
  });
});

describe('check', () => {
  it('is content with a migrated database and a drawn secret', async () => {
    const { janji } = janjiInFolder();
    await janji('migrate');
    const drawn = randomBytes(32).toString('base64');
    const settings = { NODE_ENV: 'production', JWT_SECRET: strong, DATA_KEY: drawn };
    const { status, out } = await janji.with(settings, 'check');
    expect(out).not.toContain('WRONG');
    expect(out).toMatch(/ok {5}secret .*32 bytes\n/);
    expect(out).toMatch(/ok {5}data key/);
    expect(out).toMatch(/note {3}encryption .*\n +-> set DATABASE_KEY/);
    expect(out).toMatch(/ok {5}clock/);
    expect((await janji.with({ ...settings, DATABASE_KEY: drawn }, 'check')).out).not.toContain(
      'note   encryption',
    );
    expect(out).toMatch(/Ready to serve\.\n$/);
    expect(status).toBe(0);
  });

  it('says that it judges development where neither a settings file nor NODE_ENV tells otherwise', async () => {
    const { janji, folder } = janjiInFolder();
    const unset = { NODE_ENV: '' };
    const told = /^note {3}settings .*janji\.env.*NODE_ENV.*development\n/m;
    expect((await janji.with(unset, 'check')).out).toMatch(told);
    expect((await janji.with({ NODE_ENV: 'production' }, 'check')).out).not.toMatch(told);
    writeFileSync(join(folder, 'own.env'), 'CLINIC_TIME_ZONE=Asia/Makassar\n');
    expect((await janji.with(unset, '--settings', join(folder, 'own.env'), 'check')).out).not.toMatch(told);
    writeFileSync(join(folder, 'janji.env'), 'CLINIC_TIME_ZONE=Asia/Makassar\n');
    expect((await janji.with(unset, 'check')).out).not.toMatch(told);
  });

  it('names what the settings file has under a name that is no setting', async () => {
    const { janji, folder } = janjiInFolder();
    writeFileSync(
      join(folder, 'janji.env'),
      'BACKUP_FOLDR=backups\nBACKUP_KEEP=3\nNODE_OPTIONS=\nTZ=UTC\nJANJI_ADMIN_PASSWORD=\n',
    );
    const { out } = await janji('check');
    expect(out).toContain('BACKUP_FOLDR in janji.env is no setting, and does nothing');
    expect(out.match(/is no setting/g)).toHaveLength(1);
  });

  it('creates nothing where no database is, and says what would', async () => {
    const { janji, folder } = janjiInFolder();
    const { status, out } = await janji.alone('check');
    expect(out).toMatch(/WRONG {2}database .* is not there yet\n +-> janji migrate/);
    expect([status, existsSync(join(folder, 'janji.db'))]).toEqual([1, false]);
  });

  it.each([
    [
      'a setting',
      { PORT: 'eighty', RATE_LIMIT: 'x' },
      /WRONG {2}settings {4}RATE_LIMIT .*(.*\n)*WRONG {2}settings {4}PORT /,
    ],
    ['no secret in production', { NODE_ENV: 'production' }, /WRONG {2}secret .*not set.*\n +-> .*openssl/],
    [
      'no data key in production',
      { NODE_ENV: 'production' },
      /WRONG {2}data key .*not set.*\n +-> .*openssl/,
    ],
    ['a typed secret', { JWT_SECRET: 'geheim'.repeat(6) }, /WRONG {2}secret .*different characters/],
    [
      'one secret twice',
      { JWT_SECRET: strong, JWT_SECRET_PREVIOUS: strong },
      /WRONG {2}secret .*JWT_SECRET_PREVIOUS/,
    ],
  ])(
    'is not content with %s, and repeats no value',
    async (_what, env, says) => {
      const { janji } = janjiInFolder();
      await janji('migrate');
      const { status, out } = await janji.with(env, 'check');
      expect(out).toMatch(says);
      for (const value of Object.values(env).filter((text) => text.length > 10))
        if (value !== 'production') expect(out).not.toContain(value);
      expect(status).toBe(1);
    },
    60_000,
  );

  it('notices another zone, another id of the clinic, public passwords, a secret that others can read, and a file that is none', async () => {
    const { janji, url, folder } = janjiInFolder();
    await janji('demo');
    expect((await janji.with({ CLINIC_TIME_ZONE: 'Asia/Jayapura' }, 'check')).out).toMatch(
      /WRONG {2}zone .*Jayapura.*Jakarta\n +-> set CLINIC_TIME_ZONE to Asia\/Jakarta/,
    );
    expect((await janji.with({ HOST: '0.0.0.0' }, 'check')).out).toMatch(/WRONG {2}demo/);
    expect((await janji.with({ CLINIC_ID: 'klinik-b' }, 'check')).out).toMatch(
      /note {3}clinic .*CLINIC_ID is klinik-b, the database was made as [0-9a-f-]{36}/,
    );
    const secret = `${url.slice('file:'.length)}.jwt-secret`;
    writeFileSync(secret, strong);
    chmodSync(secret, 0o644);
    expect((await janji('check')).out).toContain(`-> chmod 600 ${secret}`);
    chmodSync(secret, 0o600);
    expect((await janji('check')).out).toContain(`ok     secret      kept in ${secret}`);
    writeFileSync(secret, 'short');
    expect((await janji('check')).out).toMatch(
      /WRONG {2}secret .*\.jwt-secret holds none of at least 32 bytes/,
    );
    const text = join(folder, 'note.txt');
    writeFileSync(text, 'bukan basis data '.repeat(100));
    const broken = await janji.with({ DATABASE_URL: `file:${text}` }, 'check');
    expect([broken.status, broken.out]).toEqual([1, expect.stringMatching(/WRONG {2}database/)]);
  });

  it('asks a database over the network, and does not print its token', async () => {
    const server = await serveHrana(newPath(), () => null);
    onTestFinished(() => void server.close());
    const { db, close } = await openDatabase(server.url);
    await ensureClinic(db, 'Asia/Jakarta');
    await close();
    const { checkDatabase } = await import('../../../src/runtime/node/checks/database.ts');
    const { checkSettings } = await import('../../../src/runtime/node/checks/settings.ts');
    const env = { DATABASE_URL: `${server.url}?authToken=rahasia`, JWT_SECRET: strong };
    const { config, settings } = checkSettings(env);
    if (config === null || settings === null) throw new Error('The settings are right.');
    const findings = await checkDatabase(config, settings);
    expect(findings.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
    expect(JSON.stringify(findings)).not.toContain('rahasia');
  });
});

it('believes a clock only between this version and the last event, and near the database’s', () => {
  const now = Date.parse('2026-12-01T00:00:00Z');
  const minute = 60_000;
  const verdict = (change: object) =>
    checkClock({ now, newestEvent: null, databaseNow: now, ...change }).verdict;
  expect(verdict({ newestEvent: now - minute })).toBe('ok');
  expect(verdict({ newestEvent: now + 4 * minute, databaseNow: now - 4 * minute })).toBe('ok');
  expect(verdict({ newestEvent: now + 6 * minute })).toBe('wrong');
  expect(verdict({ databaseNow: now + 6 * minute })).toBe('wrong');
  expect(verdict({ now: 0, databaseNow: 0 })).toBe('wrong');
});

it('says where mails go that nobody sends, as the service does it', () => {
  const said = (env: Record<string, string>) => {
    const settings = parseAllSettings(env);
    return checkIntentions(settings, settings).map(({ says }) => says);
  };
  expect(said({})).toEqual(['mails are left as files in data/mail alone']);
  expect(said({ MAIL_TO_LOG: 'on' })).toEqual(['mails go to the log alone']);
  expect(said({ NODE_ENV: 'production' })).toEqual(['no mail is sent: forgotten passwords stay so']);
  expect(said({ SMTP_URL: 'smtp://h', PASSWORD_RESET_URL: 'https://h/' })).toEqual([]);
});

it('migrates and checks the local D1 by way of wrangler', async () => {
  const { janji, folder } = janjiInFolder();
  for (const name of ['drizzle', 'src']) symlinkSync(resolve(name), join(folder, name));
  cpSync('wrangler.toml', join(folder, 'wrangler.toml'));
  expect((await janji('check', '--d1')).out).toMatch(/WRONG {2}migrations +missing: 0000_foundation/);
  expect((await janji.alone('migrate', '--d1')).status).toBe(0);
  const variables = (lines: string) =>
    writeFileSync(
      join(folder, 'wrangler.toml'),
      `${readFileSync('wrangler.toml', 'utf8')}\n[vars]\n${lines}\n`,
    );
  variables('CLINIC_TIME_ZONE = "Asia/Makassar"');
  const checked = await janji('check', '--d1');
  expect([checked.status, checked.out]).toEqual([0, expect.stringContaining('all are applied')]);
  expect(checked.out).toMatch(/zone +the first start will write Asia\/Makassar/);
  variables('MAX_ADVANCE_DAYS = 0');
  expect((await janji('check', '--d1')).out).toMatch(/WRONG {2}settings +MAX_ADVANCE_DAYS/);
  expect(await janji('check', '--remote')).toMatchObject({
    status: 1,
    errors: '--remote and --persist-to go with --d1.\n',
  });
});

it('lists the commands, and answers an unknown command with 1', async () => {
  const { janji } = janjiInFolder();
  const help = await janji.alone('--help');
  for (const command of ['check', 'migrate', 'demo', 'create-admin', 'holidays'])
    expect(help.out).toMatch(new RegExp(`^  ${command}`, 'm'));
  expect(await janji.alone('chek')).toMatchObject({ status: 1, errors: expect.stringContaining('check') });
});
