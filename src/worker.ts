import { waitUntil } from 'cloudflare:workers';
import { Hono } from 'hono';
import { createApp } from './app.ts';
import { createHasher } from './auth/passwords/hasher.ts';
import { ensureClinic, identityOf } from './clinic/row.ts';
import { createClinicTime } from './clinic/time.ts';
import { type Config, parseConfig, SettingError } from './config.ts';
import { clinicKeys } from './crypto/clinic-keys.ts';
import { createSecretBox } from './crypto/sealing.ts';
import { createTokenKeys } from './crypto/token-keys.ts';
import { openD1 } from './db/d1.ts';
import type { Deps, PublicFile } from './deps.ts';
import type { AppEnv } from './http/context.ts';
import { introduce } from './http/observed.ts';
import { respondFailure } from './http/respond.ts';
import { runJobs } from './jobs/jobs.ts';
import type { Logger } from './log.ts';
import { consoleLogger } from './log.ts';
import { apiMailer, logMailer, type Mailer, noMailer } from './mailer.ts';
import { loggedMetrics } from './metrics.ts';
import { deliverWebhooks, workerLimits } from './webhooks/delivery/deliver.ts';
import { sendByFetch } from './webhooks/delivery/send-by-fetch.ts';
import { createWake } from './webhooks/delivery/wake.ts';

interface Bindings extends Record<string, unknown> {
  DB: D1Database;
  ASSETS?: Fetcher;
}

/** Static assets answer to any host; redirects would mean that a path is not a file's. */
const assetsOf =
  (assets: Fetcher | undefined) =>
  async (path: string): Promise<PublicFile | null> => {
    const response = await assets?.fetch(`https://assets.local${path}`);
    if (response?.status !== 200 || response.body === null) return null;
    const { headers } = response;
    // One class under two declarations: the runtime's and the platform's.
    const content = response.body as unknown as ReadableStream;
    return { content, contentType: headers.get('Content-Type') ?? '', etag: headers.get('ETag') ?? '""' };
  };

const mailerOf = (config: Config, log: Logger): Mailer => {
  const { MAIL_API_URL, MAIL_API_KEY = '', MAIL_FROM } = config;
  if (MAIL_API_URL !== undefined) return apiMailer(MAIL_API_URL, MAIL_API_KEY, MAIL_FROM);
  if (config.MAIL_TO_LOG === 'off') return noMailer;
  log.warn('MAIL_TO_LOG is on: mails go to the log, with the secrets in them.');
  return logMailer(log);
};

/** Changes of so short a time are delivered by one run. */
const wakeAfterMs = 100;

const buildApp = async (bindings: Bindings) => {
  const config = parseConfig(bindings);
  if (config.JWT_SECRET === undefined)
    throw new SettingError(
      'JWT_SECRET is not set: it takes a secret of at least 32 bytes (wrangler secret put JWT_SECRET).',
    );
  const log = consoleLogger(config.LOG_LEVEL);
  // Whatever LOG_LEVEL says.
  if (config.RATE_LIMIT === 'off')
    consoleLogger('warn').warn('RATE_LIMIT is off: passwords can be guessed without limit.');
  const afterAnswer = (work: Promise<unknown>): void =>
    waitUntil(
      work.catch((error: unknown) =>
        log.error('background', { cause: error instanceof Error ? error.name : 'unknown' }),
      ),
    );
  const db = openD1(bindings.DB);
  const mailer = mailerOf(config, log);
  if (mailer === noMailer) log.warn('MAIL_API_URL is not set: no mail is sent.');
  const clinic = await ensureClinic(db, config.CLINIC_TIME_ZONE, config.CLINIC_ID);
  const identity = identityOf(clinic, Date.now());
  const keys = await clinicKeys(identity, config.JWT_SECRET, config.JWT_SECRET_PREVIOUS);
  const deliverSoon = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, wakeAfterMs));
    await deliverWebhooks(deps, workerLimits);
  };
  const deps: Deps = {
    config,
    db,
    clock: Date.now,
    newId: () => crypto.randomUUID(),
    hasher: createHasher(),
    tokenKeys: await createTokenKeys(keys),
    clinicTime: createClinicTime(config.CLINIC_TIME_ZONE),
    mailer,
    log,
    clientAddress: (request) => request.headers.get('CF-Connecting-IP') ?? '',
    publicFile: assetsOf(bindings.ASSETS),
    background: afterAnswer,
    secretBox: await createSecretBox(keys),
    sendWebhook: sendByFetch,
    eventsWritten: createWake(Date.now, wakeAfterMs, () => afterAnswer(deliverSoon())),
    metrics: loggedMetrics(log),
  };
  return { deps, app: createApp(deps) };
};

// One isolate serves one set of bindings. Requests may not wait for each other's promises, so each of the first
// ones builds an app of its own until one is kept.
let built: Awaited<ReturnType<typeof buildApp>> | undefined;

const closed = new Hono<AppEnv>().notFound((c) => {
  introduce(c);
  return respondFailure(c, 'unavailable', { headers: { 'Retry-After': '5' } });
});

const cannotServe = (error: unknown, request: Request) => {
  consoleLogger('error').error('cannot start', { cause: error instanceof Error ? error.message : 'unknown' });
  return closed.fetch(request);
};

export default {
  async fetch(request: Request, bindings: Bindings): Promise<Response> {
    try {
      built ??= await buildApp(bindings);
    } catch (error) {
      return cannotServe(error, request);
    }
    return built.app.fetch(request, bindings);
  },

  async scheduled(_event: unknown, bindings: Bindings): Promise<void> {
    built ??= await buildApp(bindings);
    // Beside the jobs, in an extension of its own: they do not wait for deliveries.
    built.deps.eventsWritten();
    await runJobs(built.deps);
  },
};
