// A simple model of the waitlist: who waits in which order, who holds which seat, and until when.

import { minuteMs, morning } from './waitlist.ts';

export const patientCount = 5;
export const doctorCount = 2;
export const times = ['09:00:00', '09:30:00'] as const;
export const heldMs = 30 * minuteMs;

export interface Seat {
  patient: number;
  doctor: number;
  slot: number;
  /** Of an offer: until when it is held; null of a booking. */
  until: number | null;
  entry: number | null;
}

/** What somebody waits for; the order of the list is the order in which seats are offered. */
export interface Entry {
  key: number;
  patient: number;
  doctor: number | null;
  /** The latest slot that would do. */
  latest: number;
}

export interface WaitModel {
  now: number;
  capacity: number;
  isClosed: boolean;
  seats: Seat[];
  entries: Entry[];
  /** Slots that a patient declined, let lapse, or canceled. */
  had: Set<string>;
  keys: number;
}

export const emptyWaitModel = (): WaitModel => ({
  now: morning,
  capacity: 1,
  isClosed: false,
  seats: [],
  entries: [],
  had: new Set(),
  keys: 0,
});

type Place = Pick<Seat, 'doctor' | 'slot'>;
const keyOf = (patient: number, { doctor, slot }: Place) => `${patient} ${doctor} ${slot}`;
const isAt = (place: Place) => (seat: Seat) => seat.doctor === place.doctor && seat.slot === place.slot;
const isOver = (model: WaitModel, { until }: Seat) => until !== null && until <= model.now;

const suits = (model: WaitModel, entry: Entry, place: Place, left: number | null): boolean =>
  (entry.doctor === null || entry.doctor === place.doctor) &&
  place.slot <= entry.latest &&
  entry.patient !== left &&
  !model.had.has(keyOf(entry.patient, place)) &&
  !model.seats.some(
    (seat) => seat.patient === entry.patient && (seat.slot === place.slot || seat.until !== null),
  );

/** Offers a seat to the first whom it suits; false where there is no seat, or nobody. */
const offer = (model: WaitModel, place: Place, left: number | null = null): boolean => {
  if (model.isClosed || model.seats.filter(isAt(place)).length >= model.capacity) return false;
  const first = model.entries.find((entry) => suits(model, entry, place, left));
  if (first === undefined) return false;
  const { doctor, slot } = place;
  model.seats.push({ patient: first.patient, doctor, slot, until: model.now + heldMs, entry: first.key });
  return true;
};

const end = (model: WaitModel, seat: Seat): void => {
  model.seats.splice(model.seats.indexOf(seat), 1);
  model.had.add(keyOf(seat.patient, seat));
};

/** Gives a seat back for good: it goes to the next in the same step. */
export const give = (model: WaitModel, seat: Seat): void => {
  end(model, seat);
  offer(model, seat, seat.patient);
};

const endLapsed = (model: WaitModel, doctor: number, patient: number): void => {
  for (const seat of model.seats.filter((s) => isOver(model, s)))
    if (seat.doctor === doctor || seat.patient === patient) end(model, seat);
};

/** Why a seat cannot be taken; null if it was. `own` is the booking that moves. */
export const take = (model: WaitModel, patient: number, place: Place, own?: Seat): string | null => {
  if (model.isClosed) return 'slot_unavailable';
  const holding = model.seats.filter((seat) => seat !== own && !isOver(model, seat));
  const isBusy = holding.some((seat) => seat.patient === patient && seat.slot === place.slot);
  const isFull = holding.filter(isAt(place)).length >= model.capacity;
  // A slot that is read as full is refused without a write.
  if (!isFull) endLapsed(model, place.doctor, patient);
  if (isBusy) return 'patient_busy';
  if (isFull) return 'slot_full';
  const { doctor, slot } = place;
  if (own === undefined) {
    model.seats.push({ patient, doctor, slot, until: null, entry: null });
    return null;
  }
  const left = { doctor: own.doctor, slot: own.slot };
  Object.assign(own, { doctor, slot });
  offer(model, left, patient);
  return null;
};

/** Accepts the seat that is held for an entry; false where none is. */
export const accept = (model: WaitModel, key: number): boolean => {
  const held = model.seats.find((seat) => seat.entry === key && seat.until !== null);
  if (held === undefined || isOver(model, held)) return false;
  held.until = null;
  model.entries = model.entries.filter((entry) => entry.key !== key);
  return true;
};

/** What the job by the minute does: offers that are over go on, then every seat that is free is offered. */
export const runModelJob = (model: WaitModel): void => {
  const over = model.seats.filter((seat) => isOver(model, seat));
  for (const seat of over.sort((a, b) => (a.until ?? 0) - (b.until ?? 0))) give(model, seat);
  for (const slot of times.keys())
    for (let doctor = 0; doctor < doctorCount; doctor++) while (offer(model, { doctor, slot }));
};
