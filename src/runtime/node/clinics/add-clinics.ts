import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureClinic } from '../../../core/clinic/row.ts';
import { isTimeZone } from '../../../core/clinic/time.ts';
import type { Db } from '../../../core/db/db.ts';
import { newId } from '../../../core/db/ids.ts';
import { createHasher } from '../../../modules/auth/passwords/hasher.ts';
import { findClinic, insertClinic, lowerDueAt } from '../../../modules/clinics/queries.ts';
import { isClinicId, normalizeHost } from '../../../modules/clinics/rules.ts';
import { seedDemo } from '../../../modules/demo/demo.ts';
import { makeSetupLink } from '../../../modules/setup/link.ts';
import { openDatabase } from '../database/database.ts';
import { companions } from '../database/database-file.ts';
import { type AllSettings, isOpenToOthers } from '../settings.ts';
import { clinicPath } from './directory-file.ts';

/** A clinic as an operator describes it. */
export interface Described {
  name: string;
  hosts: readonly string[];
  timeZone?: string | undefined;
  /** The e-mail of the first admin, for whoever sends the link. */
  admin?: string | undefined;
  demo?: boolean | undefined;
  id?: string | undefined;
}

export interface Added {
  id: string;
  name: string;
  host: string;
  admin: string | null;
  /** Makes the first admin, once; null for a demo clinic, which has its accounts. */
  link: string | null;
}

/** How long the link of the first admin is good: whoever adds a thousand clinics writes mails first. */
const linkTtlMs = 7 * 86_400_000;
const longestName = 200;

/** Where people reach a clinic: under its host, on this machine with the port. */
export const originOf = (host: string, settings: AllSettings): string =>
  isOpenToOthers(settings) ? `https://${host}` : `http://${host}:${settings.PORT}`;

const checked = async (directory: Db, { name, hosts, timeZone, admin, id }: Described) => {
  const names = hosts.map((host) => {
    const normalized = normalizeHost(host);
    if (normalized === null) throw new Error(`${host} is no host, such as melati.janji.example.`);
    return normalized;
  });
  const [host] = names;
  if (host === undefined) throw new Error(`${name}: a clinic has at least one host.`);
  if (name.trim() === '' || name.length > longestName)
    throw new Error(`A clinic's name has 1 to ${longestName} characters.`);
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw new Error(`${timeZone} is no IANA time zone, such as Asia/Jakarta.`);
  if (admin !== undefined && !/^[^\s@]+@[^\s@]+$/.test(admin)) throw new Error(`${admin} is no e-mail.`);
  if (id !== undefined && !isClinicId(id))
    throw new Error(`${id} is no id: 1 to 64 letters, digits, dots, dashes and underscores.`);
  for (const one of id === undefined ? names : [...names, id]) {
    const taken = await findClinic(directory, one);
    if (taken !== null) throw new Error(`${one} is ${taken.name}'s already (${taken.id}).`);
  }
  return { names, host };
};

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
}

/** Adds a clinic: its database first, and then its line in the directory, from which it is served. */
export const addClinic = async (described: Described, needs: Needs): Promise<Added> => {
  const { directory, folder, settings, maker, now } = needs;
  const { names, host } = await checked(directory, described);
  const { name, timeZone = settings.CLINIC_TIME_ZONE, admin = null, demo = false, id = newId() } = described;
  const path = clinicPath(folder, { id, file: null });
  await maker.make(folder, path);
  try {
    const database = await openDatabase(`file:${path}`, undefined, { key: settings.DATABASE_KEY });
    let link: string | null = null;
    try {
      await ensureClinic(database.db, timeZone, id);
      if (demo) await seedDemo(database.db, createHasher(), now);
      else link = await makeSetupLink(database.db, id, originOf(host, settings), now, linkTtlMs);
    } finally {
      await database.close();
    }
    await insertClinic(directory, { id, name, timeZone, hosts: names }, now);
    if (demo) await lowerDueAt(directory, id, now);
    return { id, name, host, admin, link };
  } catch (error) {
    for (const end of ['', ...companions]) rmSync(path + end, { force: true });
    throw error;
  }
};
