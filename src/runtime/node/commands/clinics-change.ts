import type { Command } from 'commander';
import type { Db } from '../../../core/db/db.ts';
import {
  changeClinic,
  deleteClinic,
  findClinic,
  listClinics,
  lowerDueAt,
  replaceHosts,
  setState,
} from '../../../modules/clinics/queries.ts';
import { normalizeHost } from '../../../modules/clinics/rules.ts';
import { changeSettings } from '../../../modules/clinics/settings.ts';
import type { RemoteClinic } from '../clinics/deployment.ts';
import { clinicPath, readClinicsSecrets } from '../clinics/directory-file.ts';
import { removeDatabase } from '../clinics/file-copies.ts';
import { counted } from '../counted-rules.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { note, tell } from './terminal.ts';
import { addPlace, assertLetGo, atPlace, findNamed, type PlaceOption, whileHeld } from './with-directory.ts';

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
    .action(async (named: string, options: JsonOption & PlaceOption) => {
      const { id, name } = await atPlace<{ id: string; name: string }>(options, {
        there: async ({ ask, clinic }) => (await ask<RemoteClinic>('POST', `${clinic(named)}/${verb}`)).data,
        here: async ({ directory }) => {
          const found = await findNamed(directory, named);
          if (found.state !== state || verb === 'open')
            await setState(directory, found.id, state, Date.now());
          return found;
        },
      });
      give(options, { id, state }, () => tell(`${name} is ${state}.`));
      note(withinAMinute);
    });
  documented(addPlace(command), { examples: [`clinics ${verb} melati.janji.example`] });
};

type Renamed = JsonOption & PlaceOption & { host?: string[] };

const renameHere = async (
  directory: Db,
  named: string,
  name: string | undefined,
  given: readonly string[] | undefined,
) => {
  const { id, ...before } = await findNamed(directory, named);
  const hosts = given?.map((host) => normalizeHost(host) ?? '');
  if (hosts?.includes('')) throw new Error('A host is a name such as melati.janji.example.');
  for (const host of hosts ?? []) {
    const owner = await findClinic(directory, host);
    if (owner !== null && owner.id !== id) throw new Error(`${host} is ${owner.name}'s already.`);
  }
  if (name !== undefined) await changeClinic(directory, id, { name });
  if (hosts !== undefined) await replaceHosts(directory, id, hosts);
  return { id, name: name ?? before.name, hosts: hosts ?? [...before.hosts] };
};

const addRename = (clinics: Command): void => {
  const command = clinics
    .command('rename')
    .argument('<host-or-id>', 'which clinic')
    .argument('[name]', 'its new name in the directory; patients see the one that its admin has set')
    .summary('give a clinic another name or other hosts')
    .description('Gives a clinic another name in the directory, or other hosts.')
    .option('--host <host...>', 'all of its hosts from now on; mails lead to the first')
    .action(async (named: string, name: string | undefined, options: Renamed) => {
      const now = await atPlace<Pick<RemoteClinic, 'id' | 'name' | 'hosts'>>(options, {
        there: async ({ ask, clinic }) => {
          const { host: hosts } = options;
          const change = { ...(name !== undefined && { name }), ...(hosts !== undefined && { hosts }) };
          return (await ask<RemoteClinic>('PATCH', clinic(named), change)).data;
        },
        here: ({ directory }) => renameHere(directory, named, name, options.host),
      });
      give(options, { id: now.id, name: now.name, hosts: now.hosts }, () =>
        tell(`${now.name}: ${now.hosts.join(', ')}`),
      );
      note(withinAMinute);
    });
  documented(addPlace(command), {
    examples: ['clinics rename melati.janji.example "Klinik Melati 2" --host melati2.janji.example'],
  });
};

const addSet = (clinics: Command): void => {
  const command = clinics
    .command('set')
    .argument('<host-or-id>', 'which clinic')
    .argument('[settings...]', 'NAME=value; NAME= takes the setting away; none seals those of before anew')
    .summary('set settings of one clinic')
    .description(
      'Sets settings of one clinic, over those of the deployment. Keys are sealed in the directory by the key of the clinic.',
    )
    .action(async (named: string, given: string[], options: JsonOption & PlaceOption) => {
      const changes: Record<string, string> = {};
      for (const one of given) {
        const [, name = '', value = ''] = /^([A-Z_]+)=(.*)$/s.exec(one) ?? [];
        if (name === '') throw new Error(`${one}: a setting is written as NAME=value.`);
        changes[name] = value;
      }
      const { id, name, settings } = await atPlace<
        Pick<RemoteClinic, 'id' | 'name'> & { settings?: unknown }
      >(options, {
        there: async ({ ask, clinic }) =>
          (await ask<RemoteClinic>('PATCH', clinic(named), { settings: changes })).data,
        here: async ({ directory, folder, settings: deployment }) => {
          const clinic = await findNamed(directory, named);
          const secrets = readClinicsSecrets(deployment, folder);
          const changed = await changeSettings(clinic, changes, deployment, secrets);
          await changeClinic(directory, clinic.id, { settings: changed });
          // Other settings may make something due.
          await lowerDueAt(directory, clinic.id, Date.now());
          return { ...clinic, settings: changed };
        },
      });
      const names = Object.keys((settings ?? {}) as object);
      give(options, { id, settings: names }, () =>
        tell(`${name} has ${names.join(', ') || 'no settings of its own'}.`),
      );
      note(withinAMinute);
    });
  documented(addPlace(command), {
    examples: [
      'clinics set melati.janji.example "MAIL_FROM=Klinik Melati <janji@melati.example>" QUIET_HOURS=20-7',
    ],
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
    .action(async (named: string, options: JsonOption & PlaceOption) => {
      const { id, left } = await atPlace(options, {
        there: async ({ ask, clinic }) =>
          (await ask<{ id: string; left: number }>('DELETE', clinic(named))).data,
        here: async (opened) => {
          const { directory, folder } = opened;
          const clinic = await findNamed(directory, named);
          assertLetGo(clinic, Date.now());
          const path = clinicPath(folder, clinic);
          await whileHeld(
            opened,
            clinic,
            async () => {
              // Its line last: cut short, the same command goes on, and no patients are left in a file that is nobody's.
              removeDatabase(path);
              await deleteClinic(directory, clinic.id);
            },
            { isAlone: true },
          );
          return { id: clinic.id, left: (await listClinics(directory)).length };
        },
      });
      give(options, { id, left }, () =>
        tell(`${named} is deleted; ${counted(left, 'clinic')} ${left === 1 ? 'is' : 'are'} left.`),
      );
    });
  documented(addPlace(command), { examples: ['clinics delete melati.janji.example --yes'] });
};

export const addClinicsChanges = (clinics: Command): void => {
  addStateCommand(clinics, 'open');
  addStateCommand(clinics, 'close');
  addRename(clinics);
  addSet(clinics);
  addDelete(clinics);
};
