import { Command } from 'commander';
import { addAudit } from './node/audit/command.ts';
import { addBackup } from './node/commands/backup.ts';
import { addCheck } from './node/commands/check.ts';
import { addCreateAdmin } from './node/commands/create-admin.ts';
import { addDemo } from './node/commands/demo.ts';
import { addEncrypt } from './node/commands/encrypt.ts';
import { addExport } from './node/commands/export.ts';
import { addHolidays } from './node/commands/holidays.ts';
import { addImport } from './node/commands/import.ts';
import { addImportPatients } from './node/commands/import-patients.ts';
import { addMigrate } from './node/commands/migrate.ts';
import { addRekey } from './node/commands/rekey.ts';
import { addResetSecondFactor } from './node/commands/reset-second-factor.ts';
import { addRestore } from './node/commands/restore.ts';
import { addRezone } from './node/commands/rezone.ts';
import { addVerify } from './node/commands/verify.ts';
import { reasonOf } from './node/reason.ts';

const program = new Command('npm run janji --')
  .description('Looks after a Janji service, with the same settings as the service itself (DATABASE_URL …).')
  .usage('<command> [options]')
  .helpCommand(false)
  .showHelpAfterError('(--help tells what it takes)')
  .addHelpText(
    'after',
    '\n`npm run janji -- <command> --help` tells more. The exit code is 0 when it is done, 1 when not; what is wrong is said on standard error.',
  );

// Each command stands in a file of its own under src/node/commands and adds itself here.
addCheck(program);
addMigrate(program);
addDemo(program);
addCreateAdmin(program);
addResetSecondFactor(program);
addHolidays(program);
addRezone(program);
addRekey(program);
addEncrypt(program);
addBackup(program);
addVerify(program);
addAudit(program);
addRestore(program);
addExport(program);
addImport(program);
addImportPatients(program);

// The files that are made here hold patients' data: they are the owner's alone to read.
process.umask(0o077);

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = 1;
});
