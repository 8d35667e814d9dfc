import { ensureClinic } from './core/clinic/row.ts';
import { openD1 } from './core/db/d1.ts';
import type { OpenSandbox } from './core/deps.ts';
import { consoleLogger } from './core/log.ts';
import { loggedMetrics } from './core/metrics.ts';
import { SettingError } from './core/settings/parse-settings.ts';
import { createRounds } from './jobs/rounds.ts';
import { warnOfUnguarded } from './modules/auth/factors/unguarded.ts';
import { createHasher } from './modules/auth/passwords/hasher.ts';
import { askByFetch } from './modules/exchange/outbox/ask.ts';
import { openOnDemand } from './modules/sandbox/on-demand.ts';
import { sendByFetch } from './modules/webhooks/delivery/send-by-fetch.ts';
import { type Assets, createAssetReader, createCommonPasswordReader } from './runtime/worker/assets.ts';
import { afterAnswers, pause, wakeDeliverer } from './runtime/worker/background.ts';
import { cannotServe } from './runtime/worker/closed.ts';
import { workerMailer } from './runtime/worker/mailer.ts';
import { platformCache } from './runtime/worker/platform-cache.ts';
import { parseBindings } from './runtime/worker/settings.ts';
import { warnAtStart, warnOfNoAdmin } from './runtime/worker/warnings.ts';
import { assemble, openSandbox, type Service, type Shared } from './service.ts';

interface Bindings extends Record<string, unknown> {
  DB: D1Database;
  ARCHIVE_DB?: D1Database;
  /** The database of the sandbox, where there is one. */
  SANDBOX_DB?: D1Database;
  ASSETS?: Assets;
}

const open = async (bindings: Bindings): Promise<Service> => {
  const { config, secret, dataKey } = parseBindings(bindings);
  const log = consoleLogger(config.LOG_LEVEL);
  const mailer = workerMailer(config, log);
  warnAtStart(config, mailer, log);
  const database = { db: openD1(bindings.DB) };
  const clinic = await ensureClinic(database.db, config.CLINIC_TIME_ZONE, config.CLINIC_ID);
  if (!clinic.hasAdmin) warnOfNoAdmin(log);
  const shared: Shared = {
    config,
    secret,
    dataKey,
    clock: Date.now,
    hasher: createHasher(),
    commonPasswords: createCommonPasswordReader(bindings.ASSETS),
    mailer,
    log,
    clientAddress: (request) => request.headers.get('CF-Connecting-IP') ?? '',
    background: afterAnswers(log),
    publicFile: createAssetReader(bindings.ASSETS),
    sendWebhook: sendByFetch,
    sendMessage: sendByFetch,
    askPartner: askByFetch,
    noticesAtOnce: 24,
    awaitEvents: pause,
    eventsWritten: wakeDeliverer(() => service.deps),
    metrics: loggedMetrics(log),
    publicCache: platformCache,
  };
  const { SANDBOX_DB } = bindings;
  if (config.SANDBOX === 'on' && SANDBOX_DB === undefined)
    throw new SettingError('SANDBOX=on needs a second database as SANDBOX_DB: see wrangler.toml.');
  if (config.ARCHIVE_AFTER_DAYS > 0 && bindings.ARCHIVE_DB === undefined)
    throw new SettingError('ARCHIVE_AFTER_DAYS needs a second database as ARCHIVE_DB: see wrangler.toml.');
  const archive = bindings.ARCHIVE_DB && { db: openD1(bindings.ARCHIVE_DB) };
  let sandbox: OpenSandbox | undefined;
  // Requests that come at the same time each open it: none may wait for another one.
  const openBeside = async (from: D1Database): Promise<OpenSandbox> => {
    sandbox ??= await openSandbox({ db: openD1(from) }, clinic.storedId, shared);
    return sandbox;
  };
  const service: Service = await assemble(
    clinic,
    { ...database, archive },
    {
      ...shared,
      ...(SANDBOX_DB !== undefined && { besideSandbox: openOnDemand(() => openBeside(SANDBOX_DB), shared) }),
    },
  );
  return service;
};

// Node's server and Cloudflare's edge send `Date` (RFC 9110, section 6.6.1), workerd alone does not: the pages take the
// clinic's time from it.
const withDate = (answer: Response): Response => {
  answer.headers.set('Date', new Date().toUTCString());
  return answer;
};

// One isolate serves one set of bindings. A request may not wait for another request's promise, so requests that come
// before the first service is ready each assemble their own.
let opened: Service | undefined;
let hasWarned = false;

export default {
  async fetch(request: Request, bindings: Bindings): Promise<Response> {
    try {
      opened ??= await open(bindings);
    } catch (error) {
      return cannotServe(error, request, bindings);
    }
    return withDate(await opened.app.fetch(request, bindings));
  },

  async scheduled(_event: unknown, bindings: Bindings): Promise<void> {
    opened ??= await open(bindings);
    if (!hasWarned && opened.deps.config.MAIL_TO_LOG === 'off') await warnOfUnguarded(opened.deps);
    hasWarned = true;
    await createRounds(opened.deps)();
  },
};
