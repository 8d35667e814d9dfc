import type { FreeSlot } from '../../../../src/modules/booking/seats/offers.ts';
import type { WaitingState } from '../../../support/offer-oracle.ts';
import type { Member } from '../clinic.ts';
import type { Stress } from '../stress.ts';
import type { WaitingClinic } from './clinic.ts';

export const minuteMs = 60_000;
const window = { minNoticeMinutes: 60, maxAdvanceDays: 1 };

export const entryOf = (state: WaitingState, id: string | null | undefined) =>
  state.entries.find((row) => row.id === id);

export const inputOf = ({ doctorId, sessionId, scheduleDate, scheduleTime }: FreeSlot) => ({
  doctor_id: doctorId,
  session_id: sessionId,
  schedule_date: scheduleDate,
  schedule_time: scheduleTime,
});

interface Period {
  startsAt: number;
  endsAt: number;
}

export const overlap = (one: Period, other: Period): boolean =>
  one.startsAt < other.endsAt && other.startsAt < one.endsAt;

/** Whether the patient is nowhere else at that time. */
export const isFreeAt = ({ live }: Pick<WaitingState, 'live'>, patientId: string, at: Period): boolean =>
  !live.some((row) => row.patientId === patientId && overlap(row, at));

/** The shared state of the calm phase's actions: the actors, their choices, and the list of violations. */
export const openScene = (stress: Stress, clinic: WaitingClinic) => {
  const { random, app, clock, deps } = stress;
  const { clinicTime } = deps;
  const violations: string[] = [];
  const [desk] = clinic.staff;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const asked = () => ({ now: clock.now, window, clock: clinicTime });

  const ask = async ({ token }: Member, path: string, body: object = {}, method = 'POST') => {
    const response = await app.request(`http://localhost${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(method !== 'DELETE' && { body: JSON.stringify(body) }),
    });
    const answer = {
      status: response.status,
      body: (await response.json()) as { code?: string; data?: unknown },
    };
    if (answer.status >= 500 && answer.status !== 503)
      violations.push(`calm: ${path} was answered ${answer.status} ${answer.body.code}`);
    return answer;
  };
  return { ...stress, clinic, clinicTime, violations, desk, pick, asked, ask };
};

export type Scene = ReturnType<typeof openScene>;
