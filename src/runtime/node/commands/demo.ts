import type { Command } from 'commander';
import { ensureClinic } from '../../../core/clinic/row.ts';
import { parseConfig } from '../../../core/settings/config.ts';
import { createHasher } from '../../../modules/auth/passwords/hasher.ts';
import { demoAccounts, demoPassword, seedDemo } from '../../../modules/demo/demo.ts';
import { openDatabase } from '../database/database.ts';
import { type NodeSettings, parseNodeSettings } from '../settings.ts';
import { documented, give, type JsonOption } from './documented.ts';

const assertWanted = ({ DEMO, NODE_ENV }: NodeSettings): void => {
  if (DEMO === 'off') throw new Error('DEMO is off: the demo clinic is not wanted here.');
  if (NODE_ENV === 'production' && DEMO !== 'on')
    throw new Error('NODE_ENV is production: passwords that everybody knows need DEMO=on there.');
};

const fill = async (options: JsonOption): Promise<void> => {
  const settings = parseNodeSettings(process.env);
  assertWanted(settings);
  const { CLINIC_TIME_ZONE, CLINIC_ID } = parseConfig(process.env);
  const { db, close } = await openDatabase(settings.DATABASE_URL, settings.DATABASE_AUTH_TOKEN, {
    key: settings.DATABASE_KEY,
  });
  try {
    const { demoSince } = await ensureClinic(db, CLINIC_TIME_ZONE, CLINIC_ID);
    if (demoSince === null && !(await seedDemo(db, createHasher(), Date.now())))
      throw new Error('The database holds people or doctors of its own: the demo clinic takes an empty one.');
    const emails = demoAccounts.map(({ email }) => email);
    give(options, { made: demoSince === null, emails, password: demoPassword }, () => {
      process.stdout.write(demoSince === null ? 'The demo clinic is there.\n' : 'It was there already.\n');
      process.stdout.write(`Accounts (password ${demoPassword}): ${emails.join(', ')}\n`);
    });
  } finally {
    await close();
  }
};

/** `demo`: adds the demo clinic, but never to a clinic's own data. */
export const addDemo = (program: Command): void => {
  const command = program
    .command('demo')
    .summary('fill an empty database with the demo clinic')
    .description(
      'Fills an empty database with the demo clinic: three doctors, two sessions, four accounts. In production it takes DEMO=on. For a local D1, `npm run dev` does so by itself.',
    )
    .action(fill);
  documented(command, { examples: ['demo', 'demo --json'] });
};
