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

/** An entry's wish; the order of the list is the order in which seats are offered. */
export interface Entry {
  key: number;
  patient: number;
  doctor: number | null;
  /** The latest slot that would do. */
  latest: number;
  /** How many offers in a row were not answered. */
  unanswered: number;
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
    (seat) =>
      seat.patient === entry.patient &&
      !isOver(model, seat) &&
      (seat.slot === place.slot || seat.until !== null),
  );

const isFree = (model: WaitModel, place: Place): boolean =>
  !model.isClosed && model.seats.filter(isAt(place)).length < model.capacity;

/** Offers a seat to the first whom it suits, if there is one. */
const offer = (model: WaitModel, place: Place, left: number | null = null): void => {
  const first = model.entries.find((entry) => suits(model, entry, place, left));
  if (first === undefined || !isFree(model, place)) return;
  const { doctor, slot } = place;
  model.seats.push({ patient: first.patient, doctor, slot, until: model.now + heldMs, entry: first.key });
};

const end = (model: WaitModel, seat: Seat): void => {
  model.seats.splice(model.seats.indexOf(seat), 1);
  model.had.add(keyOf(seat.patient, seat));
};

/** Ends expired offers; a patient who has not answered three in a row leaves the list. */
const endLapsed = (model: WaitModel, isMeant: (seat: Seat) => boolean = () => true): Seat[] => {
  const over = model.seats.filter((seat) => isOver(model, seat) && isMeant(seat));
  for (const seat of over) {
    end(model, seat);
    const entry = model.entries.find(({ key }) => key === seat.entry);
    if (entry !== undefined) entry.unanswered += 1;
  }
  model.entries = model.entries.filter(({ unanswered }) => unanswered < 3);
  return over;
};

/** Gives a seat back for good: it goes to the next in the same step, who may have an offer that is over. */
export const give = (model: WaitModel, seat: Seat): void => {
  const entry = model.entries.find(({ key }) => key === seat.entry);
  if (entry !== undefined) entry.unanswered = 0;
  end(model, seat);
  endLapsed(model);
  offer(model, seat, seat.patient);
};

/** Why a seat cannot be taken; null if it was. `own` is the booking that moves. */
export const take = (model: WaitModel, patient: number, place: Place, own?: Seat): string | null => {
  if (model.isClosed) return 'slot_unavailable';
  const holding = model.seats.filter((seat) => seat !== own && !isOver(model, seat));
  const isBusy = holding.some((seat) => seat.patient === patient && seat.slot === place.slot);
  const isFull = holding.filter(isAt(place)).length >= model.capacity;
  // A slot that is read as full is refused without a write. The batch of a move would offer what it leaves, too, and so
  // ends the offers of all who wait, also where the move itself is refused.
  const isInTheWay = (seat: Seat) => seat.doctor === place.doctor || seat.patient === patient;
  if (!isFull) endLapsed(model, own === undefined ? isInTheWay : undefined);
  if (isBusy) return 'patient_busy';
  if (isFull) return 'slot_full';
  const { doctor, slot } = place;
  if (own === undefined) {
    model.seats.push({ patient, doctor, slot, until: null, entry: null });
    return null;
  }
  const left = { doctor: own.doctor, slot: own.slot };
  Object.assign(own, { doctor, slot });
  endLapsed(model);
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

/** The minute's job: expired offers end, then each entry in turn is offered the first seat that suits. */
export const runModelJob = (model: WaitModel): void => {
  for (const seat of endLapsed(model).sort((a, b) => (a.until ?? 0) - (b.until ?? 0))) offer(model, seat);
  const places = [...times.keys()].flatMap((slot) =>
    Array.from({ length: doctorCount }, (_, doctor) => ({ doctor, slot })),
  );
  for (const entry of [...model.entries]) {
    const place = places.find((one) => isFree(model, one) && suits(model, entry, one, null));
    if (place !== undefined) offer(model, place);
  }
};
