/** The part of `GET /v1/queues` that a screen needs. */
interface QueueCall {
  label: string;
  called_at: string;
  call_count: number;
}

export interface Queue {
  prefix: string;
  room: string;
  doctor_id: string;
  doctor_name: string;
  session_id: string;
  now: QueueCall | null;
  calls: readonly QueueCall[];
  waiting: readonly { label: string; is_there: boolean }[];
  notice: { delay_minutes: number } | null;
}

/** A call, and its room. */
export interface Call {
  queue: string;
  label: string;
  room: string;
  doctor: string;
  calledAt: number;
  count: number;
}

export const keyOf = ({ doctor_id, session_id }: Queue): string => `${doctor_id} ${session_id}`;

export const toCall = (queue: Queue, { label, called_at, call_count }: QueueCall): Call => ({
  queue: keyOf(queue),
  label,
  room: queue.room,
  doctor: queue.doctor_name,
  calledAt: Date.parse(called_at),
  count: call_count,
});

/** The queues of a screen: the chosen ones, in that order; all if none was chosen. */
export const chosen = <Q extends Queue>(queues: readonly Q[], prefixes: readonly string[]): readonly Q[] =>
  prefixes.length === 0
    ? queues
    : prefixes.flatMap((prefix) => queues.filter((queue) => queue.prefix === prefix));

/** The last call of all queues, even if that patient has left since. */
export const latestCall = (queues: readonly Queue[]): Call | null => {
  let latest: Call | null = null;
  for (const queue of queues)
    for (const call of queue.calls) {
      const one = toCall(queue, call);
      if (latest === null || one.calledAt > latest.calledAt) latest = one;
    }
  return latest;
};
