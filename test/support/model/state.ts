// A simple model of the clinic: the required answers and stored data, in plain values.
export const minuteMs = 60_000;
export const dayMs = 1_440 * minuteMs;
/** Monday 2026-11-23, 00:00 in Jakarta, whose clock never changes. */
export const firstMidnight = Date.parse('2026-11-22T17:00:00Z');
export const dates = ['2026-11-23', '2026-11-24', '2026-11-25'] as const;

export const settings = {
  MIN_NOTICE_MINUTES: '30',
  MAX_ADVANCE_DAYS: '1',
  CANCEL_LEAD_MINUTES: '60',
  MAX_LIVE_BOOKINGS: '2',
};
export const minNoticeMs = 30 * minuteMs;
export const maxAdvanceDays = 1;
export const cancelLeadMs = 60 * minuteMs;
export const maxUpcoming = 2;

export interface Actor {
  role: 'patient' | 'doctor' | 'staff' | 'admin' | 'system';
  /** Which patient, or which doctor's account. */
  at: number;
}

export interface Place {
  doctor: number;
  day: number;
  minute: number;
}

export interface Booked extends Place {
  id: string;
  patient: number;
  minutes: number;
  status: 'waiting' | 'approved' | 'canceled';
  visit: 'checked_in' | 'called' | 'completed' | 'no_show' | null;
  calls: number;
  /** When the steps of the visit were taken; null for those that were not. */
  checkedInAt: number | null;
  firstCalledAt: number | null;
  calledAt: number | null;
  endedAt: number | null;
  overbooked: boolean;
  notes: string;
  staffNotes: string;
  queueNumber: number;
  canceled: { by: Actor['role']; code: string } | null;
  /** Each change by its type and the role in which it was made: as many as the version says. */
  events: string[];
}

export interface Grid {
  start: number;
  end: number;
  slotMinutes: number;
  capacity: number;
}

export interface Closed {
  /** Null for a holiday. */
  doctor: number | null;
  day: number;
  /** Null for the whole day. */
  hours: { from: number; until: number } | null;
}

export interface Model {
  now: number;
  grids: Grid[];
  closures: Closed[];
  bookings: Booked[];
  /** The last number given out in each queue, by doctor and day. */
  queues: Map<string, number>;
  /** Whether the session needs no approval. */
  automatic: boolean;
  /** Whether the record without an account was merged. */
  merged: boolean;
}

export interface Expected {
  status: number;
  code?: string;
  reason?: string;
}

export const fine = null;
export const refused = (status: number, code: string, reason?: string): Expected => ({
  status,
  code,
  ...(reason !== undefined && { reason }),
});

export const emptyModel = (): Model => ({
  now: firstMidnight + 7 * 60 * minuteMs,
  grids: [
    { start: 480, end: 600, slotMinutes: 30, capacity: 2 },
    { start: 480, end: 600, slotMinutes: 60, capacity: 1 },
  ],
  closures: [],
  bookings: [],
  queues: new Map(),
  automatic: false,
  merged: false,
});

export const startOf = ({ day, minute }: { day: number; minute: number }): number =>
  firstMidnight + day * dayMs + minute * minuteMs;
export const endOf = (booking: Booked): number => startOf(booking) + booking.minutes * minuteMs;
export const today = ({ now }: Model): number => Math.floor((now - firstMidnight) / dayMs);

export const isLive = ({ status }: Booked): boolean => status !== 'canceled';
export const isOver = ({ visit }: Booked): boolean => visit === 'completed' || visit === 'no_show';
export const hasArrived = ({ checkedInAt }: Booked): boolean => checkedInAt !== null;
export const maxBeyond = 5;

export const slotsOf = ({ start, end, slotMinutes }: Grid): number[] => {
  const slots: number[] = [];
  for (let minute = start; minute + slotMinutes <= end; minute += slotMinutes) slots.push(minute);
  return slots;
};

export const runs = (actor: Actor, doctor: number): boolean =>
  actor.role === 'staff' || actor.role === 'admin' || (actor.role === 'doctor' && actor.at === doctor);

/** The account of the first patient acts for the last one as well, who has an account too. */
export const family = { account: 0, patient: 2 };
/** A record without an account, and the one that it may be merged into. */
export const walkIn = 3;
export const mergedWith = 1;

export const actsFor = (account: number, patient: number): boolean =>
  account === patient || (account === family.account && patient === family.patient);

export const isPatientOf = (actor: Actor, booking: Booked): boolean =>
  actor.role === 'patient' && actsFor(actor.at, booking.patient);
