import { Command } from 'commander';
import { SettingError } from './config.ts';
import { addCreateAdmin } from './node/commands/create-admin.ts';
import { addHolidays } from './node/commands/holidays.ts';

const program = new Command('janji')
  .description('Runs and looks after a Janji service.')
  .showHelpAfterError();

// Each command stands in a file of its own under src/node/commands and adds itself here.
addCreateAdmin(program);
addHolidays(program);

program.parseAsync().catch((error: unknown) => {
  const isKnown = error instanceof SettingError;
  process.stderr.write(`${isKnown || error instanceof Error ? (error as Error).message : String(error)}\n`);
  process.exitCode = 1;
});
