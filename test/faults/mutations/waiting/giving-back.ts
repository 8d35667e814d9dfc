import type { FreeSlot } from '../../../../src/modules/booking/seats/offers.ts';
import { decisiveRules, isOpenSlot, type WaitingState, whomItSuits } from '../../../support/offer-oracle.ts';
import { entryOf, inputOf, isFreeAt, minuteMs, overlap, type Scene } from './scene.ts';

/** Seats that come free: the first whom each suits is offered it, and nobody else. */
export const givingBack = (scene: Scene) => {
  const { ask, asked, clinic, clinicTime, clock, desk, pick, random, violations } = scene;

  /** Whether an action made the required offers: by the rows after it without the offer itself. */
  const holdOffer = async (
    what: string,
    before: WaitingState,
    left: FreeSlot & { patientId: string },
    freed: boolean,
  ) => {
    const after = await clinic.read();
    const known = new Set(before.rows.map(({ id }) => id));
    const offers = after.rows.filter((row) => !known.has(row.id) && row.waitlistId !== null);
    const made = new Set(offers.map(({ id }) => id));
    const without = (rows: WaitingState['rows']) => rows.filter(({ id }) => !made.has(id));
    const state = { ...after, rows: without(after.rows), live: without(after.live) };
    const due = freed ? whomItSuits(state, left, asked(), left.patientId) : undefined;
    const [offer] = offers;
    if (offers.length > 1 || offer?.waitlistId !== due?.id)
      violations.push(
        `${what}: ${offers.length} offered, to ${entryOf(after, offer?.waitlistId)?.position} instead of ${due?.position}`,
      );
    if (offer !== undefined && offer.heldUntil !== Math.min(offer.startsAt, clock.now + 30 * minuteMs))
      violations.push(`${what}: an offer is held until ${offer.heldUntil}`);
  };

  /** Where a booking can move to with the same doctor so that it still covers a part of the seat that it leaves. */
  const overlappingMoves = (state: WaitingState, row: WaitingState['rows'][number]) =>
    clinic
      .freeSlots(clinicTime)
      .filter(
        (slot) =>
          row.heldUntil === null &&
          slot.doctorId === row.doctorId &&
          slot.startsAt !== row.startsAt &&
          overlap(slot, row) &&
          isOpenSlot(state, slot, asked()) &&
          isFreeAt(state, row.patientId, slot),
      );

  /** A booking and who gives it back: mostly one whose seat is decided by a rule that has decided least of all. */
  const seldomDecided = (state: WaitingState) => {
    const choices = state.live.flatMap((row) => {
      const member = clinic.patients.find(({ id }) => id === row.patientId);
      const live = state.live.filter(({ id }) => id !== row.id);
      const givenUp = [desk, ...(member ? [member] : [])].map((by) => {
        const canceledBy = by === desk ? ('staff' as const) : ('patient' as const);
        const rows = state.rows.map((one) => (one.id === row.id ? { ...one, canceledBy } : one));
        const rules = decisiveRules({ ...state, rows, live }, row, asked(), row.patientId);
        return { row, by, member, to: undefined, rules };
      });
      const moved = overlappingMoves({ ...state, live }, row).map((to) => {
        const rows = state.rows.map((one) => (one.id === row.id ? { ...one, ...to } : one));
        const after = { ...state, rows, live: [...live, { ...row, ...to }] };
        return { row, by: desk, member, to, rules: decisiveRules(after, row, asked(), row.patientId) };
      });
      return [...givenUp, ...moved];
    });
    const times = (rules: string[]) => Math.min(...rules.map((rule) => clinic.decided.get(rule) ?? 0));
    const least = Math.min(...choices.map(({ rules }) => times(rules)));
    const seldom = choices.filter(({ rules }) => times(rules) === least);
    const choice = pick(random() < 0.8 ? seldom : choices);
    for (const rule of choice?.rules ?? []) clinic.decided.set(rule, (clinic.decided.get(rule) ?? 0) + 1);
    return choice;
  };

  const giveBackOne = async (): Promise<void> => {
    const before = await clinic.read();
    const choice = seldomDecided(before);
    if (choice === undefined) return;
    const { row, member, by, to } = choice;
    const ways = [`bookings/${row.id}/cancel`, `bookings/${row.id}/reschedule`, `bookings/${row.id}/reject`];
    const isOpen = row.heldUntil !== null && row.heldUntil > clock.now;
    if (isOpen && member !== undefined) ways.push(`waitlist/${row.waitlistId}/decline`);
    const way = to === undefined ? pick(ways) : `bookings/${row.id}/reschedule`;
    const body = to !== undefined ? inputOf(to) : way.endsWith('reschedule') ? pick(clinic.slots) : {};
    const { status } = await ask(way.endsWith('decline') ? (member ?? desk) : by, `/v1/${way}`, body);
    const isSame = Object.entries(body).every(([name, value]) => Object(inputOf(row))[name] === value);
    await holdOffer(
      way.split('/').at(-1) ?? '',
      before,
      row,
      status < 300 && !(way.endsWith('reschedule') && isSame),
    );
  };

  /** The first of the list leaves just while a seat comes free that is theirs. */
  const leaveMeanwhile = async (): Promise<void> => {
    const state = await clinic.read();
    const leaving = state.live.flatMap((row) => {
      const rows = state.rows.map((one) =>
        one.id === row.id ? { ...one, canceledBy: 'staff' as const } : one,
      );
      const after = { ...state, rows, live: state.live.filter(({ id }) => id !== row.id) };
      const due = whomItSuits(after, row, asked(), row.patientId);
      const member = clinic.patients.find(({ id }) => id === due?.createdBy);
      return due !== undefined && member !== undefined ? [{ row, due, member }] : [];
    });
    const one = pick(leaving);
    if (one === undefined) return;
    await Promise.all([
      ask(one.member, `/v1/waitlist/${one.due.id}`, {}, 'DELETE'),
      ask(desk, `/v1/bookings/${one.row.id}/cancel`),
    ]);
    const { live, entries } = await clinic.read();
    if (
      live.some(
        ({ waitlistId, heldUntil }) =>
          heldUntil !== null && entries.some(({ id, endedAt }) => id === waitlistId && endedAt !== null),
      )
    )
      violations.push('whoever left is offered a seat');
  };

  return { giveBackOne, leaveMeanwhile };
};
