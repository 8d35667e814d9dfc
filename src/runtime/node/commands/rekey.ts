import type { Command } from 'commander';
import { eq } from 'drizzle-orm';
import { type Archive, openArchive } from '../../../core/archive/archive.ts';
import { endSealedByJwt } from '../../../core/clinic/row.ts';
import { createSecretBox } from '../../../core/crypto/sealing.ts';
import { createTokenKeys } from '../../../core/crypto/token-keys.ts';
import type { Db } from '../../../core/db/db.ts';
import { consoleLogger } from '../../../core/log.ts';
import { type Config, parseConfig } from '../../../core/settings/config.ts';
import { clinic } from '../../../core/tables/catalog.ts';
import { rekey, type Sealed } from '../../../jobs/rekey.ts';
import type { Sealing } from '../../../modules/patients/numbers/numbers.ts';
import { keysAtHand, secretsAtHand } from '../checks/sealed-secrets.ts';
import { openD1ByWrangler } from '../d1/d1-database.ts';
import { addD1Options, type D1Options, findSandboxOnD1, toPlace, workerVariables } from '../d1/wrangler.ts';
import { connectArchive } from '../database/archive.ts';
import { openDatabase } from '../database/database.ts';
import { assertThere } from '../database/database-file.ts';
import { findSandbox } from '../database/sandbox.ts';
import { doEveryStep } from '../every-step.ts';
import { explainError } from '../reason.ts';
import { parseNodeSettings } from '../settings.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { note, tell } from './terminal.ts';

export interface Opened {
  db: Db;
  config: Config;
  /** Its archive, to be read. */
  archive?: Archive;
  /** The path of an embedded database; its keys may be in files beside it. */
  path: string | null;
  close: () => Promise<void>;
}

const noClinic = 'There is no clinic in this database yet.';

const readClinicId = async (db: Db): Promise<string> => {
  const [row] = await db.select({ id: clinic.clinicId }).from(clinic).where(eq(clinic.id, 1));
  if (typeof row?.id !== 'string') throw new Error(noClinic);
  return row.id;
};

/** Opens the database that a command is for, with its settings; one that is not there is made only by a command that begins with it. */
export const openChosen = async (options: D1Options, { makes = false } = {}): Promise<Opened> => {
  const place = toPlace(options);
  if (place !== null) {
    const config = parseConfig({ ...(await workerVariables()), ...process.env });
    return { db: openD1ByWrangler(place), config, path: null, close: async () => {} };
  }
  const settings = parseNodeSettings(process.env);
  const { DATABASE_URL, DATABASE_AUTH_TOKEN, DATABASE_KEY: key } = settings;
  if (!makes) assertThere(DATABASE_URL);
  const opened = await openDatabase(DATABASE_URL, DATABASE_AUTH_TOKEN, { key });
  const config = parseConfig(process.env);
  const archive = await connectArchive({ ...settings, ARCHIVE_AFTER_DAYS: config.ARCHIVE_AFTER_DAYS });
  const close = () => doEveryStep([archive?.close, opened.close]);
  if (archive === null) return { ...opened, config, close };
  const clinicId = config.CLINIC_ID ?? (await readClinicId(opened.db));
  return { ...opened, config, close, archive: await openArchive(archive, clinicId) };
};

/**
 * Seals with the current key; opens with every key that is set, also those from before DATA_KEY and from before clinics
 * had ids.
 */
export const createSealing = async ({ db, config, path }: Opened): Promise<Sealing> => {
  const [row] = await db.select().from(clinic).where(eq(clinic.id, 1));
  if (row === undefined) throw new Error(noClinic);
  const secrets = secretsAtHand(config, path);
  if (secrets.dataKey === undefined)
    throw new Error('DATA_KEY is not set: it is what everything is sealed with.');
  if (row.sealedByJwt && secrets.secret === undefined)
    throw new Error('JWT_SECRET is not set: this database was sealed with it before there was a DATA_KEY.');
  const identity = {
    clinicId: config.CLINIC_ID ?? row.clinicId ?? '',
    hasLegacyKeys: true,
    sealedByJwt: true,
  };
  const keys = await keysAtHand(identity, secrets);
  const log = consoleLogger('warn');
  return { db, log, secretBox: await createSecretBox(keys), tokenKeys: await createTokenKeys(keys) };
};

const tellProgress = ({ current, older }: Sealed): void => {
  if (older > 0) note(`${current} of ${current + older} values are sealed by this DATA_KEY.`);
};

const sealAnew = async (opened: Opened): Promise<Sealed> => {
  const sealed = await rekey(await createSealing(opened), tellProgress);
  if (sealed.older === 0 && sealed.lost === 0) await endSealedByJwt(opened.db);
  return sealed;
};

/** Opens the database of the clinic's sandbox, which has an id of its own and the clinic's keys; null if there is none. */
const openSandbox = async (options: D1Options, { config, path }: Opened): Promise<Opened | null> => {
  const opened = { config: { ...config, CLINIC_ID: undefined }, path, close: async () => {} };
  const place = toPlace(options);
  if (place !== null) {
    const beside = await findSandboxOnD1(place);
    return beside && { ...opened, db: openD1ByWrangler(beside) };
  }
  const settings = parseNodeSettings(process.env);
  const url = findSandbox(settings);
  if (url === null) return null;
  const { DATABASE_AUTH_TOKEN, DATABASE_KEY: key } = settings;
  const { db, close } = await openDatabase(url, DATABASE_AUTH_TOKEN, { key });
  return { ...opened, db, close };
};

/** Does the same in the sandbox. One that cannot be read, or whose key is lost, holds up no clinic. */
const sealSandboxAnew = async (options: D1Options, own: Opened): Promise<Sealed> => {
  const nothing = { current: 0, older: 0, lost: 0 };
  try {
    const sandbox = await openSandbox(options, own);
    if (sandbox === null) return nothing;
    const sealed = await sealAnew(sandbox).finally(sandbox.close);
    if (sealed.lost > 0)
      note(
        `${sealed.lost} values of the sandbox were sealed by a key that is not set: POST /v1/sandbox/reset begins it again.`,
      );
    return sealed;
  } catch (error) {
    const reason = explainError(error).replaceAll('DATABASE_URL', 'its database');
    note(`The sandbox was passed over, since it cannot be sealed anew: ${reason}`);
    return nothing;
  }
};

const run = async (options: D1Options & JsonOption): Promise<void> => {
  const opened = await openChosen(options);
  try {
    const own = await sealAnew(opened);
    const sandbox = await sealSandboxAnew(options, opened);
    const [current, older] = [own.current + sandbox.current, own.older + sandbox.older];
    const { lost } = own;
    if (older > 0)
      throw new Error(
        `${older} values could not be sealed anew: does a service still run with the key before as its DATA_KEY? ${current} are done; begin again once it has ended.`,
      );
    if (lost > 0)
      throw new Error(
        `${lost} values were sealed by a key that is not set, and stay as they are: set it as DATA_KEY_PREVIOUS, and begin again. ${current} are sealed by this DATA_KEY.`,
      );
    give(options, { sealed: current }, () =>
      tell(`All ${current} sealed values are sealed by this DATA_KEY: no key before it is needed any more.`),
    );
  } finally {
    await opened.close();
  }
};

/** `rekey`: seals everything by the present DATA_KEY. */
export const addRekey = (program: Command): void => {
  const command = program
    .command('rekey')
    .summary('seal numbers and secrets by the present DATA_KEY')
    .description(
      'Seals national and insurance numbers and the secrets of webhooks and authenticator apps by DATA_KEY, in small steps and while the service runs on.',
    )
    .addHelpText(
      'after',
      `
The key before goes into DATA_KEY_PREVIOUS, for the service (start it again with both) and for this command; what was
sealed before there was a DATA_KEY opens with JWT_SECRET. Broken off, it goes on where it was. Afterwards nothing needs
the keys of before: take DATA_KEY_PREVIOUS away and start the service again. With --d1 this shell has to have the keys.`,
    );
  documented(addD1Options(command).action(run), {
    examples: ['rekey', 'rekey --d1 --remote'],
    exitCodes: '0 all is sealed by DATA_KEY, 1 not all',
  });
};
