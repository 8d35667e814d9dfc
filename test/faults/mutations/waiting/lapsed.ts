import { isOpenSlot } from '../../../support/offer-oracle.ts';
import { inputOf, minuteMs, type Scene } from './scene.ts';

/** Books what an offer held whose time is over. */
export const bookingLapsed = ({
  ask,
  asked,
  clinic,
  clinicTime,
  clock,
  desk,
  pick,
  random,
  violations,
}: Scene) => {
  /** The time of offers is over: whoever comes next gets the seat though no job ran. */
  const bookLapsed = async (): Promise<void> => {
    clock.now += 31 * minuteMs;
    const state = await clinic.read();
    const late = state.live.find(({ heldUntil }) => heldUntil !== null && heldUntil <= clock.now);
    if (late !== undefined && (await ask(desk, `/v1/waitlist/${late.waitlistId}/accept`)).status < 300)
      violations.push('an offer was accepted after its time');
    const isOver = (row: { heldUntil: number | null }) =>
      row.heldUntil !== null && row.heldUntil <= clock.now;
    const holding = { ...state, live: state.live.filter((row) => !isOver(row)) };
    const over = state.live.filter((row) => isOver(row) && isOpenSlot(holding, row, asked()));
    // Beside their own offer that is over, with another doctor.
    const besideOf = (row: (typeof over)[number]) =>
      clinic
        .freeSlots(clinicTime)
        .find(
          (slot) =>
            slot.doctorId !== row.doctorId &&
            slot.startsAt < row.endsAt &&
            row.startsAt < slot.endsAt &&
            isOpenSlot(holding, slot, asked()) &&
            !holding.live.some(
              (one) =>
                one.patientId === row.patientId && one.startsAt < slot.endsAt && slot.startsAt < one.endsAt,
            ),
        );
    const besides = over.flatMap((row) => {
      const beside = besideOf(row);
      return beside === undefined ? [] : [{ row, beside }];
    });
    const { row, beside } = (random() < 0.5 ? pick(besides) : undefined) ?? { row: pick(over) };
    if (row === undefined) return;
    const isFree = (id: string) =>
      !holding.live.some(
        (one) => one.patientId === id && one.startsAt < row.endsAt && row.startsAt < one.endsAt,
      );
    const way = beside !== undefined ? 'elsewhere' : pick(['own', 'other', 'series', 'move'] as const);
    const other = clinic.patients.find(({ id }) => id !== row.patientId && isFree(id));
    const patient_id = way === 'own' || way === 'elsewhere' ? row.patientId : other?.id;
    if (patient_id === undefined || (way !== 'elsewhere' && !isFree(patient_id))) return;
    const body = { ...inputOf(beside ?? row), patient_id, notes: '' };
    const moving = holding.live.find(
      (one) =>
        one.heldUntil === null &&
        one.startsAt > clock.now &&
        one.startsAt >= row.endsAt &&
        isFree(one.patientId),
    );
    if (way === 'move' && moving === undefined) return;
    const { status, body: answer } =
      way === 'series'
        ? await ask(desk, '/v1/bookings/series', { ...body, count: 1 })
        : way === 'move'
          ? await ask(desk, `/v1/bookings/${moving?.id}/reschedule`, inputOf(row))
          : await ask(desk, '/v1/bookings', body);
    if (status >= 300 && answer.code !== 'invalid_transition')
      violations.push(`a seat stayed held after its time (${way}): ${status} ${answer.code}`);
  };

  return bookLapsed;
};
