import type { FreeSlot } from '../../../../src/modules/booking/seats/offers.ts';
import { isOpenSlot } from '../../../support/offer-oracle.ts';
import { dates } from './clinic.ts';
import { inputOf, isFreeAt, type Scene } from './scene.ts';

/** The limits of an account, where one more would be too many. */
export const limiting = ({ ask, asked, clinic, clinicTime, clock, deps, pick, violations }: Scene) => {
  /** The limits of bookings apply to accepted offers too. */
  const acceptBeyond = async (setting: 'MAX_LIVE_BOOKINGS' | 'MAX_UNPROVED_BOOKINGS'): Promise<void> => {
    const { config } = deps;
    const find = async () => {
      const { live } = await clinic.read();
      const ofOwn = live.filter(({ patientId, createdBy }) => patientId === createdBy);
      return ofOwn.flatMap((offer) => {
        const member = clinic.patients.find(({ id }) => id === offer.patientId);
        const isOpen = offer.heldUntil !== null && offer.heldUntil > clock.now;
        const isLimited = setting === 'MAX_LIVE_BOOKINGS' || clinic.unproved.has(offer.patientId);
        const has = ofOwn.some((one) => one.patientId === offer.patientId && one.heldUntil === null);
        return isOpen && isLimited && member !== undefined ? [{ offer, member, has }] : [];
      });
    };
    const [first] = await find();
    for (let tries = 0; tries < 4 && first !== undefined && !first.has; tries++)
      await ask(first.member, '/v1/bookings', { ...pick(clinic.slots), notes: '' });
    const found = (await find()).find(({ has }) => has);
    if (found === undefined) return;
    deps.config = { ...config, [setting]: 1 };
    const { status } = await ask(found.member, `/v1/waitlist/${found.offer.waitlistId}/accept`);
    deps.config = config;
    if (status < 300) violations.push(`an offer was accepted beyond ${setting}`);
  };

  /** Two at once exceed a limit that allows one more. */
  const seriesBeyond = async (): Promise<void> => {
    const { config } = deps;
    for (const member of clinic.patients.slice(5)) {
      const state = await clinic.read();
      const own = state.live.filter(({ patientId }) => patientId === member.id);
      const isFree = (slot: FreeSlot) => isOpenSlot(state, slot, asked()) && isFreeAt(state, member.id, slot);
      const free = clinic.freeSlots(clinicTime).filter(isFree);
      const isFreeOn = (date: string, { doctorId, sessionId, scheduleTime }: FreeSlot) =>
        free.some(
          (one) =>
            one.scheduleDate === date &&
            one.doctorId === doctorId &&
            one.sessionId === sessionId &&
            one.scheduleTime === scheduleTime,
        );
      const slot = free.find((one) => one.scheduleDate === dates[0] && isFreeOn(dates[1], one));
      if (slot === undefined) continue;
      const held = own.filter(({ createdBy, heldUntil }) => createdBy === member.id && heldUntil === null);
      deps.config = { ...config, MAX_LIVE_BOOKINGS: held.length + 1 };
      const asks = { ...inputOf(slot), every_days: 1, count: 2, on_conflict: 'fail', notes: '' };
      if ((await ask(member, '/v1/bookings/series', asks)).status < 300)
        violations.push('a series was booked beyond the limit');
    }
    deps.config = config;
  };

  return { acceptBeyond, seriesBeyond };
};
