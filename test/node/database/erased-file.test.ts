import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { mailOutbox } from '../../../src/core/tables/mail.ts';
import { webhookEndpoints } from '../../../src/core/tables/webhooks.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { createPractice } from '../../support/clinic.ts';
import { confirmed, createMarkedPerson } from '../../support/marked-person.ts';
import { fillTheRest } from '../../support/node/lived-in.ts';
import { createPerson } from '../../support/people.ts';
import { createWorld, mondayMorning } from '../../support/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'janji-erased-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The whole file and its log, byte by byte: rows, gaps between them, and free pages. */
const bytesOf = (path: string): Buffer =>
  Buffer.concat([path, `${path}-wal`].filter((file) => existsSync(file)).map((file) => readFileSync(file)));

/** SQLite keeps text as UTF-8; whatever its case, ASCII letters are compared in lower case. */
const lowered = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.map((byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte)));

const tracesIn = (path: string, traces: readonly string[]): string[] => {
  const bytes = lowered(bytesOf(path));
  return traces.filter((trace) => bytes.includes(lowered(Buffer.from(trace, 'utf8'))));
};

const settings = {
  MAX_UNPROVED_BOOKINGS: '0',
  MAIL_API_URL: 'https://mail.klinik.example',
  RATE_LIMIT: 'on',
};

/** A clinic's file with other people's rows before and after, so that pages were split and rows moved. */
const livedIn = async (name: string) => {
  const path = join(folder, name);
  const database = await openDatabase(`file:${path}`);
  const world = await createWorld(settings, mondayMorning, database.db);
  if (database.emptyLog !== undefined) world.deps.emptyLog = database.emptyLog;
  const others = async (count: number) => {
    for (let made = 0; made < count; made++) await createPerson(world);
  };
  return { path, database, world, others };
};

it('nothing of a person is left in the file, its log, or its free pages', async () => {
  const { path, database, world, others } = await livedIn('lived-in.db');
  await createPractice(world);
  await others(150);
  fillTheRest(path);
  // Of a kind that nobody sends, and to where nobody is.
  await world.db.delete(mailOutbox);
  await world.db.update(webhookEndpoints).set({ retiredAt: 1 });
  const person = await createMarkedPerson(world);
  await others(150);
  // The others are forms that this program never writes.
  expect(tracesIn(path, person.traces).length).toBeGreaterThan(person.traces.length / 2);
  await confirmed(world, person);
  const answer = await world.request('/v1/auth/account', { method: 'DELETE', token: person.token });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(readFileSync(`${path}-wal`)).toHaveLength(0);
  expect(tracesIn(path, person.traces)).toEqual([]);
  await others(50);
  await database.close();
  expect(tracesIn(path, person.traces)).toEqual([]);
});

it('a log that a killed process left behind is emptied at the next start', async () => {
  const { path, world } = await livedIn('killed.db');
  const person = await createMarkedPerson(world);
  delete world.deps.emptyLog;
  await confirmed(world, person);
  const { token } = person;
  expect((await world.request('/v1/auth/account', { method: 'DELETE', token })).status).toBe(200);
  expect(tracesIn(path, person.traces)).not.toEqual([]);
  const again = await openDatabase(`file:${path}`);
  expect(tracesIn(path, person.traces)).toEqual([]);
  await again.close();
});
