import { run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { countFreeSeats } from '../../booking/changes/shift.ts';
import { findShifts, type ShiftRow } from './queries.ts';

interface Asking {
  deps: Deps;
  now: number;
}

/** A place in the calendar, with its poli as BPJS names it. */
interface Place {
  poliCode: string | null;
  doctorId: string;
  sessionId: string;
  scheduleDate: string;
  scheduleTime: string;
}

export const isIn = (
  row: ShiftRow,
  { doctorId, sessionId, scheduleTime }: Omit<Place, 'poliCode'>,
): boolean =>
  row.doctorId === doctorId &&
  row.sessionId === sessionId &&
  row.startTime <= scheduleTime &&
  scheduleTime < row.endTime;

/** The shift as it is now that has this place; undefined if there is none any more. */
export const findShift = async (
  { deps: { db }, now }: Asking,
  family: 'rs' | 'fktp',
  place: Place,
): Promise<ShiftRow | undefined> => {
  const { poliCode: poli, scheduleDate: date } = place;
  const rows = poli === null ? [] : await run(db, findShifts(db, { family, poli, date, now }));
  return rows.find((row) => isIn(row, place));
};

/**
 * The places of a shift and those that a patient could book now, and which share of both is of insured patients: what
 * Mobile JKN is answered, and what is sent.
 */
export const readQuotas = async (asking: Asking, shift: ShiftRow | undefined, date: string) => {
  const left = shift === undefined ? 0 : await countFreeSeats(asking, shift, date);
  const { places = 0, jknQuota = null, takenJkn = 0, takenOther = 0 } = shift ?? {};
  if (jknQuota === null)
    return { sisakuotajkn: left, kuotajkn: places, sisakuotanonjkn: left, kuotanonjkn: places };
  const share = Math.min(places, jknQuota);
  return {
    sisakuotajkn: Math.max(0, Math.min(left, share - takenJkn)),
    kuotajkn: share,
    sisakuotanonjkn: Math.max(0, Math.min(left, places - share - takenOther)),
    kuotanonjkn: places - share,
  };
};
