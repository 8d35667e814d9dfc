import type { Hasher } from '../../../core/deps.ts';
import type { EventWaiters } from '../../../core/events/waiters.ts';
import type { Serve } from '../../../core/http/observed.ts';
import type { Logger } from '../../../core/log.ts';
import type { Metrics } from '../../../core/metrics.ts';
import { failureFormats } from '../../../interface/dialects.ts';
import { listTargets } from '../../../modules/exchange/outbox/targets.ts';
import type { Backups } from '../backup/scheduled.ts';
import { sizeOfFile } from '../checks/size.ts';
import type { OpenDatabase } from '../database/database.ts';
import { type Admission, createAdmission } from '../load/admission.ts';
import type { Tracked } from '../serve/tracked.ts';
import type { AllSettings } from '../settings.ts';
import { mayBeRead, mountMetrics } from './metrics-route.ts';
import { createPrometheus, type Prometheus } from './prometheus.ts';

interface Watched {
  /** Its `db` is null where there are many clinics. */
  database: Pick<OpenDatabase, 'stats' | 'waitedMs'> & {
    db: OpenDatabase['db'] | null;
    path?: string | null;
  };
  clinics?: Parameters<typeof createPrometheus>[0]['clinics'];
  hasher: Pick<Hasher, 'stats'>;
  /** The path of the archive, where it is a file. */
  archivePath?: string | null;
  requests: Pick<Tracked, 'running'>;
  waiters: Pick<EventWaiters, 'count'>;
  backups: Pick<Backups, 'readState'> | null;
  /** Those of the settings unless given. */
  originsOf?: Parameters<typeof createAdmission>[0]['originsOf'];
  log: Logger;
}

interface LoadWatch {
  metrics: Metrics;
  metricsFor: Prometheus['metricsFor'];
  failuresOf: Prometheus['failuresOf'];
  mountOwn: (serve: Serve) => void;
  turnAway: Admission['turnAway'];
}

/** Refuses requests when there are too many, and measures the load: both count the same work. */
export const watchLoad = (
  settings: AllSettings,
  {
    database: { db, stats, waitedMs, path = null },
    clinics,
    archivePath = null,
    hasher,
    requests,
    waiters,
    backups,
    originsOf = () => settings.CORS_ORIGINS,
    log,
  }: Watched,
): LoadWatch => {
  const admission = createAdmission({
    targetMs: settings.QUEUE_TARGET_MS,
    inFlight: () => {
      const { running, waiting } = hasher.stats();
      return requests.running() - running - waiting - waiters.count();
    },
    waitedMs: waitedMs ?? (() => 0),
    originsOf,
    formats: failureFormats,
    log,
  });
  const prometheus = createPrometheus({
    db,
    clock: Date.now,
    hasher,
    databaseStats: stats,
    ...(path !== null && { databaseBytes: () => sizeOfFile(path) }),
    ...(archivePath !== null && { archiveBytes: () => sizeOfFile(archivePath) }),
    admissionStats: admission.stats,
    ...(clinics && { clinics }),
    ...(backups && { backupState: backups.readState }),
    targets: listTargets(settings),
    watchesProcess: mayBeRead(settings),
  });
  return {
    turnAway: admission.turnAway,
    metrics: prometheus.metrics,
    metricsFor: prometheus.metricsFor,
    failuresOf: prometheus.failuresOf,
    mountOwn: (serve) => mountMetrics(serve, prometheus, settings),
  };
};
