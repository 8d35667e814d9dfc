import {
  type Actor,
  actsFor,
  type Booked,
  type Expected,
  endOf,
  fine,
  type Grid,
  isLive,
  type Model,
  maxAdvanceDays,
  maxBeyond,
  maxUpcoming,
  mergedWith,
  minNoticeMs,
  minuteMs,
  type Place,
  refused,
  runs,
  slotsOf,
  startOf,
  today,
  walkIn,
} from './state.ts';

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
export const placeTaken = (
  model: Model,
  actor: Actor,
  patient: number,
  place: Place,
  own?: Booked,
  beyond = 0,
) => {
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

export const nextNumber = (model: Model, { doctor, day }: Place): number => {
  const number = (model.queues.get(`${doctor} ${day}`) ?? 0) + 1;
  model.queues.set(`${doctor} ${day}`, number);
  return number;
};

const liveAt = (model: Model, place: Place): number =>
  model.bookings.filter((b) => isLive(b) && b.doctor === place.doctor && startOf(b) === startOf(place))
    .length;

/** The clinic's options beside a slot. */
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
