import type { Command } from 'commander';
import type { Statement } from '../../../core/db/db.ts';
import type { ClinicEntry } from '../../../modules/clinics/queries.ts';
import type { DescribedClinic } from '../../../modules/operators/hosting.ts';
import { type Approved, approveSignup, rejectSignup } from '../../../modules/operators/signup.ts';
import { listSignups } from '../../../modules/operators/signup-queries.ts';
import { viewSignup } from '../../../modules/operators/views.ts';
import { addClinic, createClinicMaker, makeLink } from '../clinics/add-clinics.ts';
import { nodeMailer } from '../serve/mailer.ts';
import { pinoLogger } from '../watch/log.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { note, tell } from './terminal.ts';
import { addPlace, atPlace, type OpenedDirectory, type PlaceOption } from './with-directory.ts';

const mostShown = 500;
/** How an act names a person with access to the folder. */
const commandLine = 'command line';

const addList = (signups: Command): void => {
  const command = signups
    .command('list')
    .summary('list the clinics that wait')
    .description('Lists the clinics that asked to be added and have proved their e-mail.')
    .action(async (options: JsonOption & PlaceOption) => {
      const waiting = await atPlace<ReturnType<typeof viewSignup>[]>(options, {
        there: async ({ ask }) => (await ask<ReturnType<typeof viewSignup>[]>('GET', '/signups')).data,
        here: async ({ directory }) => (await listSignups(directory, Date.now(), mostShown)).map(viewSignup),
      });
      give(options, { signups: waiting }, () => {
        for (const { id, name, host, email, asked_at } of waiting)
          tell(`${id}  ${asked_at}  ${host}  ${email}  ${name}`);
      });
    });
  documented(addPlace(command), { examples: ['clinics signups list'] });
};

const approveHere = async ({ directory, folder, settings }: OpenedDirectory, id: string) => {
  const log = pinoLogger(settings.LOG_LEVEL);
  const mailer = nodeMailer(settings, settings, log);
  const maker = createClinicMaker(settings);
  try {
    const hosting = {
      add: (described: DescribedClinic, recorded: (id: string) => Statement) =>
        addClinic(described, { directory, folder, settings, maker, now: Date.now(), recorded }),
      link: (clinic: ClinicEntry) => makeLink(clinic, { folder, settings, now: Date.now() }),
    };
    const needs = { db: directory, clock: Date.now, log, mailer, hosting, operator: commandLine };
    return await approveSignup(needs, id);
  } finally {
    maker.end();
    mailer.close?.();
  }
};

const addApprove = (signups: Command): void => {
  const command = signups
    .command('approve')
    .argument('<id>', 'which request')
    .summary('add the clinic of a request')
    .description('Adds the clinic of a request, and mails the link that makes its first admin.')
    .action(async (id: string, options: JsonOption & PlaceOption) => {
      const approved = await atPlace(options, {
        there: async ({ ask }) =>
          (await ask<Approved>('POST', `/signups/${encodeURIComponent(id)}/approve`, {})).data,
        here: (opened) => approveHere(opened, id).catch(explain),
      });
      give(options, approved, () => tell(`${approved.id}  ${approved.host}  ${approved.link}`));
      note(
        approved.mailed
          ? `The link was mailed to ${approved.email}. A running service knows the clinic within a minute.`
          : `The link could not be mailed: send it to ${approved.email} yourself.`,
      );
    });
  documented(addPlace(command), { examples: ['clinics signups approve 01a2…'] });
};

/** The failures of the service as a terminal says them. */
const explain = (error: unknown): never => {
  const code = (error as { code?: unknown }).code;
  if (code === 'not_found') throw new Error('No request of this id waits.');
  if (code === 'signup_approved')
    throw new Error('It was approved already: approve it again to get its link.');
  if (code === 'validation_failed')
    throw new Error(
      'Another clinic has its host: reject it, or rename the other with `janji clinics rename`.',
    );
  throw error;
};

const addReject = (signups: Command): void => {
  const command = signups
    .command('reject')
    .argument('<id>', 'which request')
    .summary('forget a request')
    .description('Deletes the request of a clinic. Nobody is told: write to the e-mail of the list first.')
    .action(async (id: string, options: JsonOption & PlaceOption) => {
      await atPlace<void>(options, {
        there: async ({ ask }) => void (await ask('POST', `/signups/${encodeURIComponent(id)}/reject`, {})),
        here: async ({ directory, settings }) => {
          const log = pinoLogger(settings.LOG_LEVEL);
          const needs = { db: directory, clock: Date.now, log, operator: commandLine };
          await rejectSignup(needs, id).catch(explain);
        },
      });
      give(options, { id }, () => tell('The request is deleted.'));
    });
  documented(addPlace(command), { examples: ['clinics signups reject 01a2…'] });
};

/** `clinics signups`: the clinics that asked to be added (SIGNUP=on). */
export const addClinicsSignups = (clinics: Command): void => {
  const signups = clinics
    .command('signups')
    .helpCommand(false)
    .summary('the clinics that ask to be added')
    .description('Decides about the clinics that asked to be added, where SIGNUP=on lets them.');
  addList(signups);
  addApprove(signups);
  addReject(signups);
};
