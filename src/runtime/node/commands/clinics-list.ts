import type { Command } from 'commander';
import { toIso } from '../../../core/endpoint/instants.ts';
import { directoryNow, listOwners, type Machine } from '../../../modules/clinics/lease-queries.ts';
import { type ClinicEntry, listClinics } from '../../../modules/clinics/queries.ts';
import { viewSettings } from '../../../modules/operators/views.ts';
import { sizeOfFile } from '../checks/size.ts';
import type { RemoteClinic } from '../clinics/deployment.ts';
import { clinicPath } from '../clinics/directory-file.ts';
import { archivePathOf } from '../database/archive.ts';
import { knownMigrations } from '../database/migrations.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { tell } from './terminal.ts';
import { addPlace, atPlace, findNamed, type OpenedDirectory, type PlaceOption } from './with-directory.ts';

const isoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at));

/** A clinic for a script; the values of secret settings are left out. */
const shown = (clinic: ClinicEntry, folder: string, owners: ReadonlyMap<string, Machine>) => {
  const path = clinicPath(folder, clinic);
  const migrations = knownMigrations();
  const applied = migrations.findIndex(({ madeAt }) => madeAt === clinic.schema);
  return {
    id: clinic.id,
    name: clinic.name,
    hosts: clinic.hosts,
    time_zone: clinic.timeZone,
    state: clinic.problem !== null && clinic.state === 'open' ? 'broken' : clinic.state,
    problem: clinic.problem,
    owner: owners.get(clinic.id)?.address ?? null,
    file: path,
    bytes: sizeOfFile(path),
    archive_bytes: sizeOfFile(archivePathOf(path)),
    schema: migrations[applied]?.name ?? null,
    is_current: applied === migrations.length - 1,
    settings: viewSettings(clinic.settings),
    used_at: isoOrNull(clinic.usedAt),
    due_at: isoOrNull(clinic.dueAt),
    created_at: toIso(clinic.createdAt),
  };
};

/** Which machine has each clinic, where several serve them. */
const readOwners = async ({ directory, settings }: OpenedDirectory): Promise<ReadonlyMap<string, Machine>> =>
  settings.CLINICS_DIRECTORY === undefined ? new Map() : listOwners(directory, directoryNow);

type Listed = Pick<RemoteClinic, 'id' | 'bytes' | 'name'> & {
  state: string;
  hosts: readonly string[];
  owner?: unknown;
};

export const addClinicsList = (clinics: Command): void => {
  const command = clinics
    .command('list')
    .summary('list all clinics')
    .description(
      'Lists all clinics with their state, their hosts and the size of their databases, and where several machines serve them, which has each.',
    )
    .action(async (options: JsonOption & PlaceOption) => {
      const all = await atPlace<Listed[]>(options, {
        there: (deployment) => deployment.listClinics(),
        here: async (opened) => {
          const owners = await readOwners(opened);
          return (await listClinics(opened.directory)).map((clinic) => shown(clinic, opened.folder, owners));
        },
      });
      give(options, { clinics: all }, () => {
        for (const { id, state, bytes, hosts, name, owner } of all)
          tell(
            `${id}  ${state.padEnd(6)}  ${String(Math.round((bytes ?? 0) / 1024)).padStart(8)} KiB  ${hosts.join(', ')}  ${name}${owner ? `  at ${owner}` : ''}`,
          );
      });
    });
  documented(addPlace(command), {
    examples: ['clinics list', 'clinics list --json', 'clinics list --at https://clinics.vendor.example'],
  });
};

export const addClinicsShow = (clinics: Command): void => {
  const command = clinics
    .command('show')
    .argument('<host-or-id>', 'which clinic')
    .summary('show one clinic')
    .description('Shows the state, the file with its size, the schema and the settings of a clinic.')
    .action(async (named: string, options: JsonOption & PlaceOption) => {
      const clinic = await atPlace<object>(options, {
        there: async ({ ask, clinic }) => (await ask<RemoteClinic>('GET', clinic(named))).data,
        here: async (opened) =>
          shown(await findNamed(opened.directory, named), opened.folder, await readOwners(opened)),
      });
      give(options, clinic, () => {
        for (const [name, value] of Object.entries(clinic))
          tell(`${name.padEnd(14)} ${typeof value === 'object' ? JSON.stringify(value) : value}`);
      });
    });
  documented(addPlace(command), { examples: ['clinics show melati.janji.example'] });
};
