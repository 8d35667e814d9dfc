import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { commandLine, newFolder } from '../../support/node/command-line.ts';
import { change, everything } from '../../support/node/rows.ts';

const name = 'Ratnasari Wulandari';
const key = Buffer.alloc(32, 'a file key').toString('base64url');
let identity = '';
let recipient = '';

beforeAll(async () => {
  identity = await generateIdentity();
  recipient = await identityToRecipient(identity);
});

/** A clinic with one person, in a folder with the identity of its backups. */
const clinicIn = async (more = '') => {
  const folder = newFolder();
  const path = join(folder, 'janji.db');
  // The driver may hold a closed connection for a while, and this file is the commands' alone.
  const filled = join(newFolder(), 'filled.db');
  await (await openDatabase(`file:${filled}`)).close();
  change(
    filled,
    `insert into users (id, name, phone_number, phone_country_code, email, device_id, password_hash, role, created_at, updated_at)
       values ('p', '${name}', '', '', 'p@klinik.example', '', '', 'staff', 1, 1);
     insert into patients (id, name, phone_number, phone_country_code, staff_notes, created_at, updated_at)
       values ('p', '${name}', '', '', 'alergi penisilin', 1, 1);${more}`,
  );
  for (const end of ['', '-wal']) if (existsSync(filled + end)) copyFileSync(filled + end, path + end);
  const identityFile = join(folder, 'identity.txt');
  writeFileSync(identityFile, `# created: 2026-11-22\n# public key: ${recipient}\n${identity}\n`);
  return { folder, path, identityFile, janji: commandLine(folder) };
};

const holds = (file: string, text: string): boolean => readFileSync(file).includes(text);

/** A file that comes and goes, as it is at this moment. */
const bytesNow = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
};

describe('a backup for a recipient', () => {
  it.each([
    ['a plain database', {}],
    ['an encrypted database', { DATABASE_KEY: key }],
  ])('of %s shows no name and no note, and opens with the identity alone', async (_what, settings) => {
    const { folder, path, identityFile, janji } = await clinicIn();
    const before = everything(path);
    if ('DATABASE_KEY' in settings) expect((await janji.with(settings, 'encrypt')).errors).toBe('');
    for (const verb of ['backup', 'export']) {
      const file = join(folder, `${verb}.age`);
      const made = await janji.with({ ...settings, BACKUP_RECIPIENT: recipient }, verb, file);
      expect([made.status, made.out]).toEqual([0, expect.stringContaining('1 account, 1 patient')]);
      for (const text of [name, 'Ratnasari', 'alergi', 'CREATE TABLE']) expect(holds(file, text)).toBe(false);
      expect(holds(file, 'age-encryption.org/v1')).toBe(true);
      // Without DATABASE_KEY: the identity is enough.
      const opened = { BACKUP_IDENTITY_FILE: identityFile };
      expect((await janji.with(opened, 'verify', file)).out).toContain('is sound: 1 account, 1 patient');
      for (const into of ['restore', 'import']) {
        const url = `file:${join(folder, `${verb}-${into}.db`)}`;
        const ended = await janji.with({ ...opened, DATABASE_URL: url }, into, file);
        expect([ended.status, ended.errors]).toEqual([0, expect.anything()]);
      }
      expect(everything(join(folder, `${verb}-restore.db`))).toEqual(before);
    }
    expect(readdirSync(folder).filter((entry) => /partial|open/.test(entry))).toEqual([]);
  });

  it('is never written in plain text while it is made', async () => {
    const { folder, janji } = await clinicIn();
    let isOver = false;
    const backups = join(newFolder(), 'b.age');
    const making = janji.with({ BACKUP_RECIPIENT: recipient }, 'backup', backups).finally(() => {
      isOver = true;
    });
    const seen = new Set<string>();
    const open = new Set<string>();
    // The system reports each file, however short its life; its content is read as often as there is time.
    const watcher = watch(dirname(backups), (_event, entry) => entry !== null && seen.add(entry));
    while (!isOver) {
      for (const entry of readdirSync(dirname(backups))) {
        const bytes = bytesNow(join(dirname(backups), entry));
        if (bytes.includes(name)) open.add(entry);
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect((await making).status).toBe(0);
    await vi.waitUntil(() => [...seen].some((entry) => entry.endsWith('.open')));
    watcher.close();
    expect([...open]).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['identity.txt', 'janji.db']);
  });

  it('is restored into a database that is encrypted where DATABASE_KEY is set', async () => {
    const { folder, identityFile, janji } = await clinicIn();
    const file = join(folder, 'b.age');
    await janji.with({ BACKUP_RECIPIENT: recipient }, 'backup', file);
    const settings = {
      DATABASE_KEY: key,
      BACKUP_IDENTITY_FILE: identityFile,
      DATABASE_URL: `file:${join(folder, 'new.db')}`,
    };
    expect((await janji.with(settings, 'restore', file)).status).toBe(0);
    expect(holds(join(folder, 'new.db'), name)).toBe(false);
    expect((await janji.with(settings, 'verify', 'new.db')).out).toContain('1 account, 1 patient');
  });

  it('is refused in one sentence without the identity, with another, and with what is none', async () => {
    const { folder, janji } = await clinicIn();
    const file = join(folder, 'b.age');
    await janji.with({ BACKUP_RECIPIENT: recipient }, 'backup', file);
    const another = join(folder, 'another.txt');
    writeFileSync(another, await generateIdentity());
    const rubbish = join(folder, 'rubbish.txt');
    writeFileSync(rubbish, `${identity.slice(0, -5)}\n`);
    for (const [settings, says] of [
      [{}, 'is encrypted: set BACKUP_IDENTITY_FILE'],
      [{ BACKUP_IDENTITY_FILE: another }, 'does not open with BACKUP_IDENTITY_FILE'],
      [{ BACKUP_IDENTITY_FILE: rubbish }, 'is no identity of age'],
      [{ BACKUP_IDENTITY_FILE: join(folder, 'nowhere') }, 'cannot be read'],
    ] as [Record<string, string>, string][]) {
      const { status, errors } = await janji.with(settings, 'restore', '--force', file);
      expect([status, errors.trim().split('\n')]).toEqual([1, [expect.stringContaining(says)]]);
      expect(errors).not.toContain('AGE-SECRET-KEY');
    }
  });

  it('that was changed or truncated is noticed, also without a checksum beside it', async () => {
    const { folder, identityFile, janji } = await clinicIn();
    const file = join(folder, 'b.age');
    await janji.with({ BACKUP_RECIPIENT: recipient }, 'backup', file);
    const whole = readFileSync(file);
    const lonely = join(folder, 'lonely.age');
    const settings = { BACKUP_IDENTITY_FILE: identityFile };
    const changed = Buffer.from(whole);
    changed[whole.length - 1000] = (changed[whole.length - 1000] ?? 0) ^ 1;
    writeFileSync(lonely, changed);
    expect((await janji.with(settings, 'verify', lonely)).errors).toContain('was changed or cut short');
    writeFileSync(lonely, whole);
    truncateSync(lonely, whole.length - 70_000);
    expect((await janji.with(settings, 'verify', lonely)).errors).toContain('was changed or cut short');
    writeFileSync(file, changed);
    expect((await janji.with(settings, 'verify', file)).errors).toContain('checksummed');
  });

  it('is not begun for what is no recipient', async () => {
    const { folder, janji } = await clinicIn();
    for (const wrong of ['age1rubbishrubbishrubbishrubbish', identity]) {
      const { status, errors } = await janji.with(
        { BACKUP_RECIPIENT: wrong },
        'backup',
        join(folder, 'b.age'),
      );
      expect([status, errors]).toEqual([1, expect.stringContaining('BACKUP_RECIPIENT is not acceptable')]);
      expect(errors).not.toContain(wrong);
    }
    expect(readdirSync(dirname(join(folder, 'b.age'))).sort()).toEqual(['identity.txt', 'janji.db']);
  });
});

describe('every command', () => {
  it('opens the encrypted database, and makes encrypted copies of it', async () => {
    const clinic = "insert into clinic (id, time_zone, calendar_version) values (1, 'Asia/Jakarta', 1)";
    const { folder, janji } = await clinicIn(clinic);
    const settings = { DATABASE_KEY: key, DATA_KEY: key };
    const run = async (...args: string[]) => {
      const { status, errors, out } = await janji.with(settings, ...args);
      expect([args[0], status, status === 0 ? '' : errors]).toEqual([args[0], 0, '']);
      return out;
    };
    await run('encrypt');
    expect(await run('migrate')).toContain('Nothing to apply');
    expect(await run('check')).toContain('Ready to serve');
    await janji.with(
      { ...settings, JANJI_ADMIN_PASSWORD: 'kata-sandi-uji-17' },
      'create-admin',
      '--email',
      'a@k.example',
      '--name',
      'Ani',
    );
    await run('holidays', '--year', '2027', '--country', 'ID', '--apply');
    await run('rezone', '--to', 'Asia/Makassar');
    await janji.with({ ...settings, JWT_SECRET: 'x'.repeat(40) }, 'rekey');
    for (const verb of ['backup', 'export']) {
      await run(verb, `${verb}.db`);
      expect(holds(join(folder, `${verb}.db`), name)).toBe(false);
      expect(await run('verify', `${verb}.db`)).toContain('2 accounts, 2 patients');
      expect((await janji('verify', `${verb}.db`)).errors).toContain('encrypted with another DATABASE_KEY');
    }
    await run('restore', '--force', 'backup.db');
    expect(await run('restore', '--force', '--as-new', 'export.db')).toContain('2 accounts, 2 patients');
    const imported = { ...settings, DATABASE_URL: `file:${join(folder, 'imported.db')}` };
    expect((await janji.with(imported, 'import', 'backup.db')).out).toContain('rows imported');
    for (const file of ['janji.db', 'imported.db']) expect(holds(join(folder, file), name)).toBe(false);
    await run('decrypt');
    expect((await janji('verify', 'janji.db')).out).toContain('2 accounts, 2 patients');
  });
});
