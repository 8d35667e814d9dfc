import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { checkBackups } from '../checks/backups.ts';
import { checkD1 } from '../checks/d1.ts';
import { checkDatabase } from '../checks/database.ts';
import { type Finding, ok, printed, wrong } from '../checks/finding.ts';
import { checkMachines } from '../checks/machines.ts';
import {
  checkDataKey,
  checkEnvironment,
  checkFileKey,
  checkIntentions,
  checkNames,
  checkSecret,
  checkSettings,
} from '../checks/settings.ts';
import { addD1Options, type D1Options, toPlace, workerVariables } from '../d1/wrangler.ts';
import { isNodeNewEnough, minNodeVersion } from '../node-version.ts';
import { settingsFile } from '../settings-file.ts';
import { documented, give, type JsonOption } from './documented.ts';

const checkNode = (version = process.versions.node): Finding =>
  isNodeNewEnough(version)
    ? ok('node', version)
    : wrong('node', `${version} is too old`, `use ${minNodeVersion.join('.')} or newer`);

const checkAll = async (options: D1Options, file: string | null): Promise<Finding[]> => {
  const place = toPlace(options);
  const { config, settings, findings } = checkSettings(
    place === null ? process.env : await workerVariables(),
  );
  const judged = place === null ? checkEnvironment(process.env.NODE_ENV, file) : [];
  const names = place === null && file !== null ? checkNames(file) : [];
  const found = [checkNode(), ...judged, ...findings, ...names];
  if (config === null || settings === null) return found;
  if (place !== null) return [...found, ...checkD1(config.CLINIC_TIME_ZONE, place)];
  const database = await checkDatabase(config, settings);
  const secrets = [checkSecret(config, settings), checkDataKey(config, settings), ...checkFileKey(settings)];
  const kept = checkBackups(settings, Date.now());
  const machines = await checkMachines(settings);
  return [...found, ...secrets, ...database, ...kept, ...machines, ...checkIntentions(config, settings)];
};

/** `check`: reports line by line whether the service can start here and work. */
export const addCheck = (program: Command): void => {
  const command = program
    .command('check')
    .summary('whether everything is ready to serve')
    .description(
      'Checks settings, secret, database, migrations, zone and clock with the settings of this shell, or with --d1 those of wrangler.toml, and says what to do about what is wrong. Changes nothing.',
    )
    .action(async (options: D1Options & JsonOption) => {
      const given = command.optsWithGlobals<{ settings?: string }>().settings;
      const findings = await checkAll(options, given ?? (existsSync(settingsFile) ? settingsFile : null));
      const count = findings.filter(({ verdict }) => verdict === 'wrong').length;
      give(options, { ready: count === 0, findings }, () => {
        for (const finding of findings) process.stdout.write(printed(finding));
        process.stdout.write(count === 0 ? 'Ready to serve.\n' : `${count} to put right.\n`);
      });
      if (count > 0) process.exitCode = 1;
    });
  documented(addD1Options(command), {
    examples: ['check', 'check --d1 --remote', 'check --json'],
    exitCodes: '0 ready to serve, 1 something is wrong',
  });
};
