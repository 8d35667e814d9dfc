import { type Command, Option } from 'commander';
import { type Db, run, runAll } from '../../../core/db/db.ts';
import { exchangeStates, exchangeTargets } from '../../../core/tables/words.ts';
import { recordSecurityEvent } from '../../../modules/auth/audit/queries.ts';
import {
  endRest,
  findBacklog,
  findSteps,
  leaveSteps,
  retrySteps,
} from '../../../modules/exchange/list-queries.ts';
import { stepView, systemView } from '../../../modules/exchange/views.ts';
import { addD1Options, type D1Options } from '../d1/wrangler.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { openChosen } from './rekey.ts';
import { note, tell } from './terminal.ts';

interface Filters extends D1Options, JsonOption {
  state?: string;
  system?: string;
  parked?: true;
}

const maxListed = 1_000;
const everySystem = JSON.stringify(exchangeTargets);

const readSteps = (db: Db, { state, system }: Filters) =>
  run(db, findSteps(db, { state: state ?? null, target: system ?? null, after: 0, limit: maxListed }));

const list = async (options: Filters): Promise<void> => {
  const { db, close } = await openChosen(options);
  try {
    const now = Date.now();
    const steps = (await readSteps(db, options)).map((row) => stepView(row, 'en'));
    const systems = (await run(db, findBacklog(db, { targets: everySystem }))).map((row) =>
      systemView(row, 'en', now),
    );
    give(options, { systems, steps }, () => {
      for (const { system, waiting, parked, resting_until, message } of systems)
        tell(
          `${system.padEnd(10)}  ${waiting} wait, ${parked} want a person${resting_until === null ? '' : `; nothing is sent until ${resting_until}: ${message}`}`,
        );
      for (const { id, state, step, booking_code, message, answer } of steps)
        tell(
          `${id}  ${state.padEnd(7)}  ${step.padEnd(8)}  ${booking_code}  ${message ?? ''} ${answer ?? ''}`.trimEnd(),
        );
    });
  } finally {
    await close();
  }
};

/** Does the same with the named steps, or with all that are parked; a line in the audit trail each. */
const changing =
  (verb: 'retry' | 'drop') =>
  async (named: readonly string[], options: Filters): Promise<void> => {
    if (named.length === 0 && !options.parked) throw new Error('Name steps by their ids, or give --parked.');
    const { db, close } = await openChosen(options);
    try {
      const now = Date.now();
      const parked = options.parked ? await readSteps(db, { ...options, state: 'parked' }) : [];
      const ids = JSON.stringify([...named, ...parked.map(({ id }) => id)]);
      const type = verb === 'retry' ? ('exchange_retried' as const) : ('exchange_left' as const);
      const { changed } = await runAll(db, {
        changed: verb === 'retry' ? retrySteps(db, { ids, now }) : leaveSteps(db, { ids }),
        rests: verb === 'retry' ? exchangeTargets.map((target) => endRest(db, { target })) : [],
        recorded: recordSecurityEvent(db, {
          ...{ writeId: crypto.randomUUID(), type, userId: null, now },
          detail: { by: 'command line' },
        }),
      });
      const unchanged = named.filter((id) => !changed.some((step) => step.id === id));
      if (unchanged.length > 0) {
        process.exitCode = 1;
        note(`No step that can be changed has the id ${unchanged.join(', ')}.`);
      }
      give(options, { steps: changed.length, unchanged }, () =>
        tell(
          verb === 'retry'
            ? `${changed.length} are sent again with the next round of the jobs.`
            : `${changed.length} are given up; the next steps of their bookings go.`,
        ),
      );
    } finally {
      await close();
    }
  };

/** `exchange`: what waits to be reported to BPJS and SATUSEHAT, on the command line. */
export const addExchange = (program: Command): void => {
  const exchange = program
    .command('exchange')
    .helpCommand(false)
    .summary('what waits to be reported to BPJS and SATUSEHAT')
    .description('Lists the steps of visits that wait or want a person, sends them again, or gives them up.');
  const system = () => new Option('--system <system>', 'only of this system').choices(exchangeTargets);
  const listing = exchange
    .command('list')
    .summary('what waits, and why')
    .addOption(new Option('--state <state>', 'only those in this state').choices(exchangeStates))
    .addOption(system())
    .action(list);
  documented(addD1Options(listing), { examples: ['exchange list', 'exchange list --state parked --json'] });
  for (const [verb, summary] of [
    ['retry', 'send steps again'],
    ['drop', 'give steps up'],
  ] as const) {
    const command = exchange
      .command(verb)
      .argument('[ids...]', 'the steps, by the ids that the list shows')
      .summary(summary)
      .option('--parked', 'all that are parked')
      .addOption(system())
      .action(changing(verb));
    documented(addD1Options(command), {
      examples: [
        `exchange ${verb} 01a21e72-86a8-7252-be97-549fef061ac5`,
        `exchange ${verb} --parked --system bpjs`,
      ],
      exitCodes: '0 done, 1 a named step is not there, was given up or is being sent',
    });
  }
};
