import { version } from './interface/reference/package.ts';
import { addAudit } from './runtime/node/audit/command.ts';
import { cannotStart } from './runtime/node/cannot-start.ts';
import { addArchive } from './runtime/node/commands/archive.ts';
import { ClinicCommand } from './runtime/node/commands/at-clinics.ts';
import { addBackup } from './runtime/node/commands/backup.ts';
import { addBpjs } from './runtime/node/commands/bpjs.ts';
import { addCheck } from './runtime/node/commands/check.ts';
import { addClinics } from './runtime/node/commands/clinics.ts';
import { addCreateAdmin } from './runtime/node/commands/create-admin.ts';
import { addDemo } from './runtime/node/commands/demo.ts';
import { leadToExamples } from './runtime/node/commands/documented.ts';
import { addEncrypt } from './runtime/node/commands/encrypt.ts';
import { addExchange } from './runtime/node/commands/exchange.ts';
import { addExport } from './runtime/node/commands/export.ts';
import { addExportData } from './runtime/node/commands/export-data.ts';
import { addHolidays } from './runtime/node/commands/holidays.ts';
import { addImport } from './runtime/node/commands/import.ts';
import { addImportPatients, addImportVisits } from './runtime/node/commands/import-patients.ts';
import { addInit } from './runtime/node/commands/init.ts';
import { addMigrate } from './runtime/node/commands/migrate.ts';
import { addRekey } from './runtime/node/commands/rekey.ts';
import { addResetSecondFactor } from './runtime/node/commands/reset-second-factor.ts';
import { addRestore } from './runtime/node/commands/restore.ts';
import { addRezone } from './runtime/node/commands/rezone.ts';
import { addServe } from './runtime/node/commands/serve.ts';
import { addSetupLink } from './runtime/node/commands/setup-link.ts';
import { addStatus } from './runtime/node/commands/status.ts';
import { LeftPrompt, outliveReaders } from './runtime/node/commands/terminal.ts';
import { addVerify } from './runtime/node/commands/verify.ts';
import { explainError } from './runtime/node/reason.ts';
import { interruptedCode } from './runtime/node/serve/early-end.ts';
import { readSettings, settingsFile } from './runtime/node/settings-file.ts';

/** The service itself, loaded when it is needed: a command that looks after it loads a part of it. */
const serve = async (): Promise<void> => (await import('./node.ts')).serve().catch(cannotStart);

const program = new ClinicCommand('janji')
  .description(
    'Serves Janji and looks after it. Without a command it serves the demo clinic on this machine, in data/janji.db.',
  )
  .usage('<command> [options]')
  .version(version, '--version', 'the version of this package')
  .option(
    // Not --env-file: node takes that one for itself, wherever it stands, and ends where there is no such file.
    '--settings <file>',
    `settings, a NAME=value a line; without it ${settingsFile} of this folder, where it is`,
  )
  .hook('preAction', (all, command) => {
    // Init writes that file.
    if (command.name() !== 'init') readSettings(all.opts<{ settings?: string }>().settings);
  })
  .helpCommand(false)
  .showHelpAfterError('(--help tells what it takes)')
  .addHelpText(
    'after',
    '\n`janji <command> --help` tells more, with examples. With --json a command answers in JSON. The exit code is 0 when it is done, 1 when not; what is wrong is said on standard error.',
  );

// Each command has a file under src/runtime/node/commands and is registered here.
addInit(program);
addServe(program, serve);
addCheck(program);
addStatus(program);
addMigrate(program);
addClinics(program);
addDemo(program);
addSetupLink(program);
addCreateAdmin(program);
addResetSecondFactor(program);
addHolidays(program);
addRezone(program);
addRekey(program);
addEncrypt(program);
addArchive(program);
addBackup(program);
addVerify(program);
addAudit(program);
addRestore(program);
addExport(program);
addExportData(program);
addImport(program);
addImportPatients(program);
addImportVisits(program);
addExchange(program);
addBpjs(program);
leadToExamples(program);

// Files created here contain patients' data: only their owner may read them.
process.umask(0o077);
outliveReaders();

/** Without a command: as the environment says, and without settings the demo clinic, for this machine. */
const serveAsIs = async (): Promise<void> => (await import('./node.ts')).serveAsIs();

(process.argv.length > 2 ? program.parseAsync() : serveAsIs()).catch((error: unknown) => {
  process.stderr.write(`${explainError(error)}\n`);
  process.exitCode = error instanceof LeftPrompt ? interruptedCode : 1;
});
