import { ClinicMismatch } from '../../../core/clinic/row.ts';
import type { Db } from '../../../core/db/db.ts';
import type { OpenSandbox } from '../../../core/deps.ts';
import type { Logger } from '../../../core/log.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import { openOnDemand } from '../../../modules/sandbox/on-demand.ts';
import type { NodeSettings } from '../settings.ts';
import { openDatabase } from './database.ts';

type Settings = Pick<NodeSettings, 'DATABASE_URL'> &
  Partial<Pick<NodeSettings, 'SANDBOX_DATABASE_URL' | 'DATABASE_AUTH_TOKEN' | 'DATABASE_KEY'>>;

interface Given {
  /** Makes the sandbox of its database. */
  open: (database: { db: Db }) => Promise<OpenSandbox>;
  log: Pick<Logger, 'error'>;
}

/**
 * The sandbox beside the clinic, where a setting names its database; null without one. Throws where the setting or the
 * database is a mistake; if it only cannot be opened now, the clinic serves, and the sandbox is tried again when it is asked
 * for.
 */
export const connectSandbox = async (settings: Settings, { open, log }: Given) => {
  const { SANDBOX_DATABASE_URL: url, DATABASE_AUTH_TOKEN: token, DATABASE_KEY: key } = settings;
  if (url === undefined) return null;
  if (url === settings.DATABASE_URL)
    throw new SettingError('SANDBOX_DATABASE_URL is that of the clinic: the sandbox needs another one.');
  let close = async (): Promise<void> => {};
  let opening: Promise<OpenSandbox> | null = null;
  const openOnce = async (): Promise<OpenSandbox> => {
    const database = await openDatabase(url, token, { key });
    try {
      const opened = await open(database);
      close = database.close;
      return opened;
    } catch (error) {
      await database.close();
      throw error;
    }
  };
  const beside = openOnDemand(() => {
    opening ??= openOnce().finally(() => {
      opening = null;
    });
    return opening;
  }, log);
  await beside.open().catch((error: unknown) => {
    if (error instanceof SettingError || error instanceof ClinicMismatch) throw error;
  });
  return { beside, close: () => close() };
};
