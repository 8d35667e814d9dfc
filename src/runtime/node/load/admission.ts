import type { IncomingMessage } from 'node:http';
import type { FailureFormat } from '../../../core/http/early-failure.ts';
import type { Logger } from '../../../core/log.ts';
import type { ServerOptions } from '../serve/server.ts';
import { calm, judge, type Load } from './rules.ts';
import { answerBusy } from './turned-away.ts';

interface Sources {
  /** How long a request may wait to be processed, in milliseconds; 0 turns refusal off. */
  targetMs: number;
  /** Requests in progress, without those that wait for a password hash, which have their own queue, or for an event. */
  inFlight: () => number;
  /** How long the longest-waiting database operation has waited, in milliseconds. */
  waitedMs: () => number;
  /** The origins whose pages may read the refusal of a request. */
  originsOf: (incoming: IncomingMessage) => readonly string[];
  /** How failures are written below the paths of dialects. */
  formats: readonly FailureFormat[];
  log: Logger;
  /** A monotonic clock, in milliseconds. */
  now?: () => number;
}

export interface Admission {
  turnAway: NonNullable<ServerOptions['turnAway']>;
  stats: () => { refused: number; delayMs: number };
}

/** Often enough to see a queue before it is long, and seldom enough that it costs nothing measurable. */
const lookEveryMs = 5;

// Never refused: the monitoring endpoints, so that monitoring sees the overload, and CORS preflights, which read no
// database.
const isAlwaysServed = ({ url = '', method }: IncomingMessage): boolean =>
  method === 'OPTIONS' || /^\/(health|ready|metrics)(\?|$)/.test(url);

/**
 * Refuses requests under overload. Overload is detected by how long requests wait, measured only while requests are in
 * progress: an idle service measures nothing.
 */
export const createAdmission = ({
  targetMs,
  inFlight,
  waitedMs,
  originsOf,
  formats,
  log,
  now = () => performance.now(),
}: Sources): Admission => {
  let load: Load = calm;
  let arrived = 0;
  let refused = 0;
  let refusedBefore = 0;
  let began: { at: number; refused: number } | undefined;
  let isLooking = false;

  const tell = (limit: number | null): void => {
    if (limit !== null && began === undefined) {
      began = { at: now(), refused };
      log.warn('overloaded', { delay_ms: Math.round(load.delayMs), in_flight: inFlight() });
    } else if (limit === null && began !== undefined) {
      const seconds = Math.round((now() - began.at) / 1000);
      log.warn('overload ended', { seconds, refused: refused - began.refused });
      began = undefined;
    }
  };
  const look = (since: number): void => {
    const lateMs = Math.max(0, now() - since - lookEveryMs);
    const seen = { now: now(), delayMs: lateMs + waitedMs(), inFlight: inFlight(), arrived };
    load = judge(load, { ...seen, hasRefused: refused > refusedBefore }, targetMs);
    refusedBefore = refused;
    tell(load.limit);
    isLooking = inFlight() > 0 || load.limit !== null;
    if (isLooking) lookSoon();
    else load = calm;
  };
  const lookSoon = (): void => {
    isLooking = true;
    setTimeout(look, lookEveryMs, now()).unref();
  };

  return {
    turnAway: (incoming, outgoing) => {
      if (targetMs === 0) return false;
      arrived += 1;
      if (!isLooking) lookSoon();
      if (load.limit === null || inFlight() < load.limit || isAlwaysServed(incoming)) return false;
      refused += 1;
      answerBusy(incoming, outgoing, refused, { origins: originsOf(incoming), formats });
      return true;
    },
    stats: () => ({ refused, delayMs: load.delayMs }),
  };
};
