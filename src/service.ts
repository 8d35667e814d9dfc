import { type App, createApp } from './app.ts';
import { type Archive, openArchive } from './core/archive/archive.ts';
import { type Clinic, ClinicMismatch, ensureClinic, toClinicIdentity } from './core/clinic/row.ts';
import { createClinicTime } from './core/clinic/time.ts';
import { clinicKeys, type ServerSecrets } from './core/crypto/clinic-keys.ts';
import { createSecretBox } from './core/crypto/sealing.ts';
import { createTokenKeys } from './core/crypto/token-keys.ts';
import { type Db, run } from './core/db/db.ts';
import { newId } from './core/db/ids.ts';
import type { Deps, OpenSandbox, SharedDeps } from './core/deps.ts';
import type { Serve } from './core/http/observed.ts';
import { loggerWith } from './core/log.ts';
import { noMetrics } from './core/metrics.ts';
import type { Config } from './core/settings/config.ts';
import { createDueRounds } from './jobs/rounds.ts';
import { createSandboxClock } from './modules/sandbox/clock.ts';
import { findDemo } from './modules/sandbox/queries.ts';
import { beginAgainInZone, fillSandbox, resetSandbox } from './modules/sandbox/reset.ts';

/** The service of one clinic: its app, and what the jobs and the deliverer work with. */
export interface Service {
  deps: Deps;
  app: App;
}

/** One clinic's database, as its runtime opened it. */
interface Database {
  db: Deps['db'];
  assertUsable?: Deps['assertDatabaseUsable'];
  emptyLog?: Deps['emptyLog'];
  /** The second database, for the bookings that are older than the clinic's horizon. */
  archive?: (Pick<Archive, 'db' | 'emptyLog'> & Partial<Archive>) | undefined;
}

type GivenArchive = NonNullable<Database['archive']>;

/** Whether an archive opens by itself, when it is asked for something. */
const isWhole = (archive: GivenArchive): archive is Archive => archive.nextAt !== undefined;

/** The dependencies that a runtime provides, for any clinic. */
export interface Shared extends SharedDeps, Pick<ServerSecrets, 'secret' | 'dataKey'> {
  /** Routes that only this runtime has. */
  mountOwn?: (serve: Serve) => void;
}

/** Puts a clinic's service together, on both runtimes alike. */
export const assemble = async (
  clinic: Omit<Clinic, 'storedId' | 'hasAdmin'>,
  { db, assertUsable, emptyLog, archive }: Database,
  { secret, dataKey, mountOwn, ...shared }: Shared,
): Promise<Service> => {
  const { config } = shared;
  const keys = await clinicKeys(toClinicIdentity(clinic, shared.clock()), {
    secret,
    previousSecret: config.JWT_SECRET_PREVIOUS,
    dataKey,
    previousDataKey: config.DATA_KEY_PREVIOUS,
  });
  const deps: Deps = {
    ...shared,
    db,
    ...(assertUsable !== undefined && { assertDatabaseUsable: assertUsable }),
    ...(emptyLog !== undefined && { emptyLog }),
    ...(archive !== undefined && {
      archive: isWhole(archive) ? archive : await openArchive(archive, clinic.clinicId),
    }),
    newId,
    tokenKeys: await createTokenKeys(keys),
    clinicTime: createClinicTime(config.CLINIC_TIME_ZONE),
    secretBox: await createSecretBox(keys),
    keyUse: new Map(),
    rests: new Map(),
  };
  return { deps, app: createApp(deps, mountOwn) };
};

/** The clinic's settings without those that reach anybody outside. */
const withinSandbox = (config: Config): Config => ({
  ...config,
  CLINIC_ID: undefined,
  PUBLIC_CACHE: 'off',
  ARCHIVE_AFTER_DAYS: 0,
  MAIL_API_URL: undefined,
  MAIL_API_KEY: undefined,
  NOTICE_API_URL: undefined,
  NOTICE_API_KEY: undefined,
  NOTICE_CALLBACK_SECRET: undefined,
  BPJS_URL: undefined,
  BPJS_CONS_ID: undefined,
  BPJS_SECRET: undefined,
  BPJS_USER_KEY: undefined,
  SATUSEHAT: 'off',
});

/** How many rounds of due work follow a change of the clock: what one plans, the next one does. */
const mostRounds = 10;

/** How long what has become due may wait, in milliseconds: as long as in a clinic. */
const betweenRoundsMs = 60_000;

/** Fills an empty sandbox; of several that fill it at the same time, one does. */
const fillOnce = async (db: Db, given: Parameters<typeof fillSandbox>[1]): Promise<void> => {
  const isDemo = async () => typeof (await run(db, findDemo(db, {})))[0]?.demoSince === 'number';
  try {
    if (await fillSandbox(db, given)) return;
  } catch (error) {
    if (!(await isDemo())) throw error;
  }
  if (!(await isDemo()))
    throw new ClinicMismatch('The database of the sandbox holds a clinic: give the sandbox one of its own.');
};

/**
 * Opens the sandbox of a clinic: a demo clinic in a database of its own, with its own keys and its own clock. Mails,
 * messages and reports to health systems go nowhere. Refuses a database that holds anything else, and that of the clinic itself.
 */
export const openSandbox = async (
  database: { db: Deps['db'] },
  besideId: string,
  { publicCache: _cache, mountOwn: _own, backupState: _backups, besideSandbox: _none, ...shared }: Shared,
): Promise<OpenSandbox> => {
  const { db } = database;
  const { hasher, clock: real } = shared;
  const config = withinSandbox(shared.config);
  const timeZone = config.CLINIC_TIME_ZONE;
  const [found] = await run(db, findDemo(db, {}));
  // It may be a demo clinic too, which the sandbox would begin again.
  if (found?.clinicId === besideId)
    throw new ClinicMismatch('The database of the sandbox is that of its clinic: give it another one.');
  await beginAgainInZone(db, found, { timeZone, hasher, now: real() });
  const clinic = await ensureClinic(db, timeZone);
  if (clinic.demoSince === null) await fillOnce(db, { hasher, now: real() });
  const clock = createSandboxClock(db, real);
  await clock.read();
  const { deps, app } = await assemble(clinic, database, {
    ...shared,
    config,
    clock: clock.now,
    log: loggerWith(shared.log, { sandbox: true }),
    metrics: noMetrics,
    mailer: { send: async () => {} },
    sendMessage: async () => ({ failure: 'connection' }),
    sendWebhook: async () => ({ failure: 'connection' }),
    askPartner: async () => ({ failure: 'connection' }),
    eventsWritten: () => {},
    sandbox: {
      readClock: clock.read,
      setClock: async (instant) => {
        const isSet = await clock.set(instant);
        if (isSet) await runDue();
        return isSet;
      },
      reset: async () => {
        await resetSandbox(db, { clinicId: clinic.clinicId, timeZone, hasher, now: real() });
        await clock.read();
      },
    },
  });
  const rounds = createDueRounds(deps);
  let ranAt = Number.NEGATIVE_INFINITY;
  const runDue = async (): Promise<void> => {
    ranAt = real();
    for (let round = 0; round < mostRounds; round += 1) if ((await rounds.run()) > clock.now()) return;
  };
  let latest = Number.NEGATIVE_INFINITY;
  /** Once it has begun again, its time is an earlier one, and what was noted of the later time would hold until then. */
  const forgetLaterTime = (): void => {
    const now = clock.now();
    if (now < latest) for (const noted of [deps.keyUse, deps.rests]) noted.clear();
    latest = now;
  };
  return {
    deps,
    // What is due is seen by requests alone, so that it is done before one: nothing is done while nobody asks.
    fetch: async (request, ...more) => {
      await clock.read();
      forgetLaterTime();
      if (real() - ranAt >= betweenRoundsMs) await runDue();
      return app.fetch(request, ...more);
    },
  };
};
