import { existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type ClinicEntry, changeClinic } from '../../../modules/clinics/queries.ts';
import { isClinicId } from '../../../modules/clinics/rules.ts';
import { withOpened } from '../backup/age.ts';
import { backUp } from '../backup/backup.ts';
import { checksumPathOf } from '../backup/checksum.ts';
import { setAside } from '../backup/restore.ts';
import { copyArchive } from '../backup/with-archive.ts';
import { beginsAnew, takeSandboxAlong } from '../backup/with-sandbox.ts';
import { giveAnotherId } from '../clinics/another-id.ts';
import { type Deployment, type RemoteClinic, reachDeployment } from '../clinics/deployment.ts';
import { exportFromDeployment, restoreToDeployment } from '../clinics/deployment-copies.ts';
import { assertNobodys, clinicPath } from '../clinics/directory-file.ts';
import { archivePathOf, findArchiveBeside } from '../database/archive.ts';
import {
  assertNew,
  companions,
  isBesideName,
  pathBeside,
  pathsBeside,
  removeFile,
} from '../database/database-file.ts';
import type { FileKey } from '../database/file-key.ts';
import { type AllSettings, parseAllSettings } from '../settings.ts';
import { documented, give, type JsonOption, tellMade } from './documented.ts';
import { note, tell } from './terminal.ts';
import {
  addPlace,
  assertLetGo,
  atPlace,
  findNamed,
  type OpenedDirectory,
  type PlaceOption,
  whileHeld,
  withDirectory,
} from './with-directory.ts';

const keysOf = ({ DATABASE_KEY: key, BACKUP_RECIPIENT: recipient }: AllSettings) => ({ key, recipient });

const addExport = (clinics: Command): void => {
  const command = clinics
    .command('export')
    .argument('<host-or-id>', 'which clinic')
    .argument('<file>', 'where the copy goes; an existing file is never overwritten')
    .summary('copy the database of one clinic')
    .description(
      'Copies the database of a clinic as of one moment, while it is served, and verifies the copy. `restore` makes a clinic of its own of it.',
    )
    .action(async (named: string, file: string, options: JsonOption & PlaceOption) => {
      const path = resolve(file);
      const made = await atPlace(options, {
        there: (deployment) =>
          exportFromDeployment(deployment, named, path, keysOf(parseAllSettings(process.env)), note),
        here: async (opened) => {
          const { directory, folder, settings } = opened;
          const clinic = await findNamed(directory, named);
          const own = clinicPath(folder, clinic);
          return whileHeld(opened, clinic, () =>
            backUp(own, path, note, keysOf(settings), findArchiveBeside(own)),
          );
        },
      });
      tellMade(file, made, options);
    });
  documented(addPlace(command), {
    examples: [
      'clinics export melati.janji.example /backup/melati.db',
      'clinics export melati.janji.example /backup/melati.db --at https://clinics.vendor.example',
    ],
    exitCodes: '0 made and verified, 1 not made, 2 made of data that is not sound',
  });
};

/** Makes a closed clinic at a deployment, fills it, and opens it. */
const fillThere = async (
  deployment: Deployment,
  { id: from, name, hosts, timeZone }: Pick<ClinicEntry, 'id' | 'name' | 'hosts' | 'timeZone'>,
  id: string,
  file: string,
  own: Pick<OpenedDirectory, 'settings' | 'folder'>,
): Promise<void> => {
  const json = { id, name, hosts, time_zone: timeZone, state: 'closed' };
  // An attempt that was cut short has made it.
  await deployment
    .ask<RemoteClinic>('GET', deployment.clinic(id))
    .catch(() => deployment.ask('POST', '/clinics', json));
  const key = own.settings.DATABASE_KEY;
  await restoreToDeployment(deployment, id, file, key, note, findArchiveBeside(file), async (path) => {
    if (id !== from) await giveAnotherId(path, { from, to: id }, own);
  });
  await deployment.ask('POST', `${deployment.clinic(id)}/open`);
};

const addImport = (clinics: Command): void => {
  const command = clinics
    .command('import')
    .argument('<host-or-id>', 'which clinic of the deployment; new and closed, with no people yet')
    .argument('<file>', 'a backup or an export')
    .requiredOption('--at <url>', 'the address of the deployment, by its OPERATOR_SECRET')
    .summary('fill a new clinic of a deployment from a copy')
    .description(
      'Verifies a copy and fills a new clinic of a deployment with it, such as one that `clinics add --closed` made. It is opened by `clinics open`.',
    )
    .action(async (named: string, file: string, options: JsonOption & { at: string }) => {
      const { DATABASE_KEY: key, BACKUP_IDENTITY_FILE } = parseAllSettings(process.env);
      const deployment = reachDeployment(options.at, process.env);
      await withOpened(resolve(file), BACKUP_IDENTITY_FILE, (path) =>
        restoreToDeployment(deployment, named, path, key, note),
      );
      give(options, { clinic: named }, () => tell(`${named} holds the rows of ${file}.`));
      note('Open it with `janji clinics open`.');
    });
  documented(command, {
    examples: ['clinics import melati.janji.example /backup/melati.db --at https://clinics.vendor.example'],
  });
};

/** Copies a database that is written to at its new place from then on. */
const copySound = async (from: string, to: string, key: FileKey): Promise<void> => {
  const { problems } = await backUp(from, to, note, { key });
  rmSync(checksumPathOf(to), { force: true });
  if (problems.length === 0) return;
  removeFile(to);
  throw new Error(`The data of ${from} is not sound, and nothing was moved:\n${problems.join('\n')}`);
};

/** Copies a database, and what lies beside it, to another place; they count from `named` on. */
const moveFiles = async (
  from: string,
  to: string,
  key: FileKey,
  named: () => Promise<void>,
): Promise<void> => {
  const archive = findArchiveBeside(from);
  const sandbox = pathBeside(from, 'sandbox');
  const [archiveTo, sandboxTo] = [archivePathOf(to), pathBeside(to, 'sandbox')];
  for (const path of [to, archiveTo]) assertNew(path);
  // Beside no database it is nobody's: a move that was killed has left it.
  if (existsSync(sandboxTo)) note(`${sandboxTo} is kept as ${setAside(sandboxTo, Date.now())}.`);
  if (archive !== null) await copyArchive(archive, archiveTo, key, note);
  try {
    const copySandbox = () => copySound(sandbox, sandboxTo, key);
    if (existsSync(sandbox) && !(await takeSandboxAlong(sandbox, key, copySandbox)))
      note(`The sandbox ${sandbox} cannot be read, and stays behind: ${beginsAnew}.`);
    await copySound(from, to, key);
  } catch (error) {
    for (const path of [archiveTo, sandboxTo]) removeFile(path);
    throw error;
  }
  await named();
  for (const path of [from, archive ?? [], sandbox].flat())
    for (const end of ['', ...companions])
      if (existsSync(path + end)) renameSync(path + end, `${path}.moved${end}`);
};

const isAddress = (to: string): boolean => /^https?:\/\//.test(to);

const addMove = (clinics: Command): void => {
  const command = clinics
    .command('move')
    .argument('<host-or-id>', 'which clinic; it has to be closed')
    .requiredOption(
      '--to <file-or-url>',
      'the new file of its database, or the address of another deployment',
    )
    .option('--id <id>', 'another id that it has at that address')
    .summary('move the database of a closed clinic')
    .description(
      'Copies the database of a closed clinic to another file, verifies the copy, and lets the directory name it. The file before is kept, with .moved after its name. With an address it makes the clinic at that deployment, which takes its OPERATOR_SECRET, the same JWT_SECRET and DATA_KEY; the clinic stays closed here. With --id, for an id that is not accepted any more, its people have to log in again, and its API keys and calendar addresses end.',
    )
    .action((named: string, options: JsonOption & { to: string; id?: string }) =>
      withDirectory(async (opened) => {
        const { directory, folder, settings } = opened;
        const clinic = await findNamed(directory, named);
        assertLetGo(clinic, Date.now());
        const from = clinicPath(folder, clinic);
        const { id = clinic.id } = options;
        if (isAddress(options.to)) {
          if (!isClinicId(id))
            throw new Error(`${id} is no id there (docs/clinics.md): name another one, with --id.`);
          const there = reachDeployment(options.to, process.env);
          await whileHeld(opened, clinic, () => fillThere(there, clinic, id, from, opened), {
            isAlone: true,
          });
          give(options, { id, at: options.to }, () => tell(`${clinic.name}: ${options.to}`));
          return note(
            'It is open there: let its host lead there. Its settings are set there by `janji clinics set --at`. Here it is closed; `janji clinics delete` ends it.',
          );
        }
        if (id !== clinic.id) throw new Error('--id is for a move to an address.');
        const to = resolve(options.to);
        if (isBesideName(to))
          throw new Error(
            `${to} is the name of an archive or a sandbox, that of the file beside it: name another file.`,
          );
        await assertNobodys(directory, folder, [to, ...pathsBeside(to)]);
        await whileHeld(
          opened,
          clinic,
          () =>
            moveFiles(from, to, settings.DATABASE_KEY, () =>
              changeClinic(directory, clinic.id, { file: to }),
            ),
          { isAlone: true },
        );
        give(options, { id: clinic.id, file: to, kept_as: `${from}.moved` }, () =>
          tell(`${clinic.name}: ${to}`),
        );
        note('Open it again with `janji clinics open`.');
      }),
    );
  documented(command, {
    examples: [
      'clinics move melati.janji.example --to /disk2/melati.db',
      'clinics move melati.janji.example --to https://clinics.vendor.example',
      'clinics move melati-archive --to https://clinics.vendor.example --id melati',
    ],
  });
};

const addRewind = (clinics: Command): void => {
  const command = clinics
    .command('rewind')
    .argument('<host-or-id>', 'which clinic; it has been closed for two minutes')
    .argument(
      '<moment>',
      'a time of the last 30 days, as 2026-11-27T08:30:00+07:00, or the bookmark of an undo',
    )
    .requiredOption('--at <url>', 'the address of the deployment on Workers, by its OPERATOR_SECRET')
    .summary('bring a clinic on Workers back to a moment of the past')
    .description(
      'Lets the platform bring the database of a clinic back to a moment. What was written since is gone; the answer names the bookmark that undoes it.',
    )
    .action(async (named: string, moment: string, options: JsonOption & { at: string }) => {
      const { ask, clinic } = reachDeployment(options.at, process.env);
      const to = /^\d{4}-/.test(moment) ? { at: moment } : { bookmark: moment };
      const { data } = await ask<{ id: string; undo: string }>('POST', `${clinic(named)}/rewind`, to);
      give(options, data, () => tell(`${named} is as it was at ${moment}. To undo it: ${data.undo}`));
      note('Open it with `janji clinics open`.');
    });
  documented(command, {
    examples: [
      'clinics rewind melati.janji.example 2026-11-27T08:30:00+07:00 --at https://clinics.vendor.example',
    ],
  });
};

export const addClinicsCopies = (clinics: Command): void => {
  addMove(clinics);
  addExport(clinics);
  addImport(clinics);
  addRewind(clinics);
};
