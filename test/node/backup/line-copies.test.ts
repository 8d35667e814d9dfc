import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { dumpPages } from '../../../src/core/db/copies/dump.ts';
import { restoredLines } from '../../../src/core/db/copies/layout.ts';
import { CopyRefused, PartOutOfTurn, restorePart } from '../../../src/core/db/copies/restore.ts';
import { fileStorage } from '../../../src/core/db/embedded/file-storage.ts';
import { openFile } from '../../../src/core/db/embedded/open-file.ts';
import { loadDump } from '../../../src/runtime/node/backup/dump-file.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { fillClinicFile } from '../../support/faults/clinic-file.ts';
import { change, commandLine, everything, newFolder } from '../../support/node/command-line.ts';
import { fillTheRest } from '../../support/node/lived-in.ts';

let folder: string;
let source: string;

beforeEach(async () => {
  folder = newFolder();
  source = join(folder, 'source.db');
  await fillClinicFile(source, 3);
});

const at = <T>(path: string, work: (storage: ReturnType<typeof fileStorage>) => T): T => {
  const database = openFile(path, { timeout: 2_000 });
  try {
    return work(fileStorage(database));
  } finally {
    database.close();
  }
};
const dumped = (): string => at(source, (storage) => [...dumpPages(storage)].join(''));
const write = (text: string): string => {
  const path = join(folder, 'copy.ndjson');
  writeFileSync(path, text);
  return path;
};
const newTarget = async (): Promise<string> => {
  const path = join(folder, 'target.db');
  await (await openDatabase(`file:${path}`)).close();
  return path;
};

describe('a copy by lines', () => {
  it('becomes the database that it was made of, in every row, counter and migration', async () => {
    fillTheRest(source);
    const target = join(folder, 'made.db');
    await loadDump(write(dumped()), target);
    expect(everything(target)).toEqual(everything(source));
    expect(at(target, (storage) => [...dumpPages(storage)].join(''))).toBe(dumped());
  });

  it('holds no table of the platform', () => {
    const before = dumped();
    change(
      source,
      'create table _cf_own (x); create table __miniflare_own (x); insert into _cf_own values (1)',
    );
    expect(dumped()).toBe(before);
  });

  it('is verified and restored by the command line as it is', async () => {
    const janji = commandLine(folder);
    const copy = write(dumped());
    const verified = await janji('verify', copy, '--json');
    expect([verified.status, JSON.parse(verified.out)]).toMatchObject([0, { sound: true, problems: [] }]);
    expect((await janji('restore', copy)).status).toBe(0);
    expect(everything(join(folder, 'janji.db')).bookings).toEqual(everything(source).bookings);
  });

  it('that is cut short, lacks a row or is of a newer version is refused', async () => {
    const janji = commandLine(folder);
    const lines = dumped().trimEnd().split('\n');
    const without = lines.filter((_, nth) => nth !== lines.findLastIndex((one) => one.startsWith('[')));
    const newer = lines[0]?.replace('"migrations":[', '"migrations":["of-a-newer-version",') ?? '';
    for (const [text, why] of [
      [lines.slice(0, -1), 'cut short'],
      [without, 'rows arrived'],
      [[newer, ...lines.slice(1)], 'cannot be read'],
    ] as const) {
      const { status, errors } = await janji('verify', write(text.join('\n')));
      expect([status, errors]).toEqual([1, expect.stringContaining(why)]);
    }
  });

  it('of an older version is migrated like any other backup', async () => {
    const janji = commandLine(folder);
    const head = JSON.parse(dumped().split('\n', 1)[0] ?? '');
    const path = join(folder, 'before.db');
    const empty = join(folder, 'empty.ndjson');
    head.migrations = head.migrations.slice(0, 1);
    writeFileSync(empty, [JSON.stringify(head), '{"end":0}'].join('\n'));
    await loadDump(empty, path);
    change(path, "insert into clinic (id, time_zone, calendar_version) values (1, 'Asia/Jakarta', 1)");
    const older = write(at(path, (storage) => [...dumpPages(storage)].join('')));
    expect((await janji('verify', older)).out).toContain('0 accounts, 0 patients');
    expect((await janji('restore', older)).status).toBe(0);
    expect((await janji('check')).out).not.toContain('older version');
  });
});

describe('a copy that arrives in parts', () => {
  const partsOf = (text: string, size: number): string[] => {
    const lines = text.trimEnd().split('\n');
    return Array.from({ length: Math.ceil(lines.length / size) }, (_, nth) =>
      lines.slice(nth * size, (nth + 1) * size).join('\n'),
    );
  };

  it('takes each part once and in order, says which it expects, and begins anew at the first', async () => {
    const target = await newTarget();
    const parts = partsOf(dumped(), 40);
    const put = (after: number, text = '') => at(target, (storage) => restorePart(storage, { after, text }));
    put(0, parts[0]);
    put(40, parts[1]);
    expect(() => put(40, parts[1])).toThrow(PartOutOfTurn);
    expect(at(target, restoredLines)).toBe(80);
    let lines = 0;
    for (const part of parts) lines = put(lines, part).lines;
    expect(at(target, restoredLines)).toBeNull();
    expect(everything(target)).toEqual(everything(source));
    expect(() => put(0, parts[0])).toThrow(/not empty/);
  });

  it('changes nothing by a part that it refuses', async () => {
    const target = await newTarget();
    const parts = partsOf(dumped(), 40);
    const put = (after: number, text = '') => at(target, (storage) => restorePart(storage, { after, text }));
    put(0, parts[0]);
    const broken = `${parts[1]?.split('\n').slice(0, 20).join('\n')}\n["no row of any table"]`;
    expect(() => put(40, broken)).toThrow(CopyRefused);
    expect(() => put(40, 'no JSON')).toThrow(CopyRefused);
    expect(at(target, restoredLines)).toBe(40);
    for (let nth = 1, lines = 40; nth < parts.length; nth++) lines = put(lines, parts[nth]).lines;
    expect(everything(target)).toEqual(everything(source));
  });
});
