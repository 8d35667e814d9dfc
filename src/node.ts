import { availableParallelism } from 'node:os';
import { warnOfUnguarded } from './auth/factors/unguarded.ts';
import { ensureClinic } from './clinic/row.ts';
import { cannotStart } from './node/cannot-start.ts';
import { commonPasswords } from './node/common-passwords.ts';
import { openDatabase } from './node/database/database.ts';
import { ensureDemo } from './node/demo.ts';
import { createBoundedHasher } from './node/hashing/bounded-hasher.ts';
import { createAdmission } from './node/load/admission.ts';
import { warnOfUnbuilt, withBuilt } from './node/pages/built-files.ts';
import { assertSecrets, localDataKey, localSecret } from './node/secret.ts';
import { watchArrivals } from './node/serve/arrivals.ts';
import { trackBackground } from './node/serve/background.ts';
import { clientAddressOf } from './node/serve/client-address.ts';
import { compress } from './node/serve/compress.ts';
import { onlyForThisMachine } from './node/serve/demo-guard.ts';
import { nodeMailer } from './node/serve/mailer.ts';
import { endWithNpm } from './node/serve/npm-script.ts';
import { publicFile } from './node/serve/public-files.ts';
import { httpServer, listen } from './node/serve/server.ts';
import { stopGracefully } from './node/serve/stop.ts';
import { tour } from './node/serve/tour.ts';
import { track } from './node/serve/tracked.ts';
import { parseAllSettings } from './node/settings.ts';
import { startJobTimer } from './node/watch/job-timer.ts';
import { pinoLogger } from './node/watch/log.ts';
import { mountMetrics } from './node/watch/metrics-route.ts';
import { createPrometheus } from './node/watch/prometheus.ts';
import { warnAtStart } from './node/watch/warnings.ts';
import { gatewaySender, webhookSender } from './node/webhooks/webhook-sender.ts';
import { startWebhookTicker } from './node/webhooks/webhook-ticker.ts';
import { assemble } from './service.ts';

const start = async (): Promise<void> => {
  // The database and its log hold patients' data: only the user who runs this process may read the files it makes.
  process.umask(0o077);
  const settings = parseAllSettings(process.env);
  assertSecrets(settings);
  const log = pinoLogger(settings.LOG_LEVEL);
  const arrivals = watchArrivals();
  const options = {
    arrivals: arrivals.count,
    clock: Date.now,
    commitsInThread: true,
    key: settings.DATABASE_KEY,
  };
  const database = await openDatabase(settings.DATABASE_URL, settings.DATABASE_AUTH_TOKEN, options);
  const { db } = database;
  const clinic = await ensureClinic(db, settings.CLINIC_TIME_ZONE, settings.CLINIC_ID);
  const hasher = createBoundedHasher(availableParallelism());
  const holdsDemo = await ensureDemo(settings, clinic, database, hasher);
  const mailer = nodeMailer(settings, settings, log);
  const background = trackBackground(log);
  const admission = createAdmission({
    targetMs: settings.QUEUE_TARGET_MS,
    inFlight: () => {
      const { running, waiting } = hasher.stats();
      return tracked.running() - running - waiting;
    },
    waitedMs: database.waitedMs ?? (() => 0),
    origins: settings.CORS_ORIGINS,
    log,
  });
  const prometheus = createPrometheus({
    db,
    clock: Date.now,
    hasher,
    databaseStats: database.stats,
    admissionStats: admission.stats,
  });
  const { deps, app } = await assemble(clinic, database, {
    config: settings,
    secret: settings.JWT_SECRET ?? localSecret(`${database.path}.jwt-secret`),
    dataKey: settings.DATA_KEY ?? localDataKey(`${database.path}.data-key`),
    clock: Date.now,
    hasher,
    commonPasswords,
    mailer,
    log,
    clientAddress: clientAddressOf(settings.TRUST_PROXY),
    background: background.add,
    publicFile: withBuilt(publicFile),
    compress,
    sendWebhook: webhookSender(settings.WEBHOOK_ALLOW_PRIVATE === 'true'),
    sendMessage: gatewaySender(),
    eventsWritten: () => webhooks.kick(),
    metrics: prometheus.metrics,
    mountOwn: (serve) => mountMetrics(serve, prometheus, settings),
  });
  warnAtStart(settings, mailer, log);
  if (settings.NODE_ENV === 'production') await warnOfUnguarded(deps);
  const tracked = track(holdsDemo && settings.DEMO !== 'on' ? onlyForThisMachine(app.fetch) : app.fetch);
  const server = httpServer(tracked.fetch, settings.HOST, { turnAway: admission.turnAway });
  arrivals.of(server);
  const port = await listen(server, settings.PORT, settings.HOST);
  warnOfUnbuilt(log);
  const webhooks = startWebhookTicker(deps);
  const stopJobs = startJobTimer(deps, database.changeMark);
  process.stdout.write(tour(settings.HOST, port, holdsDemo));
  stopGracefully(server, tracked, log, {
    end: () => Promise.all([stopJobs(), webhooks.stop()]),
    close: () => background.settled().then(mailer.close).then(database.close),
  });
  endWithNpm('start');
};

start().catch(cannotStart);
