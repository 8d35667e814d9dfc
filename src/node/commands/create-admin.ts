import type { Command } from 'commander';
import { recordSecurityEvent } from '../../auth/audit/queries.ts';
import { createHasher } from '../../auth/passwords/hasher.ts';
import { passwordProblem } from '../../auth/passwords/policy.ts';
import { insertUser } from '../../auth/queries.ts';
import { parseConfig } from '../../config.ts';
import { violatedUnique } from '../../db/conflict.ts';
import { runAll } from '../../db/db.ts';
import { InvitePerson } from '../../people/contract.ts';
import { replaceWords } from '../../search/queries.ts';
import { personWords } from '../../search/rules.ts';
import { openDatabase } from '../database.ts';
import { parseNodeSettings } from '../settings.ts';
import { insertText } from '../sql-text.ts';
import { addD1Options, type D1Options, type D1Place, executeOnD1, placeOf } from '../wrangler.ts';
import { askPassword } from './password-prompt.ts';

interface Options extends D1Options {
  email: string;
  name: string;
}

const passwordVariable = 'JANJI_ADMIN_PASSWORD';

const newAdmin = async ({ email, name }: Options) => {
  const wish = InvitePerson.body().safeParse({ email, name, role: 'admin' });
  if (!wish.success) {
    const fields = wish.error.issues.map(({ path }) => `--${String(path[0])}`);
    throw new Error(`${[...new Set(fields)].join(' and ')} cannot be accepted.`);
  }
  const password = await askPassword(passwordVariable);
  const minLength = parseConfig(process.env).PASSWORD_MIN_LENGTH;
  const problem = passwordProblem(password, { minLength, email: wish.data.email, name: wish.data.name });
  if (problem !== null) throw new Error(`This password is ${problem.replaceAll('_', ' ')}.`);
  const now = Date.now();
  return {
    id: crypto.randomUUID(),
    name: wish.data.name,
    email: wish.data.email,
    phoneNumber: '',
    phoneCountryCode: '',
    deviceId: '',
    role: 'admin' as const,
    doctorId: null,
    passwordHash: await createHasher().hash(password),
    createdAt: now,
    updatedAt: now,
  };
};

type Admin = Awaited<ReturnType<typeof newAdmin>>;

/** Told by the audit trail like any other role that somebody was given. */
const eventOf = ({ id, role, createdAt }: Admin) => ({
  writeId: crypto.randomUUID(),
  type: 'role_changed' as const,
  userId: id,
  now: createdAt,
  detail: { from: null, to: role, doctor_id: null },
});

const alreadyThere = () => new Error('This e-mail is already registered.');

const writeToDatabase = async (admin: Admin): Promise<void> => {
  const settings = parseNodeSettings(process.env);
  const { db, close } = await openDatabase(settings.DATABASE_URL, settings.DATABASE_AUTH_TOKEN);
  try {
    const words = replaceWords(db, 'person', admin.id, personWords(admin));
    await runAll(db, [insertUser(db, admin), recordSecurityEvent(db, eventOf(admin)), ...words]);
  } catch (error) {
    throw violatedUnique(error) === 'users.email' ? alreadyThere() : error;
  } finally {
    await close();
  }
};

const writeToD1 = async (admin: Admin, place: D1Place): Promise<void> => {
  const words = personWords(admin).map((word) =>
    insertText('search_words', { owner_id: admin.id, kind: 'person', word }),
  );
  const user = insertText('users', {
    id: admin.id,
    name: admin.name,
    email: admin.email,
    phone_number: '',
    phone_country_code: '',
    device_id: '',
    role: admin.role,
    password_hash: admin.passwordHash,
    created_at: admin.createdAt,
    updated_at: admin.updatedAt,
  });
  const { writeId, type, userId, now, detail } = eventOf(admin);
  const event = insertText('security_events', {
    write_id: writeId,
    type,
    user_id: userId,
    occurred_at: now,
    detail: JSON.stringify(detail),
  });
  try {
    await executeOnD1(place, [user, event, ...words]);
  } catch (error) {
    throw violatedUnique(error) === 'users.email' ? alreadyThere() : error;
  }
};

/** `create-admin`: the first admin comes from here, never from the network. */
export const addCreateAdmin = (program: Command): void => {
  const command = program
    .command('create-admin')
    .summary('add an admin')
    .description('Adds an admin. The first one comes from here, never from the network.')
    .requiredOption('--email <email>', 'the e-mail to log in with')
    .requiredOption('--name <name>', 'the name of the person')
    .addHelpText(
      'after',
      `\nThe password is asked for, read from standard input, or taken from ${passwordVariable}.`,
    )
    .action(async (options: Options) => {
      const admin = await newAdmin(options);
      const place = placeOf(options);
      if (place === null) await writeToDatabase(admin);
      else await writeToD1(admin, place);
      process.stdout.write(`${admin.email} is an admin now.\n`);
    });
  addD1Options(command);
};
