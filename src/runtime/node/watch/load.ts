import type { Hasher } from '../../../core/deps.ts';
import type { Serve } from '../../../core/http/observed.ts';
import type { Logger } from '../../../core/log.ts';
import type { Metrics } from '../../../core/metrics.ts';
import type { Backups } from '../backup/scheduled.ts';
import type { OpenDatabase } from '../database/database.ts';
import { type Admission, createAdmission } from '../load/admission.ts';
import type { Tracked } from '../serve/tracked.ts';
import type { AllSettings } from '../settings.ts';
import { mountMetrics } from './metrics-route.ts';
import { createPrometheus } from './prometheus.ts';

interface Watched {
  database: Pick<OpenDatabase, 'db' | 'stats' | 'waitedMs'>;
  hasher: Pick<Hasher, 'stats'>;
  requests: Pick<Tracked, 'running'>;
  backups: Pick<Backups, 'readState'> | null;
  log: Logger;
}

interface LoadWatch {
  metrics: Metrics;
  mountOwn: (serve: Serve) => void;
  turnAway: Admission['turnAway'];
}

/** Refuses requests when there are too many, and measures the load: both count the same work. */
export const watchLoad = (
  settings: AllSettings,
  { database: { db, stats, waitedMs }, hasher, requests, backups, log }: Watched,
): LoadWatch => {
  const admission = createAdmission({
    targetMs: settings.QUEUE_TARGET_MS,
    inFlight: () => {
      const { running, waiting } = hasher.stats();
      return requests.running() - running - waiting;
    },
    waitedMs: waitedMs ?? (() => 0),
    origins: settings.CORS_ORIGINS,
    log,
  });
  const prometheus = createPrometheus({
    db,
    clock: Date.now,
    hasher,
    databaseStats: stats,
    admissionStats: admission.stats,
    ...(backups && { backupState: backups.readState }),
  });
  return {
    turnAway: admission.turnAway,
    metrics: prometheus.metrics,
    mountOwn: (serve) => mountMetrics(serve, prometheus, settings),
  };
};
