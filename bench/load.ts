import autocannon from 'autocannon';
import { type Served, threadMillisecondsOf } from './processes.ts';

export interface Shot {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
  /** CPU of the service for one request, in microseconds. */
  cpuMicros: number;
  accepted: number;
  /** Connections that got an answer: latencies say nothing of those that got none. */
  connectionsServed: number;
}

export interface Load {
  connections: number;
  seconds: number;
  /** One request for all, or a maker of the next one. */
  shot: Shot | (() => Shot);
  /** Requests a second of all connections together; without it, each sends the next as soon as it may. */
  perSecond?: number;
  /** Whether 503 is an answer like another: the load is more than the service takes. */
  mayRefuse?: boolean;
}

/** Loads a service for some seconds; throws if anything but success came back. */
export const measure = async (
  served: Served,
  { connections, seconds, shot, perSecond, mayRefuse = false }: Load,
): Promise<Measured> => {
  const next = typeof shot === 'function' ? shot : null;
  const first = typeof shot === 'function' ? undefined : shot;
  const before = threadMillisecondsOf(served.pid);
  const latencies: number[] = [];
  const refusals = new Map<number, number>();
  const clients = new Set<unknown>();
  const run = autocannon({
    url: served.url + (first?.path ?? ''),
    connections,
    duration: seconds,
    timeout: 30,
    ...(perSecond !== undefined && { overallRate: perSecond }),
    ...(first && { ...first, method: first.method ?? 'GET' }),
    ...(next && { requests: [{ setupRequest: (request: object) => ({ ...request, ...next() }) }] }),
  });
  // autocannon's own histogram counts whole milliseconds.
  run.on('response', (client, status, _bytes, ms) => {
    clients.add(client);
    latencies.push(ms);
    if (status >= 300) refusals.set(status, (refusals.get(status) ?? 0) + 1);
  });
  const result = await run;
  const sorted = Float64Array.from(latencies).sort();
  const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  const cpu = threadMillisecondsOf(served.pid) - before;
  const failed = result.non2xx - (mayRefuse ? (refusals.get(503) ?? 0) : 0);
  if (failed > 0 || result.errors > 0)
    throw new Error(`${served.url}: ${JSON.stringify([...refusals])} refused, ${result.errors} errors`);
  const done = result.requests.total;
  return {
    perSecond: done / result.duration,
    p50: quantile(0.5),
    p99: quantile(0.99),
    cpuMicros: (cpu / done) * 1e3,
    accepted: result['2xx'],
    connectionsServed: clients.size,
  };
};

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
};

/** The median of the ratios of two measured one after the other, round by round. */
export const pairedRatio = (
  measured: readonly Measured[],
  other: readonly Measured[],
  field: 'perSecond' | 'cpuMicros',
): number => median(measured.map((one, at) => one[field] / (other[at]?.[field] ?? Number.NaN)));
