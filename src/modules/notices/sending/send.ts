import { isQuiet } from '../../../core/clinic/quiet-rules.ts';
import { run, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { NoticeChannel } from '../../../core/tables/words.ts';
import { listChannels, planNotices } from '../plan.ts';
import { leaseMs, maxClaims, noticesInFlight, runMs } from '../rules.ts';
import { attempt } from './attempt.ts';
import { type Claimed, claimDue, findClaimed, markAsked, readdress, settleAll } from './queries.ts';

type Settled = Awaited<ReturnType<typeof attempt>>;

/**
 * Sends the due notices of one channel: first the urgent ones, then the longest waiting. A fixed number are in progress
 * at once: the next ones are claimed while others are being sent, so that a slow one delays no other.
 */
const sendBy = async (
  deps: Deps,
  channel: NoticeChannel,
  claimsLeft: number,
  signal: AbortSignal,
): Promise<void> => {
  const { db, clock, noticesAtOnce = noticesInFlight } = deps;
  const leaseId = deps.newId();
  const begunAt = clock();
  const underWay = new Set<Promise<unknown>>();
  const settled: Settled[] = [];
  let longestMs = 0;

  const settle = () => {
    const values = { leaseId, outcomes: JSON.stringify(settled) };
    // Rarely: if the recipient of a row changed, one more index is written.
    const readdressed = settled.some(({ isReaddressed }) => isReaddressed) ? [readdress(db, values)] : [];
    const asked = settled.some((one) => one.asked) ? [markAsked(db, values)] : [];
    return [...readdressed, ...asked, settleAll(db, values)] as const;
  };

  /** Takes the next ones, and notes in the same step what became of those before. */
  const claim = async (now: number, max: number, onlyUrgent: boolean): Promise<Claimed[]> => {
    const quiet = onlyUrgent ? 1 : 0;
    const lease = { leaseId, leaseUntil: now + leaseMs, now, quiet, channel, max };
    const noted = settled.length;
    const { claimed } = await runAll(db, {
      claimed: claimDue(db, lease),
      noted: noted === 0 ? [] : settle(),
    });
    settled.splice(0, noted);
    if (claimed.length === 0) return [];
    return run(db, findClaimed(db, { ids: JSON.stringify(claimed.map(({ id }) => id)) }));
  };

  const begin = (row: Claimed): void => {
    const at = clock();
    const sending = attempt(deps, row, signal).then((outcome) => {
      settled.push(outcome);
      underWay.delete(sending);
      longestMs = Math.max(longestMs, clock() - at);
    });
    underWay.add(sending);
  };

  try {
    // The urgent ones do not wait for all the others, however many these are.
    let isUrgentTurn = true;
    for (let claims = 0; claims < claimsLeft && !signal.aborted; claims++) {
      const now = clock();
      if ((deps.rests.get(channel)?.until ?? 0) > now) break;
      // An attempt that was cut off here would be sent but not settled, and so sent again.
      if (now - begunAt + longestMs >= runMs) break;
      const max = noticesAtOnce - underWay.size;
      const isNight = isQuiet(now, deps.clinicTime, deps.config.QUIET_HOURS);
      const rows = await claim(now, max, isUrgentTurn || isNight);
      for (const row of rows) begin(row);
      if (rows.length < max) {
        if (!isUrgentTurn || isNight) break;
        isUrgentTurn = false;
      }
      while (underWay.size > noticesAtOnce / 2) await Promise.race(underWay);
    }
  } finally {
    await Promise.all(underWay);
    if (settled.length > 0) await runAll(db, settle());
  }
};

/**
 * Plans the notices of changes, and sends the due ones, all channels at the same time: a gateway that does not answer
 * delays no mail. Two processes may do so at once: a lease gives each attempt to one of them. Without a channel nothing
 * is planned or stored for later.
 */
export const sendDueNotices = async (deps: Deps, now: number, signal: AbortSignal): Promise<void> => {
  const channels = listChannels(deps);
  if (channels.length === 0) return;
  await planNotices(deps, now);
  // A Worker's number of queries is limited for all of them together.
  const claims = Math.floor(maxClaims / channels.length);
  const ended = await Promise.allSettled(channels.map((channel) => sendBy(deps, channel, claims, signal)));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
};
