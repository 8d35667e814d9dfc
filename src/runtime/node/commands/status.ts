import type { Command } from 'commander';
import { parseConfig } from '../../../core/settings/config.ts';
import { readStatus, type Status } from '../checks/status.ts';
import type { ServiceAnswer } from '../checks/status-rules.ts';
import { counted } from '../counted-rules.ts';
import { addD1Options, type D1Options, toPlace, workerVariables } from '../d1/wrangler.ts';
import { parseNodeSettings } from '../settings.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { tell } from './terminal.ts';

/** The exit code if something needs attention. */
const wantsAttention = 2;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const describeAge = (days: number | null, where: string): string =>
  days === null ? where : `kept beside the database, ${counted(days, 'day')} old`;

const answers: Readonly<Record<ServiceAnswer, string>> = {
  ready: 'ready at',
  not_ready: 'not ready at',
  another: 'another program at',
  no_answer: 'no answer at',
};

const buildLines = (status: Status): [name: string, says: string][] => {
  const { service, schema, backup, api_keys: keys } = status;
  return [
    ['service', service === null ? 'not asked' : `${answers[service.answer]} ${service.address}`],
    ['version', status.version],
    [
      'schema',
      `${schema.last ?? 'none'}${schema.missing.length > 0 ? `, ${schema.missing.length} missing` : ''}`,
    ],
    ['database', status.database_bytes === null ? 'elsewhere' : megabytes(status.database_bytes)],
    [
      'backup',
      backup === null
        ? 'none by the service'
        : `${backup.state}, the last good one ${backup.last_good_at ?? '–'}`,
    ],
    ...status.queues.map(({ name, waiting, oldest_due_at: due }): [string, string] => [
      name,
      waiting === 0 ? 'nothing waits' : `${waiting} wait, the oldest was due ${due}`,
    ]),
    ['receivers', `${status.paused_webhooks} paused`],
    [
      'API keys',
      keys.active === 0
        ? 'none'
        : `${keys.active}, the oldest of ${keys.oldest_at ?? '–'}, the next ends ${keys.next_end_at ?? '–'}`,
    ],
    ['secret', describeAge(status.secret_age_days, 'from the settings, or none yet')],
    ['data key', describeAge(status.data_key_age_days, 'from the settings, or none yet')],
    [
      'certificate',
      status.certificate_ends_at === null ? 'not seen' : `good until ${status.certificate_ends_at}`,
    ],
  ];
};

const show = async (options: D1Options & JsonOption): Promise<void> => {
  const place = toPlace(options);
  const source = place === null ? process.env : { ...(await workerVariables()), ...process.env };
  const config = parseConfig(source);
  const status = await readStatus({ config, settings: parseNodeSettings(process.env), place }, Date.now());
  if (status.attention.length > 0) process.exitCode = wantsAttention;
  give(options, status, () => {
    for (const [name, says] of buildLines(status)) tell(`${name.padEnd(12)}  ${says}`);
    for (const sentence of status.attention) tell(`-> ${sentence}`);
  });
};

/** `status`: the service, version, schema, size, backups, what waits, and how old keys are. */
export const addStatus = (program: Command): void => {
  const command = program
    .command('status')
    .summary('how the service stands: whether it answers, version, size, backups, what waits')
    .description(
      'Tells whether the service answers (at HOST and PORT, or with a remote database at PUBLIC_URL), version, schema, size, the last backup, how much waits for each job, and how old keys and certificate are (that of PUBLIC_URL, which it asks). Changes nothing.',
    )
    .action(show);
  documented(addD1Options(command), {
    examples: ['status', 'status --json'],
    exitCodes: '0 all is well, 1 it cannot be read, 2 something wants attention: lines that begin with ->',
  });
};
