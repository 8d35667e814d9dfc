import { isOpenSlot, type WaitingState } from '../../../support/offer-oracle.ts';
import { inputOf, isFreeAt, minuteMs, overlap, type Scene } from './scene.ts';

type Row = WaitingState['rows'][number];

/** Books what an offer held whose time is over. */
export const bookingLapsed = ({ ask, asked, clinic, clinicTime, clock, desk, pick, violations }: Scene) => {
  const create = (patientId: string, at: Parameters<typeof inputOf>[0]) =>
    ask(desk, '/v1/bookings', { ...inputOf(at), patient_id: patientId, notes: '' });

  /** All ways in which the time of a lapsed offer can be booked; `holding` is the state without lapsed offers. */
  const waysTo = (row: Row, holding: WaitingState) => {
    const isFree = (id: string) => isFreeAt(holding, id, row);
    const other = clinic.patients.find(({ id }) => id !== row.patientId && isFree(id));
    const elsewhere = clinic
      .freeSlots(clinicTime)
      .find(
        (slot) =>
          slot.doctorId !== row.doctorId &&
          overlap(slot, row) &&
          isOpenSlot(holding, slot, asked()) &&
          isFreeAt(holding, row.patientId, slot),
      );
    const moving = holding.live.find(
      (one) =>
        one.heldUntil === null && one.startsAt > clock.now && !overlap(one, row) && isFree(one.patientId),
    );
    const ways: Record<string, () => ReturnType<typeof ask>> = {};
    if (isFree(row.patientId)) ways.own = () => create(row.patientId, row);
    if (elsewhere) ways.elsewhere = () => create(row.patientId, elsewhere);
    if (other) {
      ways.other = () => create(other.id, row);
      const body = { ...inputOf(row), patient_id: other.id, count: 1, notes: '' };
      ways.series = () => ask(desk, '/v1/bookings/series', body);
    }
    // A doctor with two seats may have another one free.
    if (moving && clinic.capacityOf(row.doctorId) === 1)
      ways.move = () => ask(desk, `/v1/bookings/${moving.id}/reschedule`, inputOf(row));
    return Object.entries(ways).map(([name, book]) => ({ name, book }));
  };

  /** The time of offers is over: the next entry gets the seat though no job ran. */
  const bookLapsed = async (): Promise<void> => {
    clock.now += 31 * minuteMs;
    const state = await clinic.read();
    const isOver = ({ heldUntil }: Row) => heldUntil !== null && heldUntil <= clock.now;
    const late = state.live.find(isOver);
    if (late !== undefined && (await ask(desk, `/v1/waitlist/${late.waitlistId}/accept`)).status < 300)
      violations.push('an offer was accepted after its time');
    const holding = { ...state, live: state.live.filter((row) => !isOver(row)) };
    const over = state.live.filter((row) => isOver(row) && isOpenSlot(holding, row, asked()));
    const ways = over.flatMap((row) => waysTo(row, holding));
    const times = (name: string) => clinic.triedWays.get(name) ?? 0;
    const least = Math.min(...ways.map(({ name }) => times(name)));
    const way = pick(ways.filter(({ name }) => times(name) === least));
    if (way === undefined) return;
    clinic.triedWays.set(way.name, least + 1);
    const { status, body } = await way.book();
    if (status >= 300 && body.code !== 'invalid_transition')
      violations.push(`a seat stayed held after its time (${way.name}): ${status} ${body.code}`);
  };

  return bookLapsed;
};
