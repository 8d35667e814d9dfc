import { dayMs } from '../../../core/clinic/durations.ts';
import type { Deps } from '../../../core/deps.ts';
import { noMailer } from '../../../core/mailer.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import { countClinics, lowerAllDueAt } from '../../../modules/clinics/queries.ts';
import type { MountDeployment } from '../../../modules/operators/needs.ts';
import { counted } from '../counted-rules.ts';
import { warnOfUnbuilt } from '../pages/built-files.ts';
import { watchArrivals } from '../serve/arrivals.ts';
import { endWithNpm } from '../serve/npm-script.ts';
import { startServer } from '../serve/server.ts';
import { stopGracefully } from '../serve/stop.ts';
import { addressOf } from '../serve/tour.ts';
import { trackRequests } from '../serve/tracked.ts';
import type { AllSettings } from '../settings.ts';
import { startBackupTimer } from '../watch/backup-timer.ts';
import { pinoLogger } from '../watch/log.ts';
import { collectAtRest } from '../watch/rest.ts';
import type { Assemble, OpenSandboxOf } from './clinic-service.ts';
import { createManyClinics } from './many-clinics.ts';
import { startDueTimer, startSweeper } from './timers.ts';

/** Production takes the secrets from its settings, as with one clinic. */
const assertSecretsGiven = (settings: AllSettings): void => {
  if (settings.NODE_ENV !== 'production') return;
  for (const name of ['JWT_SECRET', 'DATA_KEY'] as const)
    if (settings[name] === undefined) throw new SettingError(`${name} is not set: production takes one.`);
};

/** Serves all clinics of a folder until a signal ends the process. */
export const serveClinics = async (
  settings: AllSettings,
  given: { assemble: Assemble; openSandbox: OpenSandboxOf; mountDeployment: MountDeployment },
): Promise<void> => {
  assertSecretsGiven(settings);
  if (settings.ARCHIVE_DATABASE_URL !== undefined)
    throw new SettingError(
      'ARCHIVE_DATABASE_URL is for one clinic: with CLINICS each archive lies beside the file of its clinic.',
    );
  if (settings.SANDBOX_DATABASE_URL !== undefined)
    throw new SettingError(
      'SANDBOX_DATABASE_URL is for one clinic: with CLINICS a clinic that sets SANDBOX=on has its sandbox beside its file.',
    );
  const log = pinoLogger(settings.LOG_LEVEL);
  const clock = Date.now;
  const arrivals = watchArrivals();
  const requests = trackRequests();
  const many = await createManyClinics(settings, { ...given, log, clock, requests });
  const { fetch, turnAway, clinics, directory, backups } = many;
  warnAboutSettings(settings, many.mailer === noMailer, log);
  await many.machines?.leases.start();
  const { server, port } = await startServer(fetch, settings, { requests, arrivals, turnAway });
  const parts = { directory, clinics, clock, log, notElsewhere: many.machines?.notElsewhere ?? null };
  // Those that nobody asks for have bookings to archive too.
  if (settings.ARCHIVE_AFTER_DAYS > 0) await lowerAllDueAt(directory, clock() + dayMs);
  const stopDue = startDueTimer(parts);
  const stopSweeper = startSweeper(parts);
  const stopBackups = startBackupTimer(backups);
  collectAtRest();
  const { all } = await countClinics(directory);
  process.stdout.write(
    `Janji listens on ${addressOf(settings.HOST, port)} for ${counted(all, 'clinic')} of ${many.folder}, each under its own host.\n`,
  );
  stopGracefully(server, requests, log, {
    end: () => {
      many.endWaits();
      return Promise.all([stopDue(), stopSweeper(), stopBackups()]);
    },
    close: many.close,
  });
  endWithNpm('start');
};

/** Says at the start what an operator should not overlook. */
const warnAboutSettings = (settings: AllSettings, sendsNoMail: boolean, log: Deps['log']): void => {
  if (settings.WEBHOOK_ALLOW_PRIVATE === 'true')
    log.warn('WEBHOOK_ALLOW_PRIVATE is true: webhooks may reach addresses inside the network.');
  if (sendsNoMail) log.warn('Neither SMTP_URL nor MAIL_API_URL is set: no mail is sent.');
  if (settings.RATE_LIMIT === 'off')
    pinoLogger('warn').warn('RATE_LIMIT is off: passwords can be guessed without limit.');
  warnOfUnbuilt(log);
};
