import { type Call, keyOf, type Queue, toCall } from './queue.ts';

/** At the first poll, a call is spoken only if it has just been made. */
export const oldestAtLoad = 20_000;
/** After a loss of network, a call older than this is shown but no longer spoken. */
export const oldest = 5 * 60_000;

interface Seen {
  /** The latest call that was met, and which ones were made at that very moment. */
  until: number;
  atOnce: readonly string[];
  /** How often each of the last patients was called. */
  counts: Readonly<Record<string, number>>;
}

const nameOf = ({ label, count }: Call): string => `${label} ${count}`;

const isNew = (call: Call, seen: Seen): boolean => {
  if (call.calledAt > seen.until) return true;
  if (call.calledAt === seen.until && !seen.atOnce.includes(nameOf(call))) return true;
  const known = seen.counts[call.label];
  return known !== undefined && call.count > known;
};

/**
 * The calls to speak: each new one of each queue, once. It stores only one mark for each queue of the answer, so that a
 * screen may run for years. Undoing a call shows an older one, which is not a new call.
 */
export const createAnnouncer = () => {
  let seen = new Map<string, Seen>();
  let isFirst = true;

  /** `now` is the service's clock. The oldest call comes first. */
  return (queues: readonly Queue[], now: number): Call[] => {
    const limit = isFirst ? oldestAtLoad : oldest;
    const marks = new Map<string, Seen>();
    const fresh: Call[] = [];
    for (const queue of queues) {
      const key = keyOf(queue);
      const before = seen.get(key) ?? { until: Number.NEGATIVE_INFINITY, atOnce: [], counts: {} };
      const calls = queue.calls.map((call) => toCall(queue, call));
      fresh.push(...calls.filter((call) => isNew(call, before) && now - call.calledAt <= limit));
      const until = calls.reduce((latest, { calledAt }) => Math.max(latest, calledAt), before.until);
      const last = calls.filter(({ calledAt }) => calledAt === until).map(nameOf);
      marks.set(key, {
        until,
        atOnce: [...new Set(until === before.until ? [...before.atOnce, ...last] : last)],
        counts: Object.fromEntries(
          calls.map(({ label, count }) => [label, Math.max(count, before.counts[label] ?? 0)]),
        ),
      });
    }
    // A queue that disappears for a moment does not repeat its calls when it returns.
    for (const [key, mark] of seen) if (!marks.has(key) && now - mark.until <= oldest) marks.set(key, mark);
    seen = marks;
    isFirst = false;
    return fresh.sort((a, b) => a.calledAt - b.calledAt);
  };
};
