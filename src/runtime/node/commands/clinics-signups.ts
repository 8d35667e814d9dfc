import type { Command } from 'commander';
import { approveSignup, rejectSignup } from '../../../modules/operators/signup.ts';
import { listSignups } from '../../../modules/operators/signup-queries.ts';
import { viewSignup } from '../../../modules/operators/views.ts';
import { addClinic, createClinicMaker } from '../clinics/add-clinics.ts';
import { nodeMailer } from '../serve/mailer.ts';
import { pinoLogger } from '../watch/log.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { note, tell } from './terminal.ts';
import { withDirectory } from './with-directory.ts';

const mostShown = 500;

const addList = (signups: Command): void => {
  const command = signups
    .command('list')
    .summary('list the clinics that wait')
    .description('Lists the clinics that asked to be added and have proved their e-mail.')
    .action((options: JsonOption) =>
      withDirectory(async ({ directory }) => {
        const waiting = (await listSignups(directory, Date.now(), mostShown)).map(viewSignup);
        give(options, { signups: waiting }, () => {
          for (const { id, name, host, email, asked_at } of waiting)
            tell(`${id}  ${asked_at}  ${host}  ${email}  ${name}`);
        });
      }),
    );
  documented(command, { atClinics: false, examples: ['clinics signups list'] });
};

const addApprove = (signups: Command): void => {
  const command = signups
    .command('approve')
    .argument('<id>', 'which request')
    .summary('add the clinic of a request')
    .description('Adds the clinic of a request, and mails the link that makes its first admin.')
    .action((id: string, options: JsonOption) =>
      withDirectory(async ({ directory, folder, settings }) => {
        const log = pinoLogger(settings.LOG_LEVEL);
        const mailer = nodeMailer(settings, settings, log);
        const maker = createClinicMaker(settings);
        try {
          const premises = {
            add: (described: Parameters<typeof addClinic>[0]) =>
              addClinic(described, { directory, folder, settings, maker, now: Date.now() }),
          };
          const needs = { db: directory, clock: Date.now, log, mailer, premises };
          const approved = await approveSignup(needs, id).catch(explain);
          give(options, approved, () => tell(`${approved.id}  ${approved.host}  ${approved.link}`));
          note(
            approved.mailed
              ? `The link was mailed to ${approved.email}. A running service knows the clinic within a minute.`
              : `The link could not be mailed: send it to ${approved.email} yourself.`,
          );
        } finally {
          maker.end();
          mailer.close?.();
        }
      }),
    );
  documented(command, { atClinics: false, examples: ['clinics signups approve 01a2…'] });
};

/** The failures of the service as a terminal says them. */
const explain = (error: unknown): never => {
  const code = (error as { code?: unknown }).code;
  if (code === 'not_found') throw new Error('No request of this id waits.');
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
    .action((id: string, options: JsonOption) =>
      withDirectory(async ({ directory, settings }) => {
        const needs = { db: directory, clock: Date.now, log: pinoLogger(settings.LOG_LEVEL) };
        const { name } = await rejectSignup(needs, id).catch(explain);
        give(options, { id }, () => tell(`The request of ${name} is deleted.`));
      }),
    );
  documented(command, { atClinics: false, examples: ['clinics signups reject 01a2…'] });
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
