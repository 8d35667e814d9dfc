import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { largeBytes } from '../../../src/modules/health/rules.ts';
import { checkSize, sizeOfFile } from '../../../src/runtime/node/checks/size.ts';
import { attentionTo } from '../../../src/runtime/node/checks/status-rules.ts';
import { sizesIn } from '../../../src/runtime/node/clinics/directory-file.ts';
import { createPrometheus } from '../../../src/runtime/node/watch/prometheus.ts';
import { commandLine, newFolder } from '../../support/node/command-line.ts';

it('check says how large the database is, and from 8 GB on what to do', async () => {
  expect(checkSize(null)).toEqual([]);
  expect(checkSize(87_400_000)).toEqual([{ what: 'size', verdict: 'ok', says: '87.4 MB' }]);
  expect(checkSize(largeBytes - 1)[0]?.verdict).toBe('ok');
  expect(checkSize(largeBytes)).toMatchObject([
    { verdict: 'note', says: expect.stringContaining('8.0 GB'), cure: expect.any(String) },
  ]);
  const judged = {
    now: 0,
    service: null,
    missing: [],
    newer: 0,
    backup: null,
    queues: [],
    certificateEnd: null,
  };
  expect(attentionTo({ ...judged, bytes: largeBytes - 1 })).toEqual([]);
  expect(attentionTo({ ...judged, bytes: largeBytes })).toEqual(['The database has more than 8 GB.']);
  const janji = commandLine(newFolder());
  await janji('migrate');
  expect((await janji('check')).out).toMatch(/size\s+0\.\d MB/);
});

it('the size of a database counts its log, and of each of many clinics there is a gauge', async () => {
  const folder = newFolder();
  for (const [name, bytes] of [
    ['melati.db', 700],
    ['melati.db-wal', 300],
    ['melati-archive.db', 5_000],
    ['melati-archive.db-wal', 500],
    ['mawar-archive.db', 100],
    ['mawar.db', 2_000],
    ['kenanga.db', 40],
    ['directory.db', 9_000],
    ['melati.db.moved', 9_000],
  ] as const)
    writeFileSync(join(folder, name), Buffer.alloc(bytes));
  expect(sizeOfFile(join(folder, 'melati.db'))).toBe(1_000);
  expect(sizeOfFile(join(folder, 'hilang.db'))).toBeNull();
  const nothing = { running: 0, waiting: 0, refused: 0 };
  const common = { clock: () => 0, hasher: { stats: () => nothing }, databaseStats: null, db: null };
  const many = createPrometheus({
    ...common,
    clinics: {
      apart: 1,
      counts: () => ({ open: 0, inUse: 0 }),
      waiting: () => nothing,
      sizes: () => sizesIn(folder, 'own'),
      archives: () => sizesIn(folder, 'archives'),
    },
  });
  const text = await many.expose();
  expect(text).toContain('janji_clinic_database_bytes{clinic="mawar"} 2000');
  expect(text).toContain('janji_clinic_database_bytes{clinic="other"} 1040');
  expect(text).toContain('janji_clinic_archive_bytes{clinic="melati"} 5500');
  expect(text).toContain('janji_clinic_archive_bytes{clinic="other"} 100');
  const one = createPrometheus({
    ...common,
    databaseBytes: () => sizeOfFile(join(folder, 'melati.db')),
    archiveBytes: () => sizeOfFile(join(folder, 'melati-archive.db')),
  });
  expect(await one.expose()).toContain('janji_database_bytes 1000');
  expect(await one.expose()).toContain('janji_archive_bytes 5500');
});
