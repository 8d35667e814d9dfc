import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ClinicMismatch } from '../../../core/clinic/row.ts';
import type { Db } from '../../../core/db/db.ts';
import type { OpenSandbox } from '../../../core/deps.ts';
import type { Logger } from '../../../core/log.ts';
import type { Config } from '../../../core/settings/config.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import { openInTurn } from '../../../modules/sandbox/on-demand.ts';
import { PassingError } from '../passing-error.ts';
import type { NodeSettings } from '../settings.ts';
import { archiveUrlOf } from './archive.ts';
import { openDatabase } from './database.ts';
import { isFileUrl, parseFilePath, pathBeside } from './database-file.ts';
import { WrongKey } from './file-key.ts';
import { isSameDatabase } from './same-database.ts';

type Settings = Pick<NodeSettings, 'DATABASE_URL'> &
  Partial<
    Pick<
      NodeSettings,
      'SANDBOX_DATABASE_URL' | 'ARCHIVE_DATABASE_URL' | 'DATABASE_AUTH_TOKEN' | 'DATABASE_KEY'
    >
  > &
  Partial<Pick<Config, 'SANDBOX'>>;

interface Given {
  /** Makes the sandbox of its database. */
  open: (database: { db: Db }) => Promise<OpenSandbox>;
  log: Pick<Logger, 'error'>;
  clock: () => number;
}

/** Where the sandbox is: where a setting says, or beside the clinic's file; null if there is none. */
const sandboxUrlOf = ({ SANDBOX_DATABASE_URL: url, SANDBOX, DATABASE_URL }: Settings): string | null => {
  if (url !== undefined) return url;
  if (SANDBOX !== 'on') return null;
  const own = parseFilePath(DATABASE_URL, 'SANDBOX=on needs a SANDBOX_DATABASE_URL then.');
  return `file:${pathBeside(own, 'sandbox')}`;
};

/** Whose database an address names, if it is another one than the sandbox's. */
const ownerOf = (url: string, settings: Settings): 'clinic' | 'archive' | null => {
  if (isSameDatabase(url, settings.DATABASE_URL)) return 'clinic';
  const archive = archiveUrlOf(settings);
  return archive !== null && isSameDatabase(url, archive) ? 'archive' : null;
};

const pathOf = (url: string): string => resolve(url.slice('file:'.length));

/**
 * Where a sandbox is that is there, whether the clinic uses it at present or not; null if there is none. Commands may put it aside, so
 * that no other database of the clinic is taken for it.
 */
export const findSandbox = (settings: Settings): string | null => {
  if (settings.SANDBOX_DATABASE_URL === undefined && !isFileUrl(settings.DATABASE_URL)) return null;
  const url = sandboxUrlOf({ ...settings, SANDBOX: 'on' });
  if (url === null || ownerOf(url, settings) !== null) return null;
  return isFileUrl(url) && !existsSync(pathOf(url)) ? null : url;
};

/** The path of such a sandbox that is a file. */
export const findSandboxFile = (settings: Settings): string | null => {
  const url = findSandbox(settings);
  return url !== null && isFileUrl(url) ? pathOf(url) : null;
};

/**
 * The sandbox beside the clinic, where a setting names its database; null without one. Throws where the setting or the
 * database is a mistake; if it only cannot be opened now, the clinic serves, and the sandbox is tried again when it is asked
 * for.
 */
export const connectSandbox = async (settings: Settings, given: Given) => {
  const { DATABASE_AUTH_TOKEN: token, DATABASE_KEY: key } = settings;
  const url = sandboxUrlOf(settings);
  if (url === null) return null;
  const owner = ownerOf(url, settings);
  if (owner !== null)
    throw new SettingError(`SANDBOX_DATABASE_URL is that of the ${owner}: the sandbox needs another one.`);
  const inTurn = openInTurn({ find: () => openDatabase(url, token, { key }), ...given });
  await inTurn.beside.open().catch((error: unknown) => {
    // As one without a key that is damaged: the key is right, since it has opened the clinic's own database.
    if (error instanceof PassingError || error instanceof WrongKey) return;
    if (error instanceof SettingError || error instanceof ClinicMismatch) throw error;
  });
  return inTurn;
};
