import { join } from 'node:path';
import { Command } from 'commander';
import { type ClinicEntry, changeClinic, listClinics, lowerDueAt } from '../../../modules/clinics/queries.ts';
import {
  buildEnvironment,
  changeSettings,
  createSettingsBox,
  openSettings,
} from '../../../modules/clinics/settings.ts';
import { clinicPath, readClinicsSecrets } from '../clinics/directory-file.ts';
import { withFile } from '../database/database-file.ts';
import { explainError } from '../reason.ts';
import { setGivenClinic } from './documented.ts';
import { note, tell } from './terminal.ts';
import { assertLetGo, findNamed, type OpenedDirectory, whileHeld, withDirectory } from './with-directory.ts';

interface Options {
  clinic?: string;
  all?: boolean;
  json?: boolean;
}

/** Commands that replace the file of a clinic: no service may have it open. */
const replacing: readonly string[] = ['restore', 'import', 'encrypt', 'decrypt'];
/** Commands after which nothing is due that was not before. */
const reading: readonly string[] = [
  'check',
  'status',
  'verify',
  'backup',
  'export',
  'export-data',
  'audit',
  'list',
];

/** The environment that a command of one clinic works with, as if that clinic were alone. */
const environmentFor = async (
  clinic: ClinicEntry,
  { folder, settings }: OpenedDirectory,
  before: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> => {
  const secrets = readClinicsSecrets(settings, folder);
  const box = () => createSettingsBox(clinic.id, settings, secrets);
  const own = { ...clinic, settings: await openSettings(clinic.settings, box) };
  const { BACKUP_FOLDER } = settings;
  return {
    ...(buildEnvironment(before, own) as NodeJS.ProcessEnv),
    JWT_SECRET: secrets.secret,
    DATA_KEY: secrets.dataKey,
    DATABASE_URL: `file:${clinicPath(folder, clinic)}`,
    ARCHIVE_DATABASE_URL: undefined,
    SANDBOX_DATABASE_URL: undefined,
    ...(BACKUP_FOLDER !== undefined && { BACKUP_FOLDER: join(BACKUP_FOLDER, clinic.id) }),
  };
};

/** After `rezone` the directory says the time zone that the clinic's database is in: with another one it is not opened. */
const noteZone = async ({ directory, folder, settings }: OpenedDirectory, clinic: ClinicEntry) => {
  const read = 'select time_zone from clinic where id = 1';
  const row = withFile(
    clinicPath(folder, clinic),
    (database) => database.prepare(read).raw().get() as [string] | undefined,
    settings.DATABASE_KEY,
  );
  const [timeZone] = row ?? [clinic.timeZone];
  if (timeZone === clinic.timeZone) return;
  await changeClinic(directory, clinic.id, { timeZone });
  note(
    `The directory has ${timeZone} for ${clinic.name} now: a service that is running takes it within a minute.`,
  );
};

/** After `rekey` the settings that the directory keeps sealed need no key before either. */
const resealSettings = async ({ directory, folder, settings }: OpenedDirectory, clinic: ClinicEntry) => {
  const sealed = await changeSettings(clinic, {}, settings, readClinicsSecrets(settings, folder));
  await changeClinic(directory, clinic.id, { settings: sealed });
};

const namedClinics = async (
  { clinic, all }: Options,
  { directory }: OpenedDirectory,
): Promise<readonly ClinicEntry[]> => {
  if (clinic !== undefined && all) throw new Error('--clinic and --all exclude each other.');
  return clinic === undefined ? listClinics(directory) : [await findNamed(directory, clinic)];
};

/** `{clinic}` in an argument stands for the id, so that each clinic has a file of its own. */
const withId = (args: readonly unknown[], id: string): unknown[] =>
  args.map((arg) => (typeof arg === 'string' ? arg.replaceAll('{clinic}', id) : arg));

const runAtEach = (name: string, options: Options, run: (id: string) => unknown): Promise<void> =>
  withDirectory(async (opened) => {
    const before = process.env;
    let exitCode = 0;
    for (const clinic of await namedClinics(options, opened)) {
      const isAlone = replacing.includes(name);
      if (isAlone) assertLetGo(clinic, Date.now());
      if (options.all) note(`# ${clinic.name} (${clinic.id})`);
      try {
        const runHere = async (): Promise<void> => {
          process.env = await environmentFor(clinic, opened, before);
          setGivenClinic(options.all ? clinic.id : null);
          process.exitCode = 0;
          await run(clinic.id);
          if (name === 'rezone') await noteZone(opened, clinic);
          if (name === 'rekey') await resealSettings(opened, clinic);
        };
        await whileHeld(opened, clinic, runHere, { isAlone });
      } catch (error) {
        if (!options.all) throw error;
        process.exitCode = 1;
        const reason = explainError(error);
        note(reason);
        // A line of each clinic: a script learns which one failed.
        if (options.json) tell(JSON.stringify({ clinic: clinic.id, error: reason }));
      } finally {
        process.env = before;
        setGivenClinic(null);
      }
      exitCode = Math.max(exitCode, Number(process.exitCode ?? 0));
      if (!reading.includes(name)) await lowerDueAt(opened.directory, clinic.id, Date.now());
    }
    process.exitCode = exitCode;
  });

/** A command that can also be run at one clinic of many, or at each of them in turn. */
export class ClinicCommand extends Command {
  override createCommand(name?: string): Command {
    return new ClinicCommand(name);
  }

  override action(run: (...args: never[]) => void | Promise<void>): this {
    return super.action(async (...args: unknown[]) => {
      const call = run as (...given: unknown[]) => void | Promise<void>;
      const options = this.opts<Options>();
      if (options.clinic === undefined && !options.all) return call(...args);
      await runAtEach(this.name(), options, (id) => call(...withId(args, id)));
    });
  }
}
