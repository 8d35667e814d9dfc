import { ensureClinic } from './core/clinic/row.ts';
import { createEventWaiters } from './core/events/waiters.ts';
import { createKeptAnswers } from './core/http/public-cache.ts';
import { mountDeployment } from './deployment.ts';
import { demoJobs } from './jobs/jobs.ts';
import { createDueRounds } from './jobs/rounds.ts';
import { askByFetch } from './modules/exchange/outbox/ask.ts';
import { offerSetup } from './modules/setup/link.ts';
import { createBackups, readBackupPlan } from './runtime/node/backup/scheduled.ts';
import { cannotStart } from './runtime/node/cannot-start.ts';
import { commonPasswords } from './runtime/node/common-passwords.ts';
import { connectArchive } from './runtime/node/database/archive.ts';
import { openDatabase } from './runtime/node/database/database.ts';
import { connectSandbox } from './runtime/node/database/sandbox.ts';
import { ensureDemo } from './runtime/node/demo.ts';
import { doEveryStep } from './runtime/node/every-step.ts';
import { createBoundedHasher } from './runtime/node/hashing/bounded-hasher.ts';
import { readerOfBuilt } from './runtime/node/pages/built-files.ts';
import { assertSecrets, readSecrets } from './runtime/node/secret.ts';
import { watchArrivals } from './runtime/node/serve/arrivals.ts';
import { trackBackground } from './runtime/node/serve/background.ts';
import { createClientAddressReader } from './runtime/node/serve/client-address.ts';
import { compress } from './runtime/node/serve/compress.ts';
import { onlyForThisMachine } from './runtime/node/serve/demo-guard.ts';
import { endAtSignal } from './runtime/node/serve/early-end.ts';
import { nodeMailer } from './runtime/node/serve/mailer.ts';
import { endWithNpm } from './runtime/node/serve/npm-script.ts';
import { startServer } from './runtime/node/serve/server.ts';
import { stopGracefully } from './runtime/node/serve/stop.ts';
import { addressOf, tour } from './runtime/node/serve/tour.ts';
import { trackRequests } from './runtime/node/serve/tracked.ts';
import { parseAllSettings } from './runtime/node/settings.ts';
import { readSettings } from './runtime/node/settings-file.ts';
import { startBackupTimer } from './runtime/node/watch/backup-timer.ts';
import { startJobTimer } from './runtime/node/watch/job-timer.ts';
import { watchLoad } from './runtime/node/watch/load.ts';
import { pinoLogger } from './runtime/node/watch/log.ts';
import { collectAtRest } from './runtime/node/watch/rest.ts';
import { warnAtStart } from './runtime/node/watch/warnings.ts';
import { gatewaySender, webhookSender } from './runtime/node/webhooks/webhook-sender.ts';
import { startWebhookTicker } from './runtime/node/webhooks/webhook-ticker.ts';
import { assemble, openSandbox } from './service.ts';

/** The first requests come first: due work has waited for as long as nothing was served. */
const firstJobsInMs = 1_000;

/** Serves until a signal ends the process, with the settings of the environment. */
export const serve = async (): Promise<void> => {
  endAtSignal();
  // The database and its log contain patients' data: only the user who runs this process may read the files it makes.
  process.umask(0o077);
  const settings = parseAllSettings(process.env);
  // Loaded when there are several: one clinic starts without it.
  if (settings.CLINICS !== undefined)
    return (await import('./runtime/node/clinics/serve-clinics.ts')).serveClinics(settings, {
      assemble,
      openSandbox,
      mountDeployment,
    });
  assertSecrets(settings);
  const log = pinoLogger(settings.LOG_LEVEL);
  const arrivals = watchArrivals();
  const requests = trackRequests();
  const background = trackBackground(log);
  const waiters = createEventWaiters();
  const { DATABASE_URL: url, DATABASE_AUTH_TOKEN: token, DATABASE_KEY: key } = settings;
  const options = { arrivals: arrivals.count, clock: Date.now, commitsInThread: 'under load', key } as const;
  const database = await openDatabase(url, token, options);
  const archive = await connectArchive(settings);
  const clinic = await ensureClinic(database.db, settings.CLINIC_TIME_ZONE, settings.CLINIC_ID);
  const hasher = createBoundedHasher();
  const holdsDemo = await ensureDemo(settings, clinic, database, hasher);
  const mailer = nodeMailer(settings, settings, log);
  const plan = readBackupPlan(settings);
  const backups = plan && createBackups(plan, { clock: Date.now, log });
  const { turnAway, metrics, mountOwn } = watchLoad(settings, {
    database,
    archivePath: archive?.path ?? null,
    hasher,
    requests,
    waiters,
    backups,
    log,
  });
  const shared = {
    config: settings,
    ...readSecrets(settings, database.path),
    clock: Date.now,
    hasher,
    commonPasswords,
    mailer,
    log,
    clientAddress: createClientAddressReader(settings.TRUST_PROXY),
    background: background.add,
    publicFile: readerOfBuilt(),
    compress,
    sendWebhook: webhookSender(settings.WEBHOOK_ALLOW_PRIVATE === 'true'),
    sendMessage: gatewaySender(),
    awaitEvents: waiters.wait,
    eventsWritten: () => {
      waiters.wake();
      webhooks.kick();
    },
    askPartner: askByFetch,
    metrics,
    publicCache: createKeptAnswers(Date.now, () => database.stats?.().commitCount),
    mountOwn,
    ...(database.path !== null && { backupState: backups?.readState ?? (() => null) }),
  };
  const sandbox = await connectSandbox(settings, {
    open: (opened) => openSandbox(opened, clinic.storedId, shared),
    log,
    clock: Date.now,
  });
  const { deps, app } = await assemble(
    clinic,
    { ...database, archive: archive ?? undefined },
    {
      ...shared,
      ...(sandbox !== null && { besideSandbox: sandbox.beside }),
    },
  );
  await warnAtStart(settings, deps);
  const fetch = holdsDemo && settings.DEMO !== 'on' ? onlyForThisMachine(app.fetch) : app.fetch;
  const webhooks = startWebhookTicker(deps);
  // Fills the demo clinic's day before anybody books in it: it would take slots that somebody has just seen.
  if (holdsDemo) await createDueRounds(deps, database.changeMark, demoJobs).run();
  const { server, port } = await startServer(fetch, settings, { requests, arrivals, turnAway });
  const stopJobs = startJobTimer(deps, database.changeMark, { firstInMs: firstJobsInMs });
  const stopBackups = startBackupTimer(backups);
  collectAtRest();
  const base = addressOf(settings.HOST, port);
  const link = clinic.hasAdmin || holdsDemo ? null : await offerSetup(deps, base);
  process.stdout.write(tour(base, holdsDemo, link, settings.PUBLIC_URL));
  stopGracefully(server, requests, log, {
    end: () => {
      waiters.end();
      return Promise.all([stopJobs(), stopBackups(), webhooks.stop()]);
    },
    close: () =>
      doEveryStep([background.settled, mailer.close, sandbox?.close, archive?.close, database.close]),
  });
  endWithNpm('start');
};

/** Serves as the command line does: without a command, or with `serve` and no options. */
export const serveAsIs = async (command?: 'serve'): Promise<void> => {
  try {
    readSettings(undefined);
    if (command === 'serve') process.env.NODE_ENV ||= 'production';
    await serve();
  } catch (error) {
    cannotStart(error);
  }
};

if (import.meta.main) serve().catch(cannotStart);
