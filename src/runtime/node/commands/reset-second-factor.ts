import type { Command } from 'commander';
import { and, eq, isNull } from 'drizzle-orm';
import { type Db, runAll, type Statement } from '../../../core/db/db.ts';
import { deviceLogins, users } from '../../../core/tables/accounts.ts';
import { recoveryCodes, secondFactors } from '../../../core/tables/factors.ts';
import { recordSecurityEvent } from '../../../modules/auth/audit/queries.ts';
import { accountEmail } from '../../../modules/auth/rules.ts';
import { openD1ByWrangler } from '../d1/d1-database.ts';
import { addD1Options, type D1Options, toPlace } from '../d1/wrangler.ts';
import { openThere } from '../database/database.ts';
import { parseNodeSettings } from '../settings.ts';
import { documented, give, type JsonOption } from './documented.ts';

interface Options extends D1Options, JsonOption {
  email: string;
}

/** The statements that take every factor of an account away. */
export const withoutFactors = (db: Db, id: string): Statement[] => [
  db.delete(secondFactors).where(eq(secondFactors.userId, id)),
  db.delete(recoveryCodes).where(eq(recoveryCodes.userId, id)),
  db.update(users).set({ secondFactorAt: null }).where(eq(users.id, id)),
];

/** Takes every factor of the account away and ends its logins, in one step with the line in the audit trail. */
const reset = async (db: Db, email: string): Promise<void> => {
  const [user] = await db
    .select({ id: users.id, since: users.secondFactorAt })
    .from(users)
    .where(eq(users.email, email));
  if (user === undefined) throw new Error('Nobody has this e-mail.');
  if (user.since === null) throw new Error('This account has no second factor.');
  const { id } = user;
  const now = Date.now();
  const event = { writeId: crypto.randomUUID(), type: 'second_factor_reset' as const, userId: id, now };
  await runAll(db, [
    recordSecurityEvent(db, { ...event, detail: { by: 'command line' } }),
    ...withoutFactors(db, id),
    db
      .update(deviceLogins)
      .set({ revokedAt: now, revokedReason: 'factor_changed' })
      .where(and(eq(deviceLogins.userId, id), isNull(deviceLogins.revokedAt))),
  ]);
};

/** `reset-second-factor`: for an account whose authenticator app, passkeys and recovery codes are lost. */
export const addResetSecondFactor = (program: Command): void => {
  const command = program
    .command('reset-second-factor')
    .summary('take the second factor of an account away')
    .description(
      'For somebody who has lost the authenticator app, the passkeys and the recovery codes. Takes every second factor of the account away and logs its devices out; the password stays. The audit trail tells of it. Be sure who is asking.',
    )
    .requiredOption('--email <email>', 'the e-mail of the account')
    .action(async (options: Options) => {
      const place = toPlace(options);
      const { db, close } =
        place === null
          ? await openThere(parseNodeSettings(process.env))
          : { db: openD1ByWrangler(place), close: async () => {} };
      try {
        const email = accountEmail(options.email);
        await reset(db, email);
        give(options, { email }, () =>
          process.stdout.write(`${email} logs in with the password alone now.\n`),
        );
      } finally {
        await close();
      }
    });
  documented(addD1Options(command), { examples: ['reset-second-factor --email rina@klinik.id'] });
};
