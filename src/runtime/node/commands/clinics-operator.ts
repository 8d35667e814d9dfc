import type { Command } from 'commander';
import * as z from 'zod/mini';
import { toIso } from '../../../core/endpoint/instants.ts';
import { createHasher } from '../../../modules/auth/passwords/hasher.ts';
import { createSettingsBox } from '../../../modules/clinics/settings.ts';
import {
  assertOperatorPassword,
  type Enrolled,
  enrolOperator,
  operatorsKeyId,
} from '../../../modules/operators/accounts.ts';
import { deleteOperator, findOperator, listActs, listOperators } from '../../../modules/operators/queries.ts';
import { viewAct } from '../../../modules/operators/views.ts';
import { readClinicsSecrets } from '../clinics/directory-file.ts';
import { commonPasswords } from '../common-passwords.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { askPassword, note, tell } from './terminal.ts';
import { addPlace, atPlace, type PlaceOption } from './with-directory.ts';

const passwordVariable = 'JANJI_OPERATOR_PASSWORD';

const readMail = (given: string): string => {
  const email = given.trim().toLowerCase();
  if (!z.safeParse(z.email(), email).success) throw new Error(`${given} is no e-mail.`);
  return email;
};

const newPassword = async (email: string): Promise<string> => {
  const password = await askPassword(passwordVariable);
  assertOperatorPassword(email, password, await commonPasswords());
  return password;
};

const addEnrolment = (operators: Command, verb: 'add' | 'reset'): void => {
  const command = operators
    .command(verb)
    .argument('<mail>', 'the e-mail to log in with')
    .summary(verb === 'add' ? 'add an operator' : 'give an operator another password and app')
    .description(
      verb === 'add'
        ? 'Adds an operator, who logs in at /operator/ by e-mail, password and the code of an authenticator app. Prints, once, what the app needs: the address to make a QR code of, and the same secret to type.'
        : 'Gives an operator another password and another secret for the authenticator app, and logs them out.',
    )
    .addHelpText(
      'after',
      `\nThe password is asked for, read from standard input, or taken from ${passwordVariable}.`,
    )
    .action(async (given: string, options: JsonOption & PlaceOption) => {
      const email = readMail(given);
      const password = await newPassword(email);
      const path = verb === 'add' ? '/operators' : '/operators/reset';
      const made = await atPlace<Enrolled>(options, {
        there: async ({ ask }) => (await ask<Enrolled>('POST', path, { email, password })).data,
        here: async ({ directory, folder, settings }) => {
          const secrets = readClinicsSecrets(settings, folder);
          const box = await createSettingsBox(operatorsKeyId, settings, secrets);
          const needs = { db: directory, box, hasher: createHasher(), now: Date.now() };
          return enrolOperator({ email, password, isNew: verb === 'add' }, needs);
        },
        make: verb === 'add',
      });
      give(options, made, () => tell(`${made.email}\n${made.otpauth}\n${made.secret}`));
      note('Enter it into the authenticator app now: it is not shown again.');
    });
  documented(addPlace(command), { examples: [`clinics operator ${verb} ani@vendor.example`] });
};

const addRemove = (operators: Command): void => {
  const command = operators
    .command('remove')
    .argument('<mail>', 'whose account')
    .summary('take the account of an operator away')
    .description('Deletes the account of an operator, who is logged out at once.')
    .action(async (given: string, options: JsonOption & PlaceOption) => {
      const email = readMail(given);
      await atPlace<void>(options, {
        there: async ({ ask }) => void (await ask('DELETE', `/operators/${encodeURIComponent(email)}`)),
        here: async ({ directory }) => {
          const found = await findOperator(directory, email);
          if (found === null) throw new Error(`${email} is no operator.`);
          await deleteOperator(directory, found.id);
        },
      });
      give(options, { email }, () => tell(`${email} is no operator any more.`));
    });
  documented(addPlace(command), { examples: ['clinics operator remove ani@vendor.example'] });
};

interface Shown {
  operators: { email: string; created_at: string }[];
  acts: ReturnType<typeof viewAct>[];
}

const addList = (operators: Command): void => {
  const command = operators
    .command('list')
    .summary('list the operators')
    .description('Lists the operators, and what they did last on the page.')
    .action(async (options: JsonOption & PlaceOption) => {
      const shown = await atPlace<Shown>(options, {
        there: async ({ ask }) => ({
          operators: (await ask<Shown['operators']>('GET', '/operators')).data,
          acts: (await ask<Shown['acts']>('GET', '/acts')).data,
        }),
        here: async ({ directory }) => ({
          operators: (await listOperators(directory)).map(({ email, createdAt }) => ({
            email,
            created_at: toIso(createdAt),
          })),
          acts: (await listActs(directory, 100)).map(viewAct),
        }),
      });
      give(options, shown, () => {
        for (const { email, created_at } of shown.operators) tell(`${email}  since ${created_at}`);
        for (const { at, operator, act, clinic_name } of shown.acts)
          tell(`${at}  ${operator}  ${act}  ${clinic_name ?? ''}`);
      });
    });
  documented(addPlace(command), { examples: ['clinics operator list'] });
};

/** `clinics operator`: the accounts of the page /operator/. */
export const addClinicsOperator = (clinics: Command): void => {
  const operators = clinics
    .command('operator')
    .helpCommand(false)
    .summary('the accounts of the page /operator/')
    .description('Looks after the accounts of the people who add, close and open clinics at /operator/.');
  addEnrolment(operators, 'add');
  addEnrolment(operators, 'reset');
  addRemove(operators);
  addList(operators);
};
