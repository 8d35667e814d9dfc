// Pure: whether the machine's clock is plausible.

import { type Finding, ok, wrong } from './finding.ts';

const setIt = 'set the clock, and keep it set (NTP)';
const earliest = Date.parse('2026-01-01T00:00:00Z');
const toleratedMs = 5 * 60_000;

interface Clocks {
  now: number;
  /** When the last event was written. */
  newestEvent: number | null;
  databaseNow: number;
}

const minutes = (ms: number) => `${Math.round(ms / 60_000)} min`;

/** Checks the clock: tokens, slots and deadlines all depend on it. */
export const checkClock = ({ now, newestEvent, databaseNow }: Clocks): Finding => {
  const shown = new Date(now).toISOString();
  if (now < earliest) return wrong('clock', `${shown} is before this version was made`, setIt);
  if (newestEvent !== null && newestEvent > now + toleratedMs)
    return wrong('clock', `${shown} is ${minutes(newestEvent - now)} before the last event`, setIt);
  if (Math.abs(databaseNow - now) > toleratedMs)
    return wrong('clock', `${shown} is ${minutes(Math.abs(databaseNow - now))} off the database's`, setIt);
  return ok('clock', shown);
};
