import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { describe, expect, it } from 'vitest';
import { faultsSecret } from '../../support/faults/service.ts';
import { commandLine, newFolder } from '../../support/node/command-line.ts';
import { bytesOf, liveIn, newClinic, secrets, serve } from '../../support/node/sealed-clinic.ts';

const key = Buffer.alloc(32, 'a file key').toString('base64url');
const { nationalId, insuranceNumber, name, note, wish, password } = secrets;

/** A text as it may lie anywhere: as it is, in base64, in hex, and as the search folds it. */
const formsOf = (text: string): string[] => {
  const bytes = Buffer.from(text);
  // In the middle of other base64 a text begins at one of three places.
  const shifted = [0, 1, 2].map((by) =>
    Buffer.concat([Buffer.alloc(by), bytes])
      .toString('base64')
      .slice(by === 0 ? 0 : 4, -4),
  );
  return [text, text.toLowerCase(), bytes.toString('hex'), ...shifted.filter((form) => form.length > 7)];
};

const foundIn = (bytes: Buffer, texts: readonly string[]): string[] =>
  texts.filter((text) => formsOf(text).some((form) => bytes.includes(form)));

/** A clinic in whose files everything may lie: the service runs, and its log is not written back. */
const lived = async (fileKey?: string) => {
  const clinic = await newClinic(fileKey);
  const temporary = newFolder();
  const settings = { TMPDIR: temporary, SQLITE_TMPDIR: temporary, ...(fileKey && { DATABASE_KEY: fileKey }) };
  const service = await serve(clinic.path, settings);
  const told = await liveIn(service, clinic);
  const { webhookSecret, accessToken, refreshToken, claimCode } = told;
  const hidden = [
    ...[nationalId, insuranceNumber, password, faultsSecret, webhookSecret, webhookSecret.slice(6)],
    ...[accessToken, accessToken.split('.')[2] ?? '', refreshToken, claimCode],
  ];
  const open = [name, 'ratnasari', note, 'penisilin', wish];
  const files = () => Buffer.concat([bytesOf(clinic.folder), bytesOf(temporary)]);
  return { ...clinic, service, hidden, open, files };
};

describe('a stranger with a copy of the files, their log and what is temporary', () => {
  it('and without the keys finds no number, no secret and no token, though names and notes are there', async () => {
    const { service, hidden, open, files } = await lived();
    expect(foundIn(files(), hidden)).toEqual([]);
    // The search would have found them.
    expect(foundIn(files(), open)).toEqual(open);
    expect(await service.stop()).toBe(0);
    expect(foundIn(files(), hidden)).toEqual([]);
  });

  it('finds no name and no note either where DATABASE_KEY is set', async () => {
    const { service, hidden, open, files, folder } = await lived(key);
    expect(readdirSync(folder)).toContain('janji.db-wal');
    expect(foundIn(files(), [...hidden, ...open, 'CREATE TABLE', 'SQLite format 3'])).toEqual([]);
    expect(await service.stop()).toBe(0);
    expect(foundIn(files(), [...hidden, ...open, 'CREATE TABLE', 'SQLite format 3'])).toEqual([]);
  });

  it.each([
    ['a plain database', undefined],
    ['an encrypted database', key],
  ])(
    'finds nothing in an encrypted backup of %s, nor in what its making leaves behind',
    async (_what, fileKey) => {
      const { service, hidden, open, folder } = await lived(fileKey);
      const backups = join(folder, 'backups');
      mkdirSync(backups);
      const BACKUP_RECIPIENT = await identityToRecipient(await generateIdentity());
      const janji = commandLine(folder);
      const temporary = newFolder();
      const settings = { BACKUP_RECIPIENT, TMPDIR: temporary, ...(fileKey && { DATABASE_KEY: fileKey }) };
      for (const verb of ['backup', 'export']) {
        const { status } = await janji.with(settings, verb, join(backups, `${verb}.age`));
        expect(status).toBe(0);
      }
      const bytes = Buffer.concat([bytesOf(backups), bytesOf(temporary)]);
      expect(bytes.length).toBeGreaterThan(400_000);
      expect(foundIn(bytes, [...hidden, ...open, 'CREATE TABLE'])).toEqual([]);
      expect(await service.stop()).toBe(0);
    },
    60_000,
  );
});
