// Pure: which steps of a visit are reported to whom, from the booking before and after a change.

import type { ExchangeStep, ExchangeTarget } from '../../../core/tables/words.ts';

/** A target that is switched on; BPJS has two families of calls, for hospitals and for first-level clinics. */
export type Target = { name: 'bpjs'; family: 'rs' | 'fktp' } | { name: 'satusehat'; family: null };

/** The columns of a booking that decide what is reported. */
interface Reported {
  status: string;
  doctorId: string;
  sessionId: string;
  scheduleDate: string;
  scheduleTime: string;
  startsAt: number;
  updatedAt: number;
  checkedInAt: number | null;
  firstCalledAt: number | null;
  completedAt: number | null;
  noShowAt: number | null;
  encounterId: string | null;
}

/** The slot that a step is about; its queue number and label are added by the database. */
export interface ExchangeSlot {
  doctorId: string;
  sessionId: string;
  date: string;
  time: string;
  startsAt: number;
}

export interface PlannedStep {
  target: ExchangeTarget;
  family: Target['family'];
  step: ExchangeStep;
  at: number;
  slot: ExchangeSlot;
}

const stages = ['checkedInAt', 'firstCalledAt', 'completedAt'] as const;

/**
 * The instant of a step that the visit has reached. Instants rise strictly from stage to stage, as BPJS demands: two in
 * the same millisecond become neighbours.
 */
const instantAt = (next: Reported, own: number, stage: number): number =>
  stages
    .slice(0, stage)
    .reduce((latest, column, at) => Math.max(latest, (next[column] ?? 0) + stage - at), own);

const toSlot = ({ doctorId, sessionId, scheduleDate, scheduleTime, startsAt }: Reported): ExchangeSlot => ({
  doctorId,
  sessionId,
  date: scheduleDate,
  time: scheduleTime,
  startsAt,
});

const isApproved = (booking: Reported | null): booking is Reported => booking?.status === 'approved';

const hasMoved = (before: Reported, next: Reported): boolean =>
  before.doctorId !== next.doctorId ||
  before.sessionId !== next.sessionId ||
  before.startsAt !== next.startsAt;

/** What the visit has reached with this change, each with its instant. A step that is undone is not taken back. */
const listReached = (before: Reported | null, next: Reported): [ExchangeStep, number][] => {
  const reached: [ExchangeStep, number | null, number | null | undefined, number][] = [
    ['arrive', next.checkedInAt, before?.checkedInAt, 0],
    ['call', next.firstCalledAt, before?.firstCalledAt, 1],
    ['complete', next.completedAt, before?.completedAt, 2],
    ['absent', next.noShowAt, before?.noShowAt, 2],
  ];
  return reached.flatMap(([step, now, was, stage]) =>
    now === null || (was ?? null) !== null ? [] : [[step, instantAt(next, now, stage)]],
  );
};

const toBpjs = (before: Reported | null, next: Reported): [ExchangeStep, number, Reported][] => {
  const isElsewhere = isApproved(before) && (!isApproved(next) || hasMoved(before, next));
  const isNew = isApproved(next) && (!isApproved(before) || isElsewhere);
  return [
    ...(isElsewhere ? [['cancel', next.updatedAt, before] satisfies [ExchangeStep, number, Reported]] : []),
    ...(isNew ? [['add', next.updatedAt, next] satisfies [ExchangeStep, number, Reported]] : []),
    // A patient who is moved after the check-in has arrived under the new code too.
    ...listReached(isElsewhere ? null : before, next).map(([step, at]): [ExchangeStep, number, Reported] => [
      step,
      at,
      next,
    ]),
  ];
};

/** SATUSEHAT gets visits, not bookings: nothing before the patient is there. */
const toSatusehat = (before: Reported | null, next: Reported): [ExchangeStep, number, Reported][] => {
  const isBegun = next.checkedInAt !== null || next.encounterId !== null;
  const isOff = next.status === 'canceled' && before?.status !== 'canceled';
  return [
    ...listReached(before, next).flatMap(([step, at]): [ExchangeStep, number, Reported][] =>
      step === 'absent' && !isBegun ? [] : [[step, at, next]],
    ),
    ...(isOff && isBegun
      ? [['cancel', next.updatedAt, next] satisfies [ExchangeStep, number, Reported]]
      : []),
  ];
};

// A first-level clinic reports neither arrival nor end.
const isSent = ({ name, family }: Target, step: ExchangeStep): boolean =>
  name === 'satusehat' || family === 'rs' || (step !== 'arrive' && step !== 'complete');

/** The steps that a change of a booking has to report, in order; `before` is null for a new booking. */
export const listSteps = (
  targets: readonly Target[],
  before: Reported | null,
  next: Reported,
): PlannedStep[] =>
  targets.flatMap((target) =>
    (target.name === 'bpjs' ? toBpjs : toSatusehat)(before, next)
      .filter(([step]) => isSent(target, step))
      .map(([step, at, booking]) => ({
        target: target.name,
        family: target.family,
        step,
        at,
        slot: toSlot(booking),
      })),
  );
