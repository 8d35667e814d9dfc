import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Db, run } from '../../../core/db/db.ts';
import type { EmbeddedStats } from '../../../core/db/embedded/client.ts';
import type { BackupState, Hasher } from '../../../core/deps.ts';
import type { Backlog, Metrics } from '../../../core/metrics.ts';
import { findBacklog } from '../../../modules/exchange/list-queries.ts';
import type { Target } from '../../../modules/exchange/outbox/steps.ts';
import { judgeBackups } from '../../../modules/health/rules.ts';
import { readBacklog } from '../../../modules/webhooks/delivery/report.ts';
import type { Admission } from '../load/admission.ts';
import { type ClinicCounts, type Clinics, registerClinics } from './clinic-metrics.ts';
import { instruments } from './instruments.ts';

interface Sources {
  /** Null where there are many clinics. */
  db: Db | null;
  clinics?: Clinics;
  clock: () => number;
  hasher: Pick<Hasher, 'stats'>;
  databaseStats: (() => EmbeddedStats) | null;
  /** The size of the one database's file; null where it has none. */
  databaseBytes?: () => number | null;
  /** The size of the archive's file with its log. */
  archiveBytes?: () => number | null;
  admissionStats?: Admission['stats'];
  backupState?: () => BackupState;
  /** The health systems that visits are reported to. */
  targets?: readonly Target[];
  /** Whether the process is watched as well: its memory, its event loop, its garbage; true unless given. */
  watchesProcess?: boolean;
}

export interface Prometheus {
  metrics: Metrics;
  contentType: string;
  /** The same metrics for one of many clinics, which counts its requests as well. */
  metricsFor: (clinicId: string) => Metrics;
  /** How many requests of one of many clinics were answered with 5xx. */
  failuresOf: (clinicId: string) => number;
  /** The metrics in the text format. */
  expose: () => Promise<string>;
}

const bookingRoute = /^\/v1\/bookings(?:\/:id\/([\w-]+))?$/;
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** One reading for all metrics of a scrape; null if the database cannot answer: the other metrics must still be shown. */
const oncePerScrape = <T>(read: () => Promise<T>): (() => Promise<T | null>) => {
  let reading: Promise<T | null> | undefined;
  return () => {
    reading ??= read()
      .catch(() => null)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
};

/** How many steps wait for each health system and how many need a person, the age of the oldest, and whether the system is paused. */
const registerExchanges = (
  registers: Registry[],
  db: Db,
  clock: () => number,
  targets: readonly Target[],
): void => {
  const names = JSON.stringify(targets.map(({ name }) => name));
  const read = oncePerScrape(() => run(db, findBacklog(db, { targets: names })));
  type Row = NonNullable<Awaited<ReturnType<typeof read>>>[number];
  const gauge = (name: string, help: string, figure: (row: Row, now: number) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['system'] as const,
      registers,
      async collect() {
        const rows = (await read()) ?? [];
        for (const row of rows) this.set({ system: row.target }, figure(row, clock()));
      },
    });
  gauge('janji_exchange_waiting', 'Steps that wait.', ({ waiting }) => waiting);
  gauge('janji_exchange_parked', 'Steps that want a person.', ({ parked }) => parked);
  gauge(
    'janji_exchange_oldest_age_seconds',
    'How long ago the oldest waiting step happened.',
    ({ oldestAt }, now) => (oldestAt === null ? 0 : Math.max(0, (now - oldestAt) / 1000)),
  );
  gauge('janji_exchange_resting', 'Whether nothing is sent to it for now.', ({ restUntil }, now) =>
    (restUntil ?? 0) > now ? 1 : 0,
  );
};

/** Gauges that are read from their source at each scrape. */
const registerGauges = (
  registers: Registry[],
  {
    db,
    clock,
    hasher,
    databaseStats,
    databaseBytes,
    archiveBytes,
    admissionStats,
    backupState,
    targets = [],
  }: Sources,
): void => {
  const hashing = new Gauge({
    name: 'janji_hashing_jobs',
    help: 'Password hashes by state.',
    labelNames: ['state'] as const,
    registers,
    collect: () => {
      const { running, waiting } = hasher.stats();
      hashing.set({ state: 'running' }, running);
      hashing.set({ state: 'waiting' }, waiting);
    },
  });
  const { gauge, counter } = instruments(registers);
  counter('janji_hashing_refused_total', 'Hashes refused by a full queue.', () => hasher.stats().refused);
  if (admissionStats !== undefined) {
    counter(
      'janji_overload_refused_total',
      'Requests beyond what can be carried.',
      () => admissionStats().refused,
    );
    gauge(
      'janji_queue_delay_seconds',
      'How long work waits for its turn.',
      () => admissionStats().delayMs / 1000,
    );
  }
  if (databaseBytes !== undefined)
    gauge('janji_database_bytes', 'The size of the database file with its log.', databaseBytes);
  if (archiveBytes !== undefined)
    gauge('janji_archive_bytes', "The size of the archive's file with its log.", archiveBytes);
  if (databaseStats !== null) {
    counter('janji_database_busy_total', 'Times the file was locked.', () => databaseStats().busyCount);
    counter(
      'janji_database_reconnects_total',
      'Connections made anew.',
      () => databaseStats().reconnectCount,
    );
    counter('janji_database_commits_total', 'Commits of grouped writes.', () => databaseStats().commitCount);
    gauge(
      'janji_database_queued_writes',
      'Writes that wait for their commit.',
      () => databaseStats().queuedWrites,
    );
  }
  if (backupState !== undefined) {
    const help = 'The age of the last good backup of the service; +Inf before the first.';
    gauge('janji_backup_age_seconds', help, () => {
      const { lastGoodAt } = backupState();
      return lastGoodAt === null ? Number.POSITIVE_INFINITY : (clock() - lastGoodAt) / 1000;
    });
    gauge('janji_backup_failed', '1 while the last attempt to make a backup failed.', () =>
      judgeBackups(backupState(), clock()) === 'failed' ? 1 : 0,
    );
  }
  if (db === null) return;
  const read = oncePerScrape(() => readBacklog({ db }, clock()));
  const ofBacklog = (name: string, help: string, figure: (backlog: Backlog) => number) =>
    gauge(name, help, async () => {
      const backlog = await read();
      return backlog === null ? null : figure(backlog);
    });
  ofBacklog('janji_webhook_backlog', 'Deliveries that wait.', ({ pending }) => pending);
  ofBacklog(
    'janji_webhook_oldest_age_seconds',
    'How long the oldest waiting delivery has waited.',
    ({ oldestAgeSeconds }) => oldestAgeSeconds,
  );
  ofBacklog('janji_webhook_paused_endpoints', 'Paused endpoints.', ({ pausedEndpoints }) => pausedEndpoints);
  if (targets.length > 0) registerExchanges(registers, db, clock, targets);
};

/** Metrics of this process for Prometheus, in a registry of their own. */
export const createPrometheus = (sources: Sources): Prometheus => {
  const registry = new Registry();
  const registers = [registry];
  // Its look at the event loop wakes an idle process a hundred times a second.
  if (sources.watchesProcess !== false) collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'janji_http_request_duration_seconds',
    help: 'Answered requests by route pattern and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  });
  const bookings = new Counter({
    name: 'janji_booking_outcomes_total',
    help: 'What became of requests to change bookings.',
    labelNames: ['action', 'code'] as const,
    registers,
  });
  const jobFailures = new Counter({
    name: 'janji_job_failures_total',
    help: 'Failed jobs.',
    labelNames: ['job'] as const,
    registers,
  });
  const jobsOverdue = new Counter({
    name: 'janji_job_overdue_total',
    help: 'Jobs that did not return within their limit.',
    labelNames: ['job'] as const,
    registers,
  });
  const attempts = new Counter({
    name: 'janji_webhook_attempts_total',
    help: 'Attempts to deliver events.',
    labelNames: ['result'] as const,
    registers,
  });
  registerGauges(registers, sources);
  const metrics: Metrics = {
    request: ({ method, route, status, code, seconds }) => {
      requests.observe({ method: knownMethods.has(method) ? method : 'other', route, status }, seconds);
      const action = method === 'POST' ? bookingRoute.exec(route) : null;
      if (action !== null) bookings.inc({ action: action[1] ?? 'create', code });
    },
    jobFailed: (job) => jobFailures.inc({ job }),
    jobOverdue: (job) => jobsOverdue.inc({ job }),
    webhookAttempt: (delivered) => attempts.inc({ result: delivered ? 'delivered' : 'failed' }),
    webhookBacklog: () => {},
  };
  const byClinic = new Map<string, ClinicCounts>();
  if (sources.clinics !== undefined) registerClinics(registers, sources.clinics, byClinic);
  const metricsFor = (clinicId: string): Metrics => {
    const counts = byClinic.get(clinicId) ?? { requests: 0, failures: 0, seconds: 0 };
    byClinic.set(clinicId, counts);
    return {
      ...metrics,
      request: (answered) => {
        counts.requests += 1;
        counts.seconds += answered.seconds;
        if (answered.status >= 500) counts.failures += 1;
        metrics.request(answered);
      },
    };
  };
  const failuresOf = (clinicId: string): number => byClinic.get(clinicId)?.failures ?? 0;
  return {
    metrics,
    metricsFor,
    failuresOf,
    contentType: registry.contentType,
    expose: () => registry.metrics(),
  };
};
