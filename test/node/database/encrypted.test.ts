import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openEmbedded } from '../../../src/core/db/embedded/client.ts';
import { users } from '../../../src/core/tables/accounts.ts';
import { copyLive } from '../../../src/runtime/node/backup/live-copy.ts';
import { reencrypt } from '../../../src/runtime/node/backup/reencrypt.ts';
import { restore } from '../../../src/runtime/node/backup/restore.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { commandLine } from '../../support/node/command-line.ts';
import { add, newPath, openNotes, otherProcess, stored, until } from '../../support/node/embedded-files.ts';
import { letGoOfClosed } from '../../support/node/let-go.ts';

const key = Buffer.alloc(32, 'a file key').toString('base64url');
const another = Buffer.alloc(32, 'another key').toString('base64url');
const texts = Array.from({ length: 50 }, (_, i) => `n${i}`);
const quiet = () => {};

const told = async (opening: Promise<unknown>): Promise<string> =>
  opening.then(
    () => 'opened',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

/** Everything that lies in a database's folder, byte by byte. */
const bytesIn = (folder: string): Buffer =>
  Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));

const person = (id: string, name: string) => ({
  id,
  name,
  phoneNumber: '',
  phoneCountryCode: '',
  email: `${id}@klinik.example`,
  deviceId: '',
  role: 'staff' as const,
  passwordHash: '',
  createdAt: 1,
  updatedAt: 1,
});

/** A migrated database with one person in it, closed. */
const madeWith = async (fileKey: string | undefined, name = 'Ratnasari Wulandari'): Promise<string> => {
  const path = newPath();
  const { db, close } = await openDatabase(`file:${path}`, undefined, { key: fileKey });
  await db.insert(users).values(person('p', name));
  await close();
  // The driver may hold a closed connection, and its locks, for a while.
  const copy = newPath();
  copyFileSync(path, copy);
  return copy;
};

const namesIn = async (path: string, fileKey?: string): Promise<string[]> => {
  const { db, close } = await openDatabase(`file:${path}`, undefined, { key: fileKey });
  try {
    return (await db.select().from(users)).map(({ name }) => name);
  } finally {
    await close();
  }
};

describe('a file behind a link', () => {
  it('is encrypted and restored where the link leads, which stays one: nothing plain is left there', async () => {
    const path = await madeWith(undefined);
    const linked = newPath();
    symlinkSync(path, linked);
    await reencrypt(linked, undefined, key, quiet);
    expect(readlinkSync(linked)).toBe(path);
    for (const one of [path, linked]) expect(await namesIn(one, key)).toEqual(['Ratnasari Wulandari']);
    expect(bytesIn(dirname(path)).includes('Ratnasari')).toBe(false);
    await letGoOfClosed();
    const copy = newPath();
    await (await openDatabase(`file:${copy}`, undefined, { key })).close();
    const options = { force: true, asNew: false, now: 0, progress: quiet, key };
    const aside = await restore(copy, linked, options);
    expect([readlinkSync(linked), dirname(aside ?? '')]).toEqual([path, dirname(path)]);
    expect(await namesIn(path, key)).toEqual([]);
  });
});

describe('an encrypted file', () => {
  it('and its log show nothing that was written, while it is open and afterwards', async () => {
    const { client, path } = await openNotes({ key });
    for (const text of texts) await add(client, `Ratnasari ${text}`);
    await client.execute('CREATE INDEX sorted ON note (text, size)');
    await client.execute('SELECT text, count(*) FROM note GROUP BY text ORDER BY text DESC');
    const folder = dirname(path);
    expect(existsSync(`${path}-wal`)).toBe(true);
    expect(bytesIn(folder).includes('Ratnasari')).toBe(false);
    expect(bytesIn(folder).includes('CREATE TABLE')).toBe(false);
    client.close();
    expect(bytesIn(folder).includes('Ratnasari')).toBe(false);
    expect(stored(path, key)).toHaveLength(50);
    // A plain one would show it.
    const plain = await openNotes();
    await add(plain.client, 'Ratnasari');
    expect(bytesIn(dirname(plain.path)).includes('Ratnasari')).toBe(true);
  });

  it('opens only with its key, and the refusal is one sentence', async () => {
    const path = await madeWith(key);
    const url = `file:${path}`;
    expect(await told(openDatabase(url, undefined, { key: another }))).toBe(
      `DATABASE_KEY does not open ${path}: it is the key of another file, or the file is damaged.`,
    );
    expect(await told(openDatabase(url))).toContain('SQLITE_NOTADB');
    expect(await namesIn(path, key)).toEqual(['Ratnasari Wulandari']);
  });

  it('is what DATABASE_KEY asks for: a plain one is refused, and how to encrypt it is said', async () => {
    const path = await madeWith(undefined);
    expect(await told(openDatabase(`file:${path}`, undefined, { key }))).toBe(
      `DATABASE_KEY is set, but ${path} is not encrypted: encrypt it with \`janji encrypt\`, or unset DATABASE_KEY.`,
    );
  });

  it('keeps data that is only in its log through starts with a wrong key and with none', async () => {
    const { client, path } = await openNotes({ key });
    await client.execute('PRAGMA wal_checkpoint(TRUNCATE)');
    for (const text of texts) await add(client, text);
    // As a power cut leaves it.
    const cut = newPath();
    for (const end of ['', '-wal']) copyFileSync(path + end, cut + end);
    for (const wrong of [another, undefined]) {
      await told(openDatabase(`file:${cut}`, undefined, { key: wrong }));
      expect(() => openEmbedded({ path: cut, key: wrong })).toThrow('SQLITE_NOTADB');
    }
    expect(stored(cut, key)).toEqual(texts);
  });
});

describe('the traps of the driver, on an encrypted file', () => {
  it('a lock of another process: no acknowledged write is lost, and reads go on', async () => {
    const { client, path } = await openNotes({ key });
    await add(client, 'first');
    const order = otherProcess(path, key);
    await order('lock');
    const writing = texts.map((text) => add(client, text));
    await until(() => client.stats().busyCount >= 3);
    expect((await client.execute('SELECT text FROM note')).rows).toHaveLength(1);
    await order('unlock');
    await Promise.all(writing);
    await add(client, 'last');
    expect(stored(path, key)).toEqual(['first', ...texts, 'last']);
  });

  it('a file that was deleted or replaced: nothing is acknowledged into nowhere', async () => {
    const { client, path } = await openNotes({ key });
    await add(client, 'a');
    client.close();
    copyFileSync(path, `${path}.backup`);
    client.reconnect();
    await client.execute('SELECT 1');
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    await expect(add(client, 'lost')).rejects.toMatchObject({ code: 'cannot_open' });
    renameSync(`${path}.backup`, path);
    await add(client, 'b');
    expect(stored(path, key)).toEqual(['a', 'b']);
  });

  it('a full file: the whole group is refused, and it writes again by itself', async () => {
    const { client, path } = await openNotes({ key });
    await add(client, 'a');
    await client.execute('PRAGMA max_page_count = 1');
    const sql = "INSERT INTO note (text, bytes) VALUES ('b', zeroblob(90000))";
    await expect(client.execute(sql)).rejects.toMatchObject({ code: 'full' });
    await client.execute(sql);
    expect(stored(path, key)).toEqual(['a', 'b']);
  });

  it('damage: it is noticed, and nothing is read as if it were whole', async () => {
    const { client, path } = await openNotes({ key });
    await client.executeMultiple("INSERT INTO note (text, bytes) VALUES ('a', zeroblob(90000))");
    client.close();
    const whole = readFileSync(path);
    writeFileSync(path, Buffer.concat([whole.subarray(0, 4096), Buffer.alloc(whole.length - 4096, 0xff)]));
    client.reconnect();
    await expect(client.execute('SELECT * FROM note')).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('a migration: rows stay, and foreign keys are checked', async () => {
    const { client, path } = await openNotes({ key });
    await add(client, 'a');
    await client.migrate([
      'CREATE TABLE next (id INTEGER PRIMARY KEY, text TEXT)',
      'INSERT INTO next SELECT id, text FROM note',
      'DROP TABLE note',
      'ALTER TABLE next RENAME TO note',
    ]);
    expect(stored(path, key)).toEqual(['a']);
  });

  it('an interactive transaction: refused, as everywhere', async () => {
    const { client } = await openNotes({ key });
    await expect(client.transaction()).rejects.toThrow('not supported');
    await expect(client.execute('BEGIN')).rejects.toThrow('batch()');
  });
});

describe('encrypting a file, and back', () => {
  it('moves every row in one step, and leaves nothing of the plain file beside it', async () => {
    const path = await madeWith(undefined);
    const folder = dirname(path);
    const run = (settings: Record<string, string>, command: string) =>
      commandLine(folder, `file:${path}`).with(settings, command);
    const counted = /\d+ rows in \d+ tables, counted in both/;
    const { status, out, errors } = await run({ DATABASE_KEY: key }, 'encrypt');
    expect([status, out, errors]).toEqual([0, expect.stringMatching(counted), '']);
    const [rows] = counted.exec(out) ?? [];
    expect(readdirSync(folder)).toEqual(['test.db']);
    expect(bytesIn(folder).includes('Ratnasari')).toBe(false);
    expect((await run({ DATABASE_KEY: key }, 'encrypt')).errors).toContain('encrypted already');
    const changed = await run({ DATABASE_KEY: another, DATABASE_KEY_PREVIOUS: key }, 'encrypt');
    expect(changed.out).toContain(rows);
    expect((await run({ DATABASE_KEY: key }, 'decrypt')).status).toBe(1);
    expect((await run({ DATABASE_KEY: another }, 'decrypt')).out).toContain(rows);
    expect(readdirSync(folder)).toEqual(['test.db']);
    expect(await namesIn(path)).toEqual(['Ratnasari Wulandari']);
  });

  it('is refused where there is no file, and makes none', async () => {
    const path = newPath();
    const run = commandLine(dirname(path), `file:${path}`);
    for (const command of ['encrypt', 'decrypt']) {
      const { status, errors } = await run.with({ DATABASE_KEY: key }, command);
      expect([command, status, existsSync(path)]).toEqual([command, 1, false]);
      expect(errors).toContain(path);
    }
  });

  it('is refused while a service holds the file, and changes nothing', async () => {
    const path = await madeWith(undefined);
    await otherProcess(path)('lock');
    expect(await told(reencrypt(path, undefined, key, quiet))).toContain('is in use');
    expect(bytesIn(dirname(path)).includes('Ratnasari')).toBe(true);
  });

  it('is given up where somebody wrote meanwhile, and what was written stays', async () => {
    const path = await madeWith(undefined);
    const encrypting = told(reencrypt(path, undefined, key, quiet));
    await until(() => existsSync(`${path}.reencrypting`));
    // This process does nothing else before it has written.
    const script = `const d = new (require('libsql'))(process.argv[1], { timeout: 5000 });
      d.exec("update users set name = 'Ditulis Proses Lain'"); d.close()`;
    expect(spawnSync(process.execPath, ['-e', script, path]).status).toBe(0);
    expect(await encrypting).toContain('was written to meanwhile');
    expect(await namesIn(path)).toEqual(['Ditulis Proses Lain']);
    expect(existsSync(`${path}.reencrypting`)).toBe(false);
  });

  it('does not copy a file with a key that is not its own', async () => {
    const path = await madeWith(key);
    const to = newPath();
    onTestFinished(() => rmSync(to, { force: true }));
    const failure = await told(copyLive(path, to, quiet, another));
    expect(failure).toContain('not a database');
    expect(failure).not.toContain(another);
    expect(
      await told(copyLive(path, join(dirname(to), 'nowhere', 'x.db'), quiet, key, another)),
    ).not.toContain(another);
  });
});
