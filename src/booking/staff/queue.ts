import type { findQueue } from './queries.ts';

type QueueRow = ReturnType<typeof findQueue>['_']['result'][number];

const minuteMs = 60_000;

/** The queue's numbers, and how long the rest takes if each visit lasts as long as today's did on average. */
export const queueView = (
  row: QueueRow | undefined,
  doctorId: string,
  sessionId: string | null,
  date: string,
) => {
  const { total = 0, called = null, remaining = 0, visitMs = null } = row ?? {};
  return {
    doctor_id: doctorId,
    session_id: sessionId,
    date,
    total,
    called,
    remaining,
    minutes_per_visit: visitMs === null ? null : Math.round(visitMs / (minuteMs / 10)) / 10,
    estimated_waiting_minutes: visitMs === null ? null : Math.ceil((visitMs * remaining) / minuteMs),
  };
};
