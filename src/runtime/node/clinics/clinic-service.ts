import { type Clinic, ensureClinic } from '../../../core/clinic/row.ts';
import type { ServerSecrets } from '../../../core/crypto/clinic-keys.ts';
import type { FileThreads } from '../../../core/db/embedded/file-threads.ts';
import type { BackupState, Deps, Hasher, OpenSandbox, SharedDeps } from '../../../core/deps.ts';
import type { EventWaiters } from '../../../core/events/waiters.ts';
import { createKeptAnswers } from '../../../core/http/public-cache.ts';
import { loggerWith } from '../../../core/log.ts';
import { mailerFrom } from '../../../core/mailer.ts';
import type { Metrics } from '../../../core/metrics.ts';
import { createDueRounds, type Rounds } from '../../../jobs/rounds.ts';
import { ClinicBroken } from '../../../modules/clinics/opener.ts';
import type { ClinicEntry } from '../../../modules/clinics/queries.ts';
import { createSettingsBox, openSettings, readClinicConfig } from '../../../modules/clinics/settings.ts';
import { doEveryStep } from '../every-step.ts';
import { explainError } from '../reason.ts';
import { onlyForThisMachine } from '../serve/demo-guard.ts';
import type { Fetch } from '../serve/tracked.ts';
import { type AllSettings, isOpenToOthers } from '../settings.ts';
import { startWebhookTicker } from '../webhooks/webhook-ticker.ts';
import { type ClinicArchive, findClinicArchive } from './clinic-archive.ts';
import { type ClinicDatabase, newestSchema, openClinicDatabase } from './clinic-database.ts';
import { findClinicSandbox } from './clinic-sandbox.ts';
import { clinicPath } from './directory-file.ts';
import type { Lease } from './machines/leases.ts';
import { asOwner } from './machines/while-owned.ts';
import type { Opened } from './open-clinics.ts';

type Secrets = Pick<ServerSecrets, 'secret' | 'dataKey'>;

/** Puts a clinic's service together; src/service.ts has it, which imports every module. */
export type Assemble = (
  clinic: Clinic,
  database: ClinicDatabase & { archive?: ClinicArchive | undefined },
  shared: SharedDeps & Secrets,
) => Promise<{ deps: Deps; app: { fetch: Fetch } }>;

/** Opens the sandbox of a clinic; src/service.ts has it too. */
export type OpenSandboxOf = (
  database: ClinicDatabase,
  besideId: string,
  shared: SharedDeps & Secrets,
) => Promise<OpenSandbox>;

/** What the deployment brings for every clinic. */
export interface Deployment
  extends Secrets,
    Omit<SharedDeps, 'config' | 'hasher' | 'metrics' | 'awaitEvents' | 'eventsWritten' | 'backupState'> {
  assemble: Assemble;
  openSandbox: OpenSandboxOf;
  settings: AllSettings;
  folder: string;
  threads: FileThreads;
  hasherFor: (clinicId: string) => Hasher;
  metricsFor: (clinicId: string) => Metrics;
  /** The requests of a clinic that wait for events. */
  waitersFor: (clinicId: string) => EventWaiters;
  backupStateFor: (clinicId: string) => BackupState | null;
  /** Takes a clinic for this machine, where several serve the clinics; null where this one is alone. */
  take: ((clinic: ClinicEntry, path: string) => Promise<Lease>) | null;
  /** Called when an open clinic was written to for the first time since its next due work is known. */
  changed: (clinicId: string) => void;
  /** Called when a clinic is closed: when its next work is due. */
  closed: (clinicId: string, noted: { dueAt: number | null; schema: number; usedAt: number }) => void;
}

/** A clinic's service while it is open. */
export interface OpenService extends Opened {
  deps: Deps;
  fetch: Fetch;
  database: ClinicDatabase;
  archive: ClinicArchive | undefined;
  /** When somebody last asked it for something. */
  usedAt: () => number;
  /** When its next work is due, as far as is known, in milliseconds since 1970. */
  nextAt: () => number;
  runDue: (stopping: AbortSignal) => Promise<void>;
}

/** All caches of SQLite together, in KiB, and all logs together, in pages; each file has its share of both. */
const allCachesKib = 262_144;
const leastCacheKib = 256;
const allLogPages = 100_000;
const leastLogPages = 250;

const shareOf = (all: number, least: number, files: number): number =>
  Math.max(least, Math.floor(all / files));

const readConfig = async (deployment: Deployment, clinic: ClinicEntry) => {
  try {
    const box = () => createSettingsBox(clinic.id, deployment.settings, deployment);
    const settings = await openSettings(clinic.settings, box);
    return readClinicConfig(deployment.settings, { ...clinic, settings });
  } catch (error) {
    throw new ClinicBroken(error instanceof Error ? error.message : 'its settings cannot be read', {
      cause: error,
    });
  }
};

/** Opens a clinic's database and makes its service. Throws `ClinicBroken` if that cannot be done. */
export const openClinicService = async (
  deployment: Deployment,
  clinic: ClinicEntry,
): Promise<OpenService> => {
  const {
    assemble,
    openSandbox,
    settings,
    folder,
    threads,
    hasherFor,
    metricsFor,
    waitersFor,
    backupStateFor,
    take,
    changed,
    closed,
    ...given
  } = deployment;
  const { id } = clinic;
  const config = await readConfig(deployment, clinic);
  const path = clinicPath(folder, clinic);
  const lease = (await take?.(clinic, path)) ?? null;
  let nextAt = clinic.dueAt ?? Number.POSITIVE_INFINITY;
  /** How many writes there were when the next due work was determined. */
  let seenAt: number | null = null;
  let isChanged = false;
  const placeOf = (epoch = lease?.epoch) => ({
    path,
    lease: lease === null || epoch === undefined ? undefined : { gate: lease.gate, epoch },
    key: settings.DATABASE_KEY,
    cacheKib: shareOf(allCachesKib, leastCacheKib, settings.CLINICS_OPEN),
    checkpointPages: shareOf(allLogPages, leastLogPages, settings.CLINICS_OPEN),
  });
  let place = placeOf();
  const open = (epoch?: number) => {
    place = placeOf(epoch);
    return openClinicDatabase(threads, place, () => {
      if (isChanged || seenAt === null) return;
      isChanged = true;
      changed(id);
    });
  };
  const database = await (lease === null ? open() : asOwner(lease, open)).catch(async (error: unknown) => {
    await lease?.giveBack();
    throw error;
  });
  const leastPlace = { ...place, cacheKib: leastCacheKib, checkpointPages: leastLogPages };
  const archive = findClinicArchive(threads, {
    place: leastPlace,
    clinicId: id,
    isOn: config.ARCHIVE_AFTER_DAYS > 0,
    timeZone: clinic.timeZone,
    dueAt: clinic.dueAt,
    now: given.clock(),
  });
  let sandbox: ReturnType<typeof findClinicSandbox> | undefined;
  try {
    const row = await ensureClinic(database.db, clinic.timeZone, id);
    const isDemo = row.demoSince !== null && settings.DEMO !== 'on';
    if (isDemo && isOpenToOthers(settings))
      throw new ClinicBroken('it is a demo clinic with public passwords: DEMO=on serves it');
    let inBackground = 0;
    const waiters = waitersFor(id);
    const log = loggerWith(given.log, { clinic: id });
    const forClinic = {
      ...given,
      config,
      log,
      hasher: hasherFor(id),
      mailer: mailerFrom(given.mailer, config.MAIL_FROM),
      metrics: metricsFor(id),
      publicCache: createKeptAnswers(given.clock, () => database.stats().commitCount),
      backupState: () => backupStateFor(id),
      background: (work: Promise<unknown>) => {
        inBackground += 1;
        given.background(
          work.finally(() => {
            inBackground -= 1;
          }),
        );
      },
      awaitEvents: waiters.wait,
      eventsWritten: () => {
        waiters.wake();
        webhooks.kick();
      },
    };
    if (config.SANDBOX === 'on')
      sandbox = findClinicSandbox(threads, {
        place: leastPlace,
        open: (opened) => openSandbox(opened, id, forClinic),
        log,
        clock: given.clock,
      });
    const { deps, app } = await assemble(
      row,
      { ...database, archive },
      { ...forClinic, ...(sandbox !== undefined && { besideSandbox: sandbox.beside }) },
    );
    const webhooks = startWebhookTicker(deps, { looksAtStart: false });
    const rounds: Rounds = createDueRounds(deps, database.changeMark);
    seenAt = database.stats().commitCount;
    let usedAt = deps.clock();
    const determine = async (read: () => Promise<number>): Promise<void> => {
      isChanged = false;
      const before = database.stats().commitCount;
      const found = await read();
      seenAt = before;
      nextAt = found;
      if (database.stats().commitCount !== before) isChanged = true;
    };
    const serve: Fetch = (request, bindings) => {
      usedAt = deps.clock();
      return app.fetch(request, bindings);
    };
    return {
      deps,
      database,
      archive,
      fetch: isDemo ? onlyForThisMachine(serve) : serve,
      isBusy: () =>
        inBackground > 0 ||
        webhooks.isBusy() ||
        archive?.isBusy() === true ||
        database.stats().queuedWrites > 0,
      endWaits: waiters.end,
      usedAt: () => usedAt,
      nextAt: () => (isChanged ? Math.min(nextAt, deps.clock()) : nextAt),
      runDue: (stopping) => determine(() => rounds.run(stopping)),
      close: () =>
        doEveryStep([
          webhooks.stop,
          async () => {
            if (isChanged)
              await determine(rounds.readNextAt).catch(() => {
                nextAt = deps.clock();
              });
          },
          archive?.close,
          sandbox?.close,
          database.close,
          () => {
            const dueAt = Number.isFinite(nextAt) ? nextAt : null;
            closed(id, { dueAt, schema: newestSchema().newest, usedAt });
          },
          lease?.giveBack,
        ]).catch((error: unknown) => {
          log.error('clinic cannot be closed properly', { cause: explainError(error) });
          throw error;
        }),
    };
  } catch (error) {
    // What is told is why it could not be opened.
    await doEveryStep([archive?.close, sandbox?.close, database.close, lease?.giveBack]).catch(() => {});
    if (error instanceof ClinicBroken) throw error;
    throw new ClinicBroken(error instanceof Error ? error.message : 'it cannot be opened', { cause: error });
  }
};
