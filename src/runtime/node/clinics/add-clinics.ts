import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureClinic } from '../../../core/clinic/row.ts';
import type { Db, Statement } from '../../../core/db/db.ts';
import { newId } from '../../../core/db/ids.ts';
import { createHasher } from '../../../modules/auth/passwords/hasher.ts';
import { checkDescribed, type Described, firstLinkTtlMs } from '../../../modules/clinics/described.ts';
import { type ClinicEntry, insertClinic, lowerDueAt } from '../../../modules/clinics/queries.ts';
import { seedDemo } from '../../../modules/demo/demo.ts';
import type { DescribedClinic } from '../../../modules/operators/hosting.ts';
import { makeSetupLink } from '../../../modules/setup/link.ts';
import { findArchiveBeside, removeArchive } from '../database/archive.ts';
import { openDatabase } from '../database/database.ts';
import { companions, pathBeside, pathsBeside, removeFile } from '../database/database-file.ts';
import { type AllSettings, isOpenToOthers } from '../settings.ts';
import { assertNobodys, clinicPath } from './directory-file.ts';

export interface Added {
  id: string;
  name: string;
  host: string;
  admin: string | null;
  /** Makes the first admin, once; null for a demo clinic, which has its accounts. */
  link: string | null;
}

/** Where people reach a clinic: under its host, on this machine with the port. */
export const originOf = (host: string, settings: AllSettings): string =>
  isOpenToOthers(settings) ? `https://${host}` : `http://${host}:${settings.PORT}`;

/** Makes new databases from one that is migrated once: a thousand are made in a minute. */
export const createClinicMaker = (settings: AllSettings) => {
  const key = settings.DATABASE_KEY;
  let template: { folder: string; path: string } | undefined;
  const makeTemplate = async (folder: string) => {
    const made = mkdtempSync(join(folder, '.template-'));
    const path = join(made, 'template.db');
    const { emptyLog, close } = await openDatabase(`file:${path}`, undefined, { key });
    await emptyLog?.('now');
    await close();
    return { folder: made, path };
  };
  return {
    make: async (folder: string, path: string): Promise<void> => {
      if (existsSync(path)) throw new Error(`${path} exists already and is not overwritten.`);
      template ??= await makeTemplate(folder);
      copyFileSync(template.path, path);
    },
    end: (): void => {
      if (template !== undefined) rmSync(template.folder, { recursive: true, force: true });
    },
  };
};

interface Needs {
  directory: Db;
  folder: string;
  settings: AllSettings;
  maker: ReturnType<typeof createClinicMaker>;
  now: number;
  /** What is written in the step that adds it. */
  recorded?: (id: string) => Statement;
}

const remove = (path: string): void => {
  removeArchive(path);
  for (const end of ['', ...companions]) rmSync(path + end, { force: true });
};

/** Adds a clinic: its database first, and then its line in the directory, from which it is served. */
export const addClinic = async (
  described: Described & Pick<DescribedClinic, 'state' | 'isRepeated'>,
  needs: Needs,
): Promise<Added> => {
  const { directory, folder, settings, maker, now, recorded } = needs;
  const { state = 'open', isRepeated = false } = described;
  const { names, host } = await checkDescribed(directory, described);
  const { name, timeZone = settings.CLINIC_TIME_ZONE, admin = null, demo = false, id = newId() } = described;
  const path = clinicPath(folder, { id, file: null });
  await assertNobodys(directory, folder, pathsBeside(path));
  if (isRepeated) remove(path);
  // Of an earlier clinic of this id, whose bookings would be this one's.
  const left = findArchiveBeside(path);
  if (left !== null) throw new Error(`${left} is there, and no database beside it: move it away first.`);
  removeFile(pathBeside(path, 'sandbox'));
  await maker.make(folder, path);
  try {
    const database = await openDatabase(`file:${path}`, undefined, { key: settings.DATABASE_KEY });
    let link: string | null = null;
    try {
      await ensureClinic(database.db, timeZone, id);
      if (demo) await seedDemo(database.db, createHasher(), now);
      else link = await makeSetupLink(database.db, id, originOf(host, settings), now, firstLinkTtlMs);
    } finally {
      await database.close();
    }
    const row = { id, name, timeZone, hosts: names, state };
    await insertClinic(directory, row, now, recorded === undefined ? [] : [recorded(id)]);
    if (demo) await lowerDueAt(directory, id, now);
    return { id, name, host, admin, link };
  } catch (error) {
    remove(path);
    throw error;
  }
};

/** Makes another link for a clinic's first admin; null once it has one. */
export const makeLink = async (
  clinic: ClinicEntry,
  { folder, settings, now }: Pick<Needs, 'folder' | 'settings' | 'now'>,
): Promise<string | null> => {
  const path = clinicPath(folder, clinic);
  const { db, close } = await openDatabase(`file:${path}`, undefined, { key: settings.DATABASE_KEY });
  try {
    const { hasAdmin } = await ensureClinic(db, clinic.timeZone, clinic.id);
    const origin = originOf(clinic.hosts[0] ?? '', settings);
    return hasAdmin ? null : await makeSetupLink(db, clinic.id, origin, now, firstLinkTtlMs);
  } finally {
    await close();
  }
};
