import type { IncomingMessage } from 'node:http';
import type { Logger } from '../../log.ts';
import type { ServerOptions } from '../serve/server.ts';
import { calm, judge, type Load } from './rules.ts';
import { answerBusy } from './turned-away.ts';

interface Sources {
  /** How long work may wait for its turn, in milliseconds; 0 to refuse nothing. */
  targetMs: number;
  /** Requests that are being answered, without those that wait for a password's hash: these have a queue of their own. */
  inFlight: () => number;
  /** How long the operation of the database that waits longest has waited, in milliseconds. */
  waitedMs: () => number;
  origins: readonly string[];
  log: Logger;
  /** The time in milliseconds, which never runs backwards. */
  now?: () => number;
}

export interface Admission {
  turnAway: NonNullable<ServerOptions['turnAway']>;
  stats: () => { refused: number; delayMs: number };
}

/** Often enough to see a queue before it is long, and seldom enough to cost nothing. */
const lookEveryMs = 5;

// Whoever watches the service has to learn that it is loaded; what a browser asks beforehand reads no database.
const isAlwaysServed = ({ url = '', method }: IncomingMessage): boolean =>
  method === 'OPTIONS' || /^\/(health|ready|metrics)(\?|$)/.test(url);

/**
 * Refuses requests while more come than can be carried: judged by how long work waits, which is looked at while requests
 * are under way. An idle service looks at nothing.
 */
export const createAdmission = ({
  targetMs,
  inFlight,
  waitedMs,
  origins,
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
      answerBusy(incoming, outgoing, refused, origins);
      return true;
    },
    stats: () => ({ refused, delayMs: load.delayMs }),
  };
};
