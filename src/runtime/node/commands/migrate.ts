import type { Command } from 'commander';
import { addD1Options, type D1Options, type D1Place, runOnD1, toPlace } from '../d1/wrangler.ts';
import { connectDatabase } from '../database/database.ts';
import { parseNodeSettings } from '../settings.ts';
import { documented, give, type JsonOption } from './documented.ts';

const migrateLibsql = async (options: JsonOption): Promise<void> => {
  const { DATABASE_URL, DATABASE_AUTH_TOKEN, DATABASE_KEY: key } = parseNodeSettings(process.env);
  const { migrate, close } = await connectDatabase(DATABASE_URL, DATABASE_AUTH_TOKEN, { key });
  try {
    const applied = await migrate();
    give(options, { applied: applied.map(({ name }) => name) }, () => {
      for (const { name } of applied) process.stdout.write(`applied ${name}\n`);
      process.stdout.write(applied.length === 0 ? 'Nothing to apply: the database is up to date.\n' : '');
    });
  } finally {
    await close();
  }
};

const migrateD1 = (place: D1Place, options: JsonOption): void => {
  const { status, stdout } = runOnD1(['migrations', 'apply'], place, [], { shown: !options.json });
  if (status !== 0) throw new Error('The migrations were not applied: without --json wrangler says why.');
  // Wrangler names each in a table, with a mark once it is applied.
  const applied = [...new Set(stdout?.match(/\d{4}_\w+(?=\.sql)/g))];
  give(options, { applied }, () => {});
};

/** `migrate`: applies this version's migrations before the service starts. */
export const addMigrate = (program: Command): void => {
  const command = program
    .command('migrate')
    .summary('apply the migrations that the database lacks')
    .description(
      'Applies the migrations that the database lacks, and says which. On Node the start does so by itself; on Cloudflare run it before a deployment.',
    )
    .action(async (options: D1Options & JsonOption) => {
      const place = toPlace(options);
      if (place === null) await migrateLibsql(options);
      else migrateD1(place, options);
    });
  documented(addD1Options(command), {
    examples: ['migrate', 'migrate --d1 --remote'],
    exitCodes: '0 all are applied, 1 not',
  });
};
