// A simple model of the clinic: what the service must answer and store, in plain values.

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
const minNoticeMs = 30 * minuteMs;
const maxAdvanceDays = 1;
const cancelLeadMs = 60 * minuteMs;
const maxUpcoming = 2;

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

const fine = null;
const refused = (status: number, code: string, reason?: string): Expected => ({
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

const isLive = ({ status }: Booked): boolean => status !== 'canceled';
const isOver = ({ visit }: Booked): boolean => visit === 'completed' || visit === 'no_show';
const hasArrived = ({ checkedInAt }: Booked): boolean => checkedInAt !== null;
const maxBeyond = 5;

export const slotsOf = ({ start, end, slotMinutes }: Grid): number[] => {
  const slots: number[] = [];
  for (let minute = start; minute + slotMinutes <= end; minute += slotMinutes) slots.push(minute);
  return slots;
};

const runs = (actor: Actor, doctor: number): boolean =>
  actor.role === 'staff' || actor.role === 'admin' || (actor.role === 'doctor' && actor.at === doctor);

/** The account of the first patient acts for the last one as well, who has an account too. */
export const family = { account: 0, patient: 2 };
/** A record without an account, and the one that it may be merged into. */
export const walkIn = 3;
export const mergedWith = 1;

const actsFor = (account: number, patient: number): boolean =>
  account === patient || (account === family.account && patient === family.patient);

const isPatientOf = (actor: Actor, booking: Booked): boolean =>
  actor.role === 'patient' && actsFor(actor.at, booking.patient);

const closedBy = ({ closures }: Model, { doctor, day, minute }: Place, minutes: number) => {
  const over = closures.filter(
    (c) =>
      c.day === day &&
      (c.doctor === null || c.doctor === doctor) &&
      (c.hours === null || (minute < c.hours.until && minute + minutes > c.hours.from)),
  );
  if (over.length === 0) return null;
  return over.some((c) => c.doctor !== null) ? 'leave' : 'holiday';
};

/** Why a place cannot be taken, or null; `own` is the booking that moves there. */
const placeTaken = (model: Model, actor: Actor, patient: number, place: Place, own?: Booked, beyond = 0) => {
  const grid = model.grids[place.doctor] as Grid;
  const closed = (reason: string) => refused(422, 'slot_unavailable', reason);
  if (!slotsOf(grid).includes(place.minute)) return closed('not_offered');
  const start = startOf(place);
  const end = start + grid.slotMinutes * minuteMs;
  if ((runs(actor, place.doctor) ? end : start) <= model.now) return closed('past');
  if (!runs(actor, place.doctor)) {
    if (start < model.now + minNoticeMs) return closed('too_soon');
    if (place.day > today(model) + maxAdvanceDays) return closed('too_far');
  }
  const leave = closedBy(model, place, grid.slotMinutes);
  if (leave !== null) return closed(leave);
  const others = model.bookings.filter((b) => isLive(b) && b !== own);
  const touching = others.filter((b) => startOf(b) < end && endOf(b) > start);
  if (touching.some((b) => b.patient === patient)) return refused(409, 'patient_busy');
  const coming = others.filter((b) => b.patient === patient && startOf(b) > model.now);
  const isBound = !runs(actor, place.doctor);
  if (isBound && own === undefined && coming.length >= maxUpcoming) return refused(409, 'too_many_bookings');
  const ofDoctor = touching.filter((b) => b.doctor === place.doctor);
  const sharing = ofDoctor.filter((b) => startOf(b) === start);
  if (sharing.length < ofDoctor.length || sharing.length >= grid.capacity + beyond)
    return refused(409, 'slot_full');
  return fine;
};

const nextNumber = (model: Model, { doctor, day }: Place): number => {
  const number = (model.queues.get(`${doctor} ${day}`) ?? 0) + 1;
  model.queues.set(`${doctor} ${day}`, number);
  return number;
};

const liveAt = (model: Model, place: Place): number =>
  model.bookings.filter((b) => isLive(b) && b.doctor === place.doctor && startOf(b) === startOf(place))
    .length;

/** What the clinic may ask for beside a slot. */
export interface Asked {
  checkIn: boolean;
  overbook: boolean;
}

/** Books where the clinic lets it; the id is the service's to say. */
export const modelBook = (
  model: Model,
  actor: Actor,
  named: number,
  place: Place,
  { checkIn, overbook }: Asked,
): Expected => {
  const asClinic = runs(actor, place.doctor);
  if ((checkIn || overbook) && !asClinic) return refused(403, 'forbidden');
  if (checkIn && place.day !== today(model)) return refused(422, 'validation_failed');
  const patient = model.merged && named === walkIn ? mergedWith : named;
  const byPatient = actor.role === 'patient';
  if (byPatient && !actsFor(actor.at, patient)) return refused(422, 'validation_failed');
  if (!byPatient && !runs(actor, place.doctor)) return refused(403, 'forbidden');
  const isKnown = model.bookings.some((b) => b.patient === patient && b.doctor === place.doctor);
  if (actor.role === 'doctor' && !isKnown) return refused(422, 'validation_failed');
  const taken = placeTaken(model, actor, patient, place, undefined, overbook ? maxBeyond : 0);
  if (taken !== fine) return taken;
  const { capacity } = model.grids[place.doctor] as Grid;
  model.bookings.push({
    ...place,
    id: '',
    patient,
    minutes: (model.grids[place.doctor] as Grid).slotMinutes,
    status: asClinic || model.automatic ? 'approved' : 'waiting',
    visit: checkIn ? 'checked_in' : null,
    calls: 0,
    checkedInAt: checkIn ? model.now : null,
    firstCalledAt: null,
    calledAt: null,
    endedAt: null,
    overbooked: liveAt(model, place) >= capacity,
    notes: '',
    staffNotes: '',
    queueNumber: nextNumber(model, place),
    canceled: null,
    events: [`booking.created by ${actor.role}`],
  });
  return { status: 201 };
};

export const verbs = [
  'approve',
  'reject',
  'cancel',
  'reschedule',
  'check-in',
  'call',
  'skip',
  'complete',
  'no-show',
  'undo',
] as const;
export type Verb = (typeof verbs)[number];

const forClinicOnly = (verb: Verb): boolean => verb !== 'cancel' && verb !== 'reschedule';

const isOpen = (model: Model, verb: Verb, b: Booked, byPatient: boolean): boolean => {
  if (!isLive(b)) return false;
  const { now } = model;
  if (verb === 'undo') {
    const last = b.endedAt ?? b.calledAt ?? (b.firstCalledAt === null ? b.checkedInAt : null);
    return last !== null && last >= firstMidnight + today(model) * dayMs;
  }
  if (isOver(b)) return false;
  if (byPatient) return !hasArrived(b) && now < startOf(b) - cancelLeadMs;
  const isStillOpen = b.status === 'approved' || now < endOf(b);
  const rules: Record<Exclude<Verb, 'undo'>, boolean> = {
    approve: b.status === 'waiting' && isStillOpen,
    reject: b.status === 'waiting',
    cancel: true,
    reschedule: true,
    'check-in': isStillOpen && !hasArrived(b) && b.day === today(model),
    call: b.status === 'approved' && hasArrived(b),
    skip: b.status === 'approved' && b.visit === 'called',
    complete: b.status === 'approved' && hasArrived(b),
    'no-show': b.status === 'approved' && now >= startOf(b),
  };
  return rules[verb];
};

/** What somebody may do to a booking now; null for one who may not see it. */
export const modelActions = (model: Model, actor: Actor, b: Booked): Verb[] | null => {
  const byPatient = isPatientOf(actor, b);
  if (!byPatient && !runs(actor, b.doctor)) return null;
  return verbs.filter((verb) => !(byPatient && forClinicOnly(verb)) && isOpen(model, verb, b, byPatient));
};

const cancel = (b: Booked, by: Actor['role'], code: string): void => {
  b.status = 'canceled';
  b.canceled = { by, code };
};

const eventOf: Record<Verb, string> = {
  approve: 'booking.approved',
  reject: 'booking.canceled',
  cancel: 'booking.canceled',
  reschedule: 'booking.rescheduled',
  'check-in': 'booking.checked_in',
  call: 'booking.called',
  skip: 'booking.skipped',
  complete: 'booking.completed',
  'no-show': 'booking.no_show',
  undo: 'booking.undone',
};

const move = (model: Model, b: Booked, place: Place, byPatient: boolean): void => {
  if (b.doctor !== place.doctor || b.day !== place.day) b.queueNumber = nextNumber(model, place);
  const keepsCheckIn = !byPatient && b.day === place.day;
  if (!keepsCheckIn) b.checkedInAt = null;
  const uncalled = { calls: 0, firstCalledAt: null, calledAt: null, overbooked: false };
  Object.assign(b, place, uncalled, { minutes: (model.grids[place.doctor] as Grid).slotMinutes });
  b.visit = b.checkedInAt === null ? null : 'checked_in';
  if (byPatient) b.status = model.automatic ? 'approved' : 'waiting';
};

const call = (b: Booked, now: number): void => {
  b.visit = 'called';
  b.calls += 1;
  b.firstCalledAt ??= now;
  b.calledAt = now;
};

const undo = (b: Booked): void => {
  if (b.endedAt !== null) b.endedAt = null;
  else if (b.calledAt === null) b.checkedInAt = null;
  else {
    b.calls -= 1;
    const wasSkipped = b.firstCalledAt !== b.calledAt;
    if (b.calls === 1) b.calledAt = b.firstCalledAt;
    if (b.calls === 0) b.calledAt = null;
    if (b.calls === 0 && !wasSkipped) b.firstCalledAt = null;
  }
  if (b.calledAt !== null) b.visit = 'called';
  else b.visit = b.checkedInAt === null ? null : 'checked_in';
};

const isThere = (b: Booked, place: Place): boolean =>
  b.doctor === place.doctor && b.day === place.day && b.minute === place.minute;

/** Changes notes where the clinic lets it. */
export const modelEdit = (
  actor: Actor,
  b: Booked,
  { notes, staffNotes, version }: { notes?: string; staffNotes?: string; version?: number | undefined },
): Expected => {
  const byPatient = isPatientOf(actor, b);
  if (!byPatient && !runs(actor, b.doctor)) return refused(404, 'not_found');
  if (byPatient && staffNotes !== undefined) return refused(403, 'forbidden');
  if (version !== undefined && version !== b.events.length) return refused(409, 'version_mismatch');
  if (byPatient && (!isLive(b) || isOver(b))) return refused(409, 'invalid_transition');
  b.notes = notes ?? b.notes;
  b.staffNotes = staffNotes ?? b.staffNotes;
  b.events.push(`booking.updated by ${actor.role}`);
  return { status: 200 };
};

/** Does a verb where the clinic lets it. `version` is what the request names. */
export const modelAct = (
  model: Model,
  actor: Actor,
  verb: Verb,
  b: Booked,
  { version, place }: { version?: number | undefined; place: Place },
): Expected => {
  if (forClinicOnly(verb) && actor.role === 'patient') return refused(403, 'forbidden');
  const byPatient = isPatientOf(actor, b);
  if (!byPatient && !runs(actor, b.doctor)) return refused(404, 'not_found');
  if (verb === 'undo' && version === undefined) return refused(422, 'validation_failed');
  if (version !== undefined && version !== b.events.length) return refused(409, 'version_mismatch');
  if (!isOpen(model, verb, b, byPatient)) return refused(409, 'invalid_transition');
  if (verb === 'reschedule') {
    if (!byPatient && !runs(actor, place.doctor)) return refused(403, 'forbidden');
    if (isThere(b, place)) return { status: 200 };
    const taken = placeTaken(model, actor, b.patient, place, b);
    if (taken !== fine) return taken;
    move(model, b, place, byPatient);
  }
  if (verb === 'approve') b.status = 'approved';
  if (verb === 'reject') cancel(b, actor.role, 'rejected');
  if (verb === 'cancel') cancel(b, actor.role, 'canceled');
  if (verb === 'check-in')
    Object.assign(b, { status: 'approved', visit: 'checked_in', checkedInAt: model.now });
  if (verb === 'call') call(b, model.now);
  if (verb === 'skip') Object.assign(b, { visit: 'checked_in', calledAt: null, calls: 0 });
  if (verb === 'complete') Object.assign(b, { visit: 'completed', endedAt: model.now });
  if (verb === 'no-show') Object.assign(b, { visit: 'no_show', endedAt: model.now });
  if (verb === 'undo') undo(b);
  b.events.push(`${eventOf[verb]} by ${actor.role}`);
  return { status: 200 };
};

/** Merges the record without an account, where no live bookings of the two overlap. */
export const modelMerge = (model: Model, role: Actor['role']): Expected => {
  const live = model.bookings.filter(isLive);
  const clash = live.some(
    (a) =>
      a.patient === walkIn &&
      live.some((b) => b.patient === mergedWith && startOf(b) < endOf(a) && endOf(b) > startOf(a)),
  );
  if (clash) return refused(409, 'merge_conflict');
  model.merged = true;
  for (const b of model.bookings)
    if (b.patient === walkIn) {
      b.patient = mergedWith;
      b.events.push(`booking.updated by ${role}`);
    }
  return { status: 200 };
};

/** Cancels what waits though its time is over. */
export const modelExpire = (model: Model): void => {
  for (const b of model.bookings)
    if (b.status === 'waiting' && endOf(b) <= model.now) {
      cancel(b, 'system', 'expired');
      b.events.push('booking.canceled by system');
    }
};
