// Pure: who is in the doctor's room, who comes next, how long it takes.

import { minuteMs } from '../../../core/clinic/durations.ts';

/** A booking that counts in a queue: approved, and not marked absent. Rows are in calling order. */
export interface Turn {
  id: string;
  label: string;
  startsAt: number;
  endsAt: number;
  checkedInAt: number | null;
  calledAt: number | null;
  callCount: number;
  completedAt: number | null;
}

type Called<T> = T & { calledAt: number };

/** With fewer visits a median is not meaningful. */
const fewestVisits = 3;
const callsShown = 5;

const isCalled = <T extends Turn>(turn: T): turn is Called<T> => turn.calledAt !== null;

/** Those who are still to be called. */
export const listWaiting = <T extends Turn>(turns: readonly T[]): T[] =>
  turns.filter(({ calledAt, completedAt }) => calledAt === null && completedAt === null);

/** Everybody who was called, the last one first. */
const listCalls = <T extends Turn>(turns: readonly T[]): Called<T>[] =>
  turns.filter(isCalled).sort((a, b) => b.calledAt - a.calledAt);

export const lastCalls = <T extends Turn>(turns: readonly T[]): Called<T>[] =>
  listCalls(turns).slice(0, callsShown);

/** The last patient who was called and has not left yet, with any number. */
export const inRoom = <T extends Turn>(turns: readonly T[]): Called<T> | null =>
  listCalls(turns).find(({ completedAt }) => completedAt === null) ?? null;

/** How long a visit took, from the call; null for one that has not ended, or without a call. */
const visitMs = ({ calledAt, completedAt }: Turn): number | null =>
  calledAt === null || completedAt === null ? null : completedAt - calledAt;

/** The median of the visits; null with fewer than `fewest`. The waiting time is not included. */
export const medianVisitMs = (turns: readonly Turn[], fewest = fewestVisits): number | null => {
  const lengths = turns.map(visitMs).filter((length) => length !== null);
  if (lengths.length < fewest) return null;
  const sorted = lengths.sort((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
};

/** A minute with one decimal. */
export const inMinutes = (ms: number): number => Math.round(ms / (minuteMs / 10)) / 10;

/** The slot settings of a schedule. */
interface Hours {
  slotMinutes: number | null;
  capacity: number | null;
}

/** How long a visit takes: by the day's visits, or as long as the schedule gives each patient of a slot. */
export const expectedVisitMs = (turns: readonly Turn[], { slotMinutes, capacity }: Hours): number => {
  const median = medianVisitMs(turns);
  if (median !== null) return median;
  const [any] = turns;
  const slotMs =
    slotMinutes === null ? (any === undefined ? 0 : any.endsAt - any.startsAt) : slotMinutes * minuteMs;
  return slotMs / Math.max(1, capacity ?? 1);
};

interface Place {
  /** How many are called before. */
  ahead: number;
  estimatedAt: number;
}

/**
 * When somebody who waits is likely to be called: after the patient in the doctor's room and everybody ahead, none of
 * whom is called before their slot, later by the doctor's delay. Null for somebody who does not wait.
 */
export const placeIn = (
  turns: readonly Turn[],
  id: string,
  { now, perVisitMs, delayMinutes }: { now: number; perVisitMs: number; delayMinutes: number },
): Place | null => {
  const waiting = listWaiting(turns);
  const ahead = waiting.findIndex((turn) => turn.id === id);
  const own = waiting[ahead];
  if (own === undefined) return null;
  const busy = inRoom(turns);
  let free = busy === null ? now : Math.max(now, busy.calledAt + perVisitMs);
  const from = ({ startsAt }: Turn) => Math.max(free, startsAt + delayMinutes * minuteMs);
  for (const turn of waiting.slice(0, ahead)) free = from(turn) + perVisitMs;
  return { ahead, estimatedAt: Math.ceil(from(own) / minuteMs) * minuteMs };
};

interface Room {
  startTime: string | null;
  endTime: string | null;
  room: string | null;
}

/**
 * The working hours at a time of day: the present ones, else the next, else the last. Rows are ordered by their start.
 */
export const hoursAt = <H extends Room>(hours: readonly H[], time: string): H | undefined =>
  hours.find(({ endTime }) => endTime !== null && endTime > time) ?? hours.at(-1);
