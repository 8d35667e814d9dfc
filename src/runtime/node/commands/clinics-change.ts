import { renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  changeClinic,
  deleteClinic,
  findClinic,
  listClinics,
  replaceHosts,
  setState,
} from '../../../modules/clinics/queries.ts';
import { normalizeHost } from '../../../modules/clinics/rules.ts';
import {
  assertClinicSettings,
  createSettingsBox,
  openSettings,
  sealSettings,
} from '../../../modules/clinics/settings.ts';
import { backUp } from '../backup/backup.ts';
import { clinicPath, readClinicsSecrets } from '../clinics/directory-file.ts';
import { companions } from '../database/database-file.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { note, tell, tellMade } from './terminal.ts';
import { assertLetGo, findNamed, withDirectory } from './with-directory.ts';

const withinAMinute = 'A running service knows it within a minute.';

const addStateCommand = (clinics: Command, verb: 'open' | 'close'): void => {
  const state = verb === 'open' ? 'open' : 'closed';
  const command = clinics
    .command(verb)
    .argument('<host-or-id>', 'which clinic')
    .summary(`${verb} a clinic`)
    .description(
      verb === 'open'
        ? 'Opens a clinic that was closed, or one that could not be opened, so that it is served again.'
        : 'Closes a clinic: it answers 503 until it is opened again. Its data stays.',
    )
    .action((named: string, options: JsonOption) =>
      withDirectory(async ({ directory }) => {
        const { id, name, state: before } = await findNamed(directory, named);
        if (before !== state || verb === 'open') await setState(directory, id, state, Date.now());
        give(options, { id, state }, () => tell(`${name} is ${state}.`));
        note(withinAMinute);
      }),
    );
  documented(command, { atClinics: false, examples: [`clinics ${verb} melati.janji.example`] });
};

const addRename = (clinics: Command): void => {
  const command = clinics
    .command('rename')
    .argument('<host-or-id>', 'which clinic')
    .argument('[name]', 'its new name in the directory; patients see the one that its admin has set')
    .summary('give a clinic another name or other hosts')
    .description('Gives a clinic another name in the directory, or other hosts.')
    .option('--host <host...>', 'all of its hosts from now on; mails lead to the first')
    .action((named: string, name: string | undefined, options: JsonOption & { host?: string[] }) =>
      withDirectory(async ({ directory }) => {
        const { id, ...before } = await findNamed(directory, named);
        const hosts = options.host?.map((host) => normalizeHost(host) ?? '');
        if (hosts?.includes('')) throw new Error('A host is a name such as melati.janji.example.');
        for (const host of hosts ?? []) {
          const owner = await findClinic(directory, host);
          if (owner !== null && owner.id !== id) throw new Error(`${host} is ${owner.name}'s already.`);
        }
        if (name !== undefined) await changeClinic(directory, id, { name });
        if (hosts !== undefined) await replaceHosts(directory, id, hosts);
        const now = { id, name: name ?? before.name, hosts: hosts ?? before.hosts };
        give(options, now, () => tell(`${now.name}: ${now.hosts.join(', ')}`));
        note(withinAMinute);
      }),
    );
  documented(command, {
    atClinics: false,
    examples: ['clinics rename melati.janji.example "Klinik Melati 2" --host melati2.janji.example'],
  });
};

const addSet = (clinics: Command): void => {
  const command = clinics
    .command('set')
    .argument('<host-or-id>', 'which clinic')
    .argument('<settings...>', 'NAME=value; NAME= takes the setting away')
    .summary('set settings of one clinic')
    .description(
      'Sets settings of one clinic, over those of the deployment. Keys are sealed in the directory by the key of the clinic.',
    )
    .action((named: string, given: string[], options: JsonOption) =>
      withDirectory(async ({ directory, folder, settings: deployment }) => {
        const clinic = await findNamed(directory, named);
        const secrets = readClinicsSecrets(deployment, folder);
        const box = await createSettingsBox(clinic.id, deployment, secrets);
        const settings: Record<string, string> = {
          ...(await openSettings(clinic.settings, async () => box)),
        };
        for (const one of given) {
          const [, name = '', value = ''] = /^([A-Z_]+)=(.*)$/s.exec(one) ?? [];
          if (name === '') throw new Error(`${one}: a setting is written as NAME=value.`);
          if (value === '') delete settings[name];
          else settings[name] = value;
        }
        assertClinicSettings(deployment, { ...clinic, settings });
        await changeClinic(directory, clinic.id, { settings: await sealSettings(settings, box) });
        give(options, { id: clinic.id, settings: Object.keys(settings) }, () =>
          tell(`${clinic.name} has ${Object.keys(settings).join(', ') || 'no settings of its own'}.`),
        );
        note(withinAMinute);
      }),
    );
  documented(command, {
    atClinics: false,
    examples: [
      'clinics set melati.janji.example "MAIL_FROM=Klinik Melati <janji@melati.example>" QUIET_HOURS=20-7',
    ],
  });
};

const addExport = (clinics: Command): void => {
  const command = clinics
    .command('export')
    .argument('<host-or-id>', 'which clinic')
    .argument('<file>', 'where the copy goes; an existing file is never overwritten')
    .summary('copy the database of one clinic')
    .description(
      'Copies the database of a clinic as of one moment, while it is served, and verifies the copy. `restore` makes a clinic of its own of it.',
    )
    .action((named: string, file: string, options: JsonOption) =>
      withDirectory(async ({ directory, folder, settings }) => {
        const clinic = await findNamed(directory, named);
        const { DATABASE_KEY: key, BACKUP_RECIPIENT: recipient } = settings;
        tellMade(
          file,
          await backUp(clinicPath(folder, clinic), resolve(file), note, { key, recipient }),
          options,
        );
      }),
    );
  documented(command, {
    atClinics: false,
    examples: ['clinics export melati.janji.example /backup/melati.db'],
    exitCodes: '0 made and verified, 1 not made, 2 made of data that is not sound',
  });
};

const addMove = (clinics: Command): void => {
  const command = clinics
    .command('move')
    .argument('<host-or-id>', 'which clinic; it has to be closed')
    .requiredOption('--to <file>', 'the new file of its database, as on another disk')
    .summary('move the database of a closed clinic')
    .description(
      'Copies the database of a closed clinic to another file, verifies the copy, and lets the directory name it. The file before is kept, with .moved after its name.',
    )
    .action((named: string, options: JsonOption & { to: string }) =>
      withDirectory(async ({ directory, folder, settings }) => {
        const clinic = await findNamed(directory, named);
        assertLetGo(clinic, Date.now());
        const from = clinicPath(folder, clinic);
        const to = resolve(options.to);
        const { problems } = await backUp(from, to, note, { key: settings.DATABASE_KEY });
        if (problems.length > 0)
          throw new Error(`The data is not sound, and was not moved:\n${problems.join('\n')}`);
        await changeClinic(directory, clinic.id, { file: to });
        renameSync(from, `${from}.moved`);
        give(options, { id: clinic.id, file: to, kept_as: `${from}.moved` }, () =>
          tell(`${clinic.name}: ${to}`),
        );
        note('Open it again with `janji clinics open`.');
      }),
    );
  documented(command, {
    atClinics: false,
    examples: ['clinics move melati.janji.example --to /disk2/melati.db'],
  });
};

const addDelete = (clinics: Command): void => {
  const command = clinics
    .command('delete')
    .argument('<host-or-id>', 'which clinic; it has to be closed')
    .requiredOption('--yes', 'it cannot be taken back')
    .summary('delete a closed clinic and its database')
    .description(
      'Deletes a closed clinic from the directory, and its database with all that it holds. Its backups stay: `clinics export` makes one more.',
    )
    .action((named: string, options: JsonOption) =>
      withDirectory(async ({ directory, folder }) => {
        const clinic = await findNamed(directory, named);
        assertLetGo(clinic, Date.now());
        const path = clinicPath(folder, clinic);
        await deleteClinic(directory, clinic.id);
        for (const end of ['', ...companions]) rmSync(path + end, { force: true });
        const { length: left } = await listClinics(directory);
        give(options, { id: clinic.id, left }, () =>
          tell(`${clinic.name} is deleted; ${left} clinics are left.`),
        );
      }),
    );
  documented(command, { atClinics: false, examples: ['clinics delete melati.janji.example --yes'] });
};

/** The commands that change one clinic. */
export const addClinicsChanges = (clinics: Command): void => {
  addStateCommand(clinics, 'open');
  addStateCommand(clinics, 'close');
  addRename(clinics);
  addSet(clinics);
  addMove(clinics);
  addExport(clinics);
  addDelete(clinics);
};
