import type { Command } from 'commander';
import { and, eq, isNull } from 'drizzle-orm';
import { violatedUnique } from '../../../core/db/conflict.ts';
import { type Db, runAll, type Statement } from '../../../core/db/db.ts';
import { parseConfig } from '../../../core/settings/config.ts';
import { deviceLogins, passwordResets, users } from '../../../core/tables/accounts.ts';
import { calendarFeeds } from '../../../core/tables/keys.ts';
import { recordSecurityEvent } from '../../../modules/auth/audit/queries.ts';
import { createHasher } from '../../../modules/auth/passwords/hasher.ts';
import { passwordProblem } from '../../../modules/auth/passwords/policy.ts';
import { insertAccount } from '../../../modules/auth/queries.ts';
import { forgetOrigins } from '../../../modules/auth/throttle/throttled.ts';
import { InvitePerson } from '../../../modules/people/contract.ts';
import { commonPasswords } from '../common-passwords.ts';
import { addD1Options, type D1Options } from '../d1/wrangler.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { createSealing, type Opened, openChosen } from './rekey.ts';
import { withoutFactors } from './reset-second-factor.ts';
import { askPassword, note } from './terminal.ts';

interface Options extends D1Options, JsonOption {
  email: string;
  name: string;
}

const stoodAlready =
  'The e-mail had an account: its password is the new one, and its devices are logged out.\n';
const passwordVariable = 'JANJI_ADMIN_PASSWORD';

const newAdmin = async ({ email, name }: Options) => {
  const input = InvitePerson.body().safeParse({ email, name, role: 'admin' });
  if (!input.success) {
    const fields = input.error.issues.map(({ path }) => `--${String(path[0])}`);
    throw new Error(`${[...new Set(fields)].join(' and ')} cannot be accepted.`);
  }
  const password = await askPassword(passwordVariable);
  const minLength = parseConfig(process.env).PASSWORD_MIN_LENGTH;
  const isCommon = await commonPasswords();
  const problem = passwordProblem(password, {
    minLength,
    email: input.data.email,
    name: input.data.name,
    isCommon,
  });
  if (problem !== null) throw new Error(`This password is ${problem.replaceAll('_', ' ')}.`);
  const now = Date.now();
  return {
    id: crypto.randomUUID(),
    name: input.data.name,
    email: input.data.email,
    phoneNumber: '',
    phoneCountryCode: '',
    deviceId: '',
    role: 'admin' as const,
    doctorId: null,
    passwordHash: await createHasher().hash(password),
    invitedAt: now,
    createdAt: now,
    updatedAt: now,
  };
};

type Admin = Awaited<ReturnType<typeof newAdmin>>;

/** Recorded in the audit trail like any other change of a role. */
const buildEvent = (admin: Admin, userId: string, from: string | null) => ({
  writeId: crypto.randomUUID(),
  type: 'role_changed' as const,
  userId,
  now: admin.createdAt,
  detail: { from, to: admin.role, doctor_id: null, ...(from !== null && { password: 'set' }) },
});

const addAccount = (db: Db, admin: Admin): Statement[] => [
  ...insertAccount(db, admin),
  recordSecurityEvent(db, buildEvent(admin, admin.id, null)),
];

/**
 * Networks and devices that logged in before are unknown again; without the keys it cannot be determined which they
 * are.
 */
const forgetKnown = async (
  opened: Opened,
  { email }: Admin,
  { writeId, now }: { writeId: string; now: number },
): Promise<Statement[]> => {
  const sealing = await createSealing(opened).catch(() => null);
  if (sealing !== null) return forgetOrigins({ ...sealing, db: opened.db }, { name: email, writeId, now });
  note('Its networks and devices stay known: DATA_KEY and JWT_SECRET are not set here.');
  return [];
};

/** An existing account gets the password that was given here; its old password, logins and calendar addresses end. */
const takeOver = async (
  opened: Opened,
  admin: Admin,
  { id, role }: { id: string; role: string },
): Promise<Statement[]> => {
  const { db } = opened;
  const event = buildEvent(admin, id, role);
  const { passwordHash, invitedAt, updatedAt } = admin;
  const fields = {
    role: admin.role,
    doctorId: null,
    passwordHash,
    passwordUnsetAt: null,
    deactivatedAt: null,
  };
  return [
    recordSecurityEvent(db, event),
    ...(await forgetKnown(opened, admin, event)),
    db
      .update(users)
      .set({ ...fields, invitedAt, updatedAt })
      .where(eq(users.id, id)),
    db
      .update(deviceLogins)
      .set({ revokedAt: updatedAt, revokedReason: 'role_changed' })
      .where(and(eq(deviceLogins.userId, id), isNull(deviceLogins.revokedAt))),
    db
      .update(passwordResets)
      .set({ usedAt: updatedAt })
      .where(and(eq(passwordResets.userId, id), isNull(passwordResets.usedAt))),
    db.delete(calendarFeeds).where(eq(calendarFeeds.userId, id)),
    // The person who registered this e-mail first may have set up a second factor; the factor of an existing admin stays.
    ...(role === 'admin' ? [] : withoutFactors(db, id)),
  ];
};

/** Writes the admin; true if the e-mail already had an account. */
const write = async (admin: Admin, options: D1Options): Promise<boolean> => {
  const opened = await openChosen(options, { makes: true });
  const { db, close } = opened;
  try {
    const [known] = await db
      .select({ id: users.id, role: users.role })
      .from(users)
      .where(eq(users.email, admin.email));
    await runAll(db, known === undefined ? addAccount(db, admin) : await takeOver(opened, admin, known));
    return known !== undefined;
  } catch (error) {
    throw violatedUnique(error) === 'users.email' ? new Error('This e-mail is already registered.') : error;
  } finally {
    await close();
  }
};

/** `create-admin`: adds an admin, the first one without the set-up link. */
export const addCreateAdmin = (program: Command): void => {
  const command = program
    .command('create-admin')
    .summary('add an admin')
    .description(
      'Adds an admin, the first one too: the link that the service prints at its start does so on a page. An account that has the e-mail already becomes an admin with the new password, and its devices are logged out.',
    )
    .requiredOption('--email <email>', 'the e-mail to log in with')
    .requiredOption('--name <name>', 'the name of the person')
    .addHelpText(
      'after',
      `\nThe password is asked for, read from standard input, or taken from ${passwordVariable}.`,
    )
    .action(async (options: Options) => {
      const admin = await newAdmin(options);
      const stood = await write(admin, options);
      give(options, { email: admin.email, stood }, () =>
        process.stdout.write(`${admin.email} is an admin now.\n${stood ? stoodAlready : ''}`),
      );
    });
  documented(addD1Options(command), {
    examples: [
      'create-admin --email admin@klinik.id --name "Nama Admin"',
      'create-admin --d1 --remote --email admin@klinik.id --name "Nama Admin" < password.txt',
    ],
  });
};
