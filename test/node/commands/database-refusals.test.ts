import { existsSync, writeFileSync } from 'node:fs';
import { drizzle } from 'drizzle-orm/libsql';
import { expect, it, onTestFinished } from 'vitest';
import { openEmbedded } from '../../../src/core/db/embedded/client.ts';
import { insertAccount } from '../../../src/modules/auth/queries.ts';
import { backUp } from '../../../src/runtime/node/backup/backup.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { explainError } from '../../../src/runtime/node/reason.ts';
import { parseNodeSettings } from '../../../src/runtime/node/settings.ts';
import { add, newPath, openNotes, otherProcess } from '../../support/node/embedded-files.ts';

/** The failure messages for the person who starts the service or runs a command. */
const toldOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'nothing failed', explainError);

it.each([{ SMTP_URL: 'smtp://:::' }, { DATABASE_URL: 'libsql://a b' }, { DATABASE_URL: 'https://h:port' }])(
  'an address that cannot be read is refused by the name of its setting: %j',
  (env) => {
    expect(() => parseNodeSettings(env)).toThrow(`${Object.keys(env)[0]} is not acceptable`);
  },
);

it.each([
  [
    'file:/dev/null/a/janji.db',
    'DATABASE_URL cannot be used: its folder /dev/null/a cannot be made (ENOTDIR).',
  ],
  ['libsql://no-such-host.invalid?authToken=geheim', 'the remote database did not answer (ENOTFOUND)'],
])('%s is told in one sentence, without what its address holds', async (url, sentence) => {
  expect(await toldOf(openDatabase(url))).toBe(sentence);
});

it('a file that is not a database is reported with a remedy', async () => {
  const path = newPath();
  writeFileSync(path, 'a shopping list, and no database');
  expect(await toldOf(openDatabase(`file:${path}`))).toMatch(
    /^DATABASE_URL is damaged.*restore FILE --force/,
  );
});

const withTable = async (name: string): Promise<string> => {
  const path = newPath();
  const client = openEmbedded({ path });
  await client.execute(`create table ${name} (id integer)`);
  client.close();
  return path;
};

it('a database of another program is left as it is, and has no backup', async () => {
  const path = await withTable('recipes');
  expect(await toldOf(openDatabase(`file:${path}`))).toMatch(
    /^DATABASE_URL cannot be used: its tables are not this service's/,
  );
  const told = await toldOf(backUp(path, `${path}.copy`, () => {}));
  expect(told).toMatch(/^There is no clinic in this database: its tables are not this service's/);
  expect(existsSync(`${path}.copy`)).toBe(false);
});

it('a table of replication makes a new file nobody’s', async () => {
  const url = `file:${await withTable('_litestream_seq')}`;
  expect(await toldOf(openDatabase(url).then(({ close }) => close()))).toBe('nothing failed');
});

it('a database that another process has locked is reported as such', async () => {
  const { client, path } = await openNotes({ deadlineMs: 50 });
  await otherProcess(path)('lock');
  expect(await toldOf(add(client, 'x'))).toMatch(/^DATABASE_URL is locked by another process.*SQLITE_BUSY/);
});

it('a statement that failed is reported without its text and without its values', async () => {
  const client = openEmbedded({ path: newPath() });
  onTestFinished(() => client.close());
  const phone = { phoneNumber: '81234567890', phoneCountryCode: '62' };
  const person = { id: 'i', name: 'Sari', email: 'sari@klinik.example', ...phone };
  const [insertUser] = insertAccount(drizzle(client), {
    ...person,
    passwordHash: '$argon2id$geheim',
  } as never);
  const failed = insertUser as unknown as Promise<unknown>;
  expect(await toldOf(Promise.resolve(failed))).toBe('SQLITE_ERROR: no such table: users');
});
