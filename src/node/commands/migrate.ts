import type { Command } from 'commander';
import { addD1Options, type D1Options, type D1Place, placeOf, runOnD1 } from '../d1/wrangler.ts';
import { connectDatabase } from '../database/database.ts';
import { parseNodeSettings } from '../settings.ts';

const migrateLibsql = async (): Promise<void> => {
  const { DATABASE_URL, DATABASE_AUTH_TOKEN, DATABASE_KEY: key } = parseNodeSettings(process.env);
  const { migrate, close } = connectDatabase(DATABASE_URL, DATABASE_AUTH_TOKEN, { key });
  try {
    const applied = await migrate();
    for (const { name } of applied) process.stdout.write(`applied ${name}\n`);
    process.stdout.write(applied.length === 0 ? 'Nothing to apply: the database is up to date.\n' : '');
  } finally {
    await close();
  }
};

const migrateD1 = (place: D1Place): void => {
  const { status } = runOnD1(['migrations', 'apply'], place, [], { shown: true });
  if (status !== 0) throw new Error('The migrations were not applied: wrangler says above why.');
};

/** `migrate`: applies this version's migrations before the service starts. */
export const addMigrate = (program: Command): void => {
  const command = program
    .command('migrate')
    .summary('apply the migrations that the database lacks')
    .description(
      'Applies the migrations that the database lacks, and says which. On Node the start does so by itself; on Cloudflare run it before a deployment.',
    )
    .action(async (options: D1Options) => {
      const place = placeOf(options);
      if (place === null) await migrateLibsql();
      else migrateD1(place);
    });
  addD1Options(command);
};
