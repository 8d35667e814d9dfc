import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Db } from '../../../core/db/db.ts';
import type { EmbeddedStats } from '../../../core/db/embedded/client.ts';
import type { BackupState, Hasher } from '../../../core/deps.ts';
import type { Backlog, Metrics } from '../../../core/metrics.ts';
import { judgeBackups } from '../../../modules/health/rules.ts';
import { readBacklog } from '../../../modules/webhooks/delivery/report.ts';
import type { Admission } from '../load/admission.ts';

interface Sources {
  db: Db;
  clock: () => number;
  hasher: Pick<Hasher, 'stats'>;
  databaseStats: (() => EmbeddedStats) | null;
  admissionStats?: Admission['stats'];
  backupState?: () => BackupState;
}

export interface Prometheus {
  metrics: Metrics;
  contentType: string;
  /** The metrics in the text format. */
  expose: () => Promise<string>;
}

const bookingRoute = /^\/v1\/bookings(?:\/:id\/([\w-]+))?$/;
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Gauges that are read from their source at each scrape. */
const registerGauges = (
  registers: Registry[],
  { db, clock, hasher, databaseStats, admissionStats, backupState }: Sources,
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
  const counted = (name: string, help: string, value: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  counted('janji_hashing_refused_total', 'Hashes refused by a full queue.', () => hasher.stats().refused);
  if (admissionStats !== undefined) {
    counted(
      'janji_overload_refused_total',
      'Requests beyond what can be carried.',
      () => admissionStats().refused,
    );
    new Gauge({
      name: 'janji_queue_delay_seconds',
      help: 'How long work waits for its turn.',
      registers,
      collect() {
        this.set(admissionStats().delayMs / 1000);
      },
    });
  }
  if (databaseStats !== null) {
    counted('janji_database_busy_total', 'Times the file was locked.', () => databaseStats().busyCount);
    counted(
      'janji_database_reconnects_total',
      'Connections made anew.',
      () => databaseStats().reconnectCount,
    );
    counted('janji_database_commits_total', 'Commits of grouped writes.', () => databaseStats().commitCount);
    new Gauge({
      name: 'janji_database_queued_writes',
      help: 'Writes that wait for their commit.',
      registers,
      collect() {
        this.set(databaseStats().queuedWrites);
      },
    });
  }
  if (backupState !== undefined) {
    new Gauge({
      name: 'janji_backup_age_seconds',
      help: 'The age of the last good backup of the service; +Inf before the first.',
      registers,
      collect() {
        const { lastGoodAt } = backupState();
        this.set(lastGoodAt === null ? Number.POSITIVE_INFINITY : (clock() - lastGoodAt) / 1000);
      },
    });
    new Gauge({
      name: 'janji_backup_failed',
      help: '1 while the last attempt to make a backup failed.',
      registers,
      collect() {
        this.set(judgeBackups(backupState(), clock()) === 'failed' ? 1 : 0);
      },
    });
  }
  // Read once per scrape for three metrics. If the database cannot answer, the other metrics must still be shown.
  let reading: Promise<Backlog | null> | undefined;
  const read = (): Promise<Backlog | null> => {
    reading ??= readBacklog({ db }, clock())
      .catch(() => null)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const ofBacklog = (name: string, help: string, figure: (backlog: Backlog) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const backlog = await read();
        if (backlog !== null) this.set(figure(backlog));
      },
    });
  ofBacklog('janji_webhook_backlog', 'Deliveries that wait.', ({ pending }) => pending);
  ofBacklog(
    'janji_webhook_oldest_age_seconds',
    'How long the oldest waiting delivery has waited.',
    ({ oldestAgeSeconds }) => oldestAgeSeconds,
  );
  ofBacklog('janji_webhook_paused_endpoints', 'Paused endpoints.', ({ pausedEndpoints }) => pausedEndpoints);
};

/** Metrics of this process for Prometheus, in a registry of their own. */
export const createPrometheus = (sources: Sources): Prometheus => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
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
  return { metrics, contentType: registry.contentType, expose: () => registry.metrics() };
};
