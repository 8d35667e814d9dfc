import { minuteMs } from '../../../core/clinic/durations.ts';
import { reading } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { findDoctorTurns } from '../queue/queries.ts';
import { inMinutes, inRoom, medianVisitMs } from '../queue/rules.ts';
import { findQueue } from './queries.ts';

export const queueReads = ({ db }: Deps, of: Parameters<typeof findQueue>[1]) =>
  reading({ queues: findQueue(db, of), turns: findDoctorTurns(db, of) });

/** The queue's numbers, and how long the rest takes if each visit lasts as long as the median of today's. */
export const queueView = (
  { queues: [row], turns }: ReturnType<ReturnType<typeof queueReads>['toResult']>,
  doctorId: string,
  sessionId: string | null,
  date: string,
) => {
  const { total = 0, remaining = 0 } = row ?? {};
  const visitMs = medianVisitMs(turns, 1);
  return {
    doctor_id: doctorId,
    session_id: sessionId,
    date,
    total,
    called: inRoom(turns)?.queueNumber ?? null,
    remaining,
    minutes_per_visit: visitMs === null ? null : inMinutes(visitMs),
    estimated_waiting_minutes: visitMs === null ? null : Math.ceil((visitMs * remaining) / minuteMs),
  };
};
