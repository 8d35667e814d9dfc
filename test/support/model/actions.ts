import { nextNumber, placeTaken } from './booking.ts';
import {
  type Actor,
  type Booked,
  cancelLeadMs,
  dayMs,
  type Expected,
  endOf,
  fine,
  firstMidnight,
  type Grid,
  hasArrived,
  isLive,
  isOver,
  isPatientOf,
  type Model,
  mergedWith,
  type Place,
  refused,
  runs,
  startOf,
  today,
  walkIn,
} from './state.ts';

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

/** The actions that a person may do to a booking now; null if they may not see it. */
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

/** Merges the record without an account, if no live bookings of the two overlap. */
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
