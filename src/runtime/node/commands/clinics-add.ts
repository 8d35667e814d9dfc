import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import * as z from 'zod/mini';
import type { Described } from '../../../modules/clinics/described.ts';
import type { DescribedClinic } from '../../../modules/operators/hosting.ts';
import { type Added, addClinic, createClinicMaker } from '../clinics/add-clinics.ts';
import type { Deployment, RemoteClinic } from '../clinics/deployment.ts';
import { counted } from '../counted-rules.ts';
import { explainError } from '../reason.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { note, tell } from './terminal.ts';
import { addPlace, atPlace, type OpenedDirectory, type PlaceOption } from './with-directory.ts';

interface Options extends JsonOption, PlaceOption {
  host?: string[];
  timeZone?: string;
  admin?: string;
  demo?: true;
  id?: string;
  closed?: true;
  from?: string;
}

const line = () =>
  z.strictObject({
    name: z.string(),
    host: z.union([z.string(), z.array(z.string())]),
    time_zone: z.optional(z.string()),
    admin: z.optional(z.string()),
    demo: z.optional(z.boolean()),
    id: z.optional(z.string()),
  });

/** The clinics of a file, one a line; throws with the number of the first line that is none. */
async function* readList(path: string): AsyncGenerator<Described> {
  const shape = line();
  let at = 0;
  for await (const text of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    at += 1;
    if (text.trim() === '') continue;
    let parsed: ReturnType<typeof shape.safeParse>;
    try {
      parsed = shape.safeParse(JSON.parse(text));
    } catch {
      throw new Error(`Line ${at} is no JSON.`);
    }
    if (!parsed.success) {
      const fields = parsed.error.issues.map(({ path: [field] }) => String(field ?? 'the line'));
      throw new Error(`Line ${at} cannot be accepted: ${[...new Set(fields)].join(', ')}.`);
    }
    const { time_zone: timeZone, host, ...rest } = parsed.data;
    yield { ...rest, timeZone, hosts: typeof host === 'string' ? [host] : host };
  }
}

const tellAdded = (added: Added, options: JsonOption): void =>
  give(options, added, () => tell(`${added.id}  ${added.host}  ${added.link ?? 'demo'}`));

type Add = (described: Described & Pick<DescribedClinic, 'state'>) => Promise<Added>;

/** Adds clinics here; all of them get their database from one that is migrated once. */
const withAdder = async <T>(opened: OpenedDirectory, work: (add: Add) => Promise<T>): Promise<T> => {
  const maker = createClinicMaker(opened.settings);
  try {
    return await work((described) => addClinic(described, { ...opened, maker, now: Date.now() }));
  } finally {
    maker.end();
  }
};

/** Adds clinics at a deployment elsewhere. */
const adderThere =
  ({ ask }: Deployment): Add =>
  async ({ timeZone, ...described }) => {
    const json = { ...described, ...(timeZone !== undefined && { time_zone: timeZone }) };
    const { data } = await ask<RemoteClinic & Pick<Added, 'link' | 'admin'>>('POST', '/clinics', json);
    const { id, name, hosts, link, admin } = data;
    return { id, name, host: hosts[0] ?? '', admin, link };
  };

const addAll = async (path: string, add: Add, options: Options): Promise<void> => {
  let count = 0;
  let failed = 0;
  for await (const described of readList(path)) {
    try {
      tellAdded(await add(described), options);
      count += 1;
    } catch (error) {
      failed += 1;
      note(explainError(error));
    }
  }
  note(
    `${counted(count, 'clinic')} ${count === 1 ? 'was' : 'were'} added${failed === 0 ? '' : `, ${failed} ${failed === 1 ? 'was' : 'were'} not`}.`,
  );
  if (failed > 0) process.exitCode = 1;
};

const addOne = async (described: Parameters<Add>[0], add: Add, options: Options): Promise<void> => {
  tellAdded(await add(described), options);
  note(
    'The link makes the first admin, once and within a week. A running service knows the clinic within a minute.',
  );
};

/** `clinics add`: adds one clinic, or those of a file. */
export const addClinicsAdd = (clinics: Command): void => {
  const command = clinics
    .command('add')
    .argument('[name]', 'the name of the clinic')
    .summary('add a clinic, or a list of them')
    .description(
      'Makes the database of a new clinic and adds it to the directory, and prints its id, its host and the link with which its first admin is made.',
    )
    .option('--host <host...>', 'the hosts under which it is reached; mails lead to the first')
    .option('--time-zone <zone>', "the clinic's time zone (that of CLINIC_TIME_ZONE)")
    .option('--admin <mail>', 'the e-mail of the first admin, printed with the link')
    .option('--demo', 'fill it with the demo clinic')
    .option('--id <id>', 'the id, where it has one already')
    .option('--closed', 'closed, for a copy that is put into it first')
    .option('--from <file>', 'the clinics of a file: name, host, time_zone, admin, demo in JSON, one a line')
    .action((name: string | undefined, options: Options) => {
      const { from, host: hosts = [], timeZone, admin, demo, id, closed } = options;
      if ((from === undefined) === (name === undefined))
        throw new Error('Give the name of one clinic, or --from with a list.');
      const state = closed ? 'closed' : 'open';
      const addBy = (add: Add) =>
        from !== undefined
          ? addAll(from, add, options)
          : addOne({ name: name ?? '', hosts, timeZone, admin, demo, id, state }, add, options);
      return atPlace(options, {
        there: (deployment) => addBy(adderThere(deployment)),
        here: (opened) => withAdder(opened, addBy),
        make: true,
      });
    });
  documented(addPlace(command), {
    examples: [
      'clinics add "Klinik Melati" --host melati.janji.example --admin siti@melati.example',
      'clinics add --from clinics.ndjson --json',
    ],
    exitCodes: '0 all added, 1 not all, and said which',
  });
};
