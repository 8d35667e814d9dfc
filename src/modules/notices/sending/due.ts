import { afterQuiet } from '../../../core/clinic/quiet-rules.ts';
import type { Deps } from '../../../core/deps.ts';
import type { NoticeChannel } from '../../../core/tables/words.ts';
import { listChannels } from '../plan.ts';

/** The waiting work, as the check of every minute returns it. */
interface Waiting {
  noticesToPlan: number | null;
  /** JSON: of each channel when the oldest of its notices is due, and the oldest urgent one. */
  noticesDue: string;
}

type Oldest = [channel: NoticeChannel, dueAt: number | null, urgentAt: number | null];

/**
 * When there is something to plan or to send: notices that are not urgent wait for the end of the quiet hours, and all
 * of a channel while it pauses. If no channel is configured, none is planned and none waits.
 */
export const noticesAt = ({ noticesToPlan, noticesDue }: Waiting, deps: Deps, now: number): number | null => {
  if (listChannels(deps).length === 0) return null;
  const instants = (JSON.parse(noticesDue) as Oldest[]).flatMap(([channel, dueAt, urgentAt]) => {
    const earliest = Math.max(now, deps.rests.get(channel)?.until ?? 0);
    const { clinicTime, config } = deps;
    return [
      dueAt === null ? [] : afterQuiet(Math.max(earliest, dueAt), clinicTime, config.QUIET_HOURS),
      urgentAt === null ? [] : Math.max(earliest, urgentAt),
    ].flat();
  });
  if (noticesToPlan !== null) instants.push(noticesToPlan);
  return instants.length === 0 ? null : Math.min(...instants);
};
