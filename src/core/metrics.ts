import type { Logger } from './log.ts';

/** One answered request: the route is its pattern, never the path with its ids. */
export interface AnsweredRequest {
  method: string;
  route: string;
  status: number;
  /** The failure's code, or `ok`. */
  code: string;
  seconds: number;
  requestId: string;
}

export interface Backlog {
  pending: number;
  oldestAgeSeconds: number;
  pausedEndpoints: number;
}

/** Where figures go: Prometheus on Node, structured logs on Workers. */
export interface Metrics {
  request(answered: AnsweredRequest): void;
  jobFailed(job: string): void;
  /** A job did not return within its limit. */
  jobOverdue(job: string): void;
  webhookAttempt(delivered: boolean): void;
  webhookBacklog(backlog: Backlog): void;
}

/** Metrics as log lines, for a runtime without scraping: each request has a line already, each round gets one. */
export const loggedMetrics = (log: Logger): Metrics => ({
  request: () => {},
  jobFailed: () => {},
  jobOverdue: () => {},
  webhookAttempt: () => {},
  webhookBacklog: (backlog) => log.info('webhooks', { ...backlog }),
});

/** For unattended tools. */
export const noMetrics: Metrics = {
  request: () => {},
  jobFailed: () => {},
  jobOverdue: () => {},
  webhookAttempt: () => {},
  webhookBacklog: () => {},
};
