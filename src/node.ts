import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from './app.ts';
import { boundedBy } from './auth/passwords/bounded.ts';
import { createHasher, type Hasher } from './auth/passwords/hasher.ts';
import { ClinicMismatch, ensureClinic, identityOf } from './clinic/row.ts';
import { createClinicTime } from './clinic/time.ts';
import { SettingError } from './config.ts';
import { clinicKeys } from './crypto/clinic-keys.ts';
import { createSecretBox } from './crypto/sealing.ts';
import { createTokenKeys } from './crypto/token-keys.ts';
import { seedDemo } from './demo.ts';
import type { Deps } from './deps.ts';
import { noMailer } from './mailer.ts';
import { openDatabase } from './node/database/database.ts';
import { passwordHashingThreads } from './node/hashing/password-hashing-threads.ts';
import { reasonOf } from './node/reason.ts';
import { localSecret } from './node/secret.ts';
import { watchArrivals } from './node/serve/arrivals.ts';
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
import { type AllSettings, isOpenToOthers, type NodeSettings, parseAllSettings } from './node/settings.ts';
import { startJobTimer } from './node/watch/job-timer.ts';
import { pinoLogger } from './node/watch/log.ts';
import { mountMetrics } from './node/watch/metrics-route.ts';
import { createPrometheus } from './node/watch/prometheus.ts';
import { webhookSender } from './node/webhooks/webhook-sender.ts';
import { startWebhookTicker } from './node/webhooks/webhook-ticker.ts';
import { withinLimit } from './time-limit.ts';

/** Only beside an embedded database is there a place to keep a secret of our own making. */
const assertSecret = ({ JWT_SECRET, NODE_ENV, DATABASE_URL }: AllSettings): void => {
  if (JWT_SECRET !== undefined) return;
  if (NODE_ENV === 'production')
    throw new SettingError('JWT_SECRET is not set: production takes a secret of at least 32 bytes.');
  if (!DATABASE_URL.startsWith('file:'))
    throw new SettingError(
      'JWT_SECRET is not set: with a remote database it takes a secret of at least 32 bytes.',
    );
};

/** Never serve demo data where it could be mistaken for a real clinic's. */
const assertDemoAllowed = (settings: NodeSettings): void => {
  if (settings.DEMO === 'on') return;
  if (isOpenToOthers(settings))
    throw new SettingError(
      'DATABASE_URL holds the demo clinic with public passwords: use another database, or set DEMO to on.',
    );
};

const hashQueue = 64;
/** How long a stop waits for what goes on after answers: none of it is lost, it is found again by the next start. */
const maxMsInBackground = 5_000;
/** A client that never waits is refused ten times a second at most. */
const refusalPauseMs = 100;

/** One hashing thread per core; each has its next job queued, so that it never waits for the main thread. */
const createBoundedHasher = (cores: number): Hasher => {
  const beforeRefusal = () => sleep(refusalPauseMs);
  const gate = boundedBy({ concurrency: 2 * cores, queue: hashQueue, beforeRefusal });
  return createHasher(gate, passwordHashingThreads(cores));
};

const start = async (): Promise<void> => {
  // The database and its log hold patients' data: what is made here is the owner's alone to read.
  process.umask(0o077);
  const settings = parseAllSettings(process.env);
  const config = settings;
  assertSecret(settings);
  const log = pinoLogger(config.LOG_LEVEL);
  const arrivals = watchArrivals();
  const { DATABASE_URL, DATABASE_AUTH_TOKEN } = settings;
  const { db, path, close, stats, assertUsable } = await openDatabase(DATABASE_URL, DATABASE_AUTH_TOKEN, {
    arrivals: arrivals.count,
    clock: Date.now,
  });
  const clinic = await ensureClinic(db, config.CLINIC_TIME_ZONE, config.CLINIC_ID);
  const { demoSince } = clinic;
  const hasher = createBoundedHasher(availableParallelism());
  const wantsDemo =
    settings.DEMO === 'on' || (settings.DEMO === undefined && path !== null && !isOpenToOthers(settings));
  const seeded = wantsDemo && demoSince === null && (await seedDemo(db, hasher, Date.now()));
  if (seeded || demoSince !== null) assertDemoAllowed(settings);
  const secret = config.JWT_SECRET ?? localSecret(`${path}.jwt-secret`);
  const keys = await clinicKeys(identityOf(clinic, Date.now()), secret, config.JWT_SECRET_PREVIOUS);

  const prometheus = createPrometheus({ db, clock: Date.now, hasher, databaseStats: stats });
  const running = new Set<Promise<unknown>>();
  const deps: Deps = {
    config,
    db,
    assertDatabaseUsable: assertUsable,
    clock: Date.now,
    newId: () => crypto.randomUUID(),
    hasher,
    tokenKeys: await createTokenKeys(keys),
    clinicTime: createClinicTime(config.CLINIC_TIME_ZONE),
    mailer: nodeMailer(config, settings, log),
    log,
    clientAddress: clientAddressOf(settings.TRUST_PROXY),
    background: (work) => {
      const tracked = work.catch((error: unknown) =>
        log.error('background', { cause: error instanceof Error ? error.name : 'unknown' }),
      );
      running.add(tracked);
      void tracked.finally(() => running.delete(tracked));
    },
    publicFile,
    compress,
    secretBox: await createSecretBox(keys),
    sendWebhook: webhookSender(config.WEBHOOK_ALLOW_PRIVATE === 'true'),
    eventsWritten: () => webhooks.kick(),
    metrics: prometheus.metrics,
  };
  if (config.WEBHOOK_ALLOW_PRIVATE === 'true')
    log.warn('WEBHOOK_ALLOW_PRIVATE is true: webhooks may reach addresses inside the network.');
  if (deps.mailer === noMailer) log.warn('Neither SMTP_URL nor MAIL_API_URL is set: no mail is sent.');
  // Whatever LOG_LEVEL says.
  if (config.RATE_LIMIT === 'off')
    pinoLogger('warn').warn('RATE_LIMIT is off: passwords can be guessed without limit.');
  const app = createApp(deps, (serve) => mountMetrics(serve, prometheus, settings));
  const holdsDemo = seeded || demoSince !== null;
  const tracked = track(holdsDemo && settings.DEMO !== 'on' ? onlyForThisMachine(app.fetch) : app.fetch);
  const server = httpServer(tracked.fetch, settings.HOST);
  arrivals.of(server);
  const port = await listen(server, settings.PORT, settings.HOST);
  const webhooks = startWebhookTicker(deps);
  const stopJobs = startJobTimer(deps);
  process.stdout.write(tour(settings.HOST, port, holdsDemo));
  stopGracefully(server, tracked, log, {
    end: () => Promise.all([stopJobs(), webhooks.stop()]),
    close: async () => {
      await withinLimit(maxMsInBackground, Promise.allSettled(running));
      await close();
    },
  });
  endWithNpm('start');
};

start().catch((error: unknown) => {
  const isKnown = error instanceof SettingError || error instanceof ClinicMismatch;
  process.stderr.write(isKnown ? `${error.message}\n` : `Janji cannot start: ${reasonOf(error)}\n`);
  process.exitCode = 1;
});
