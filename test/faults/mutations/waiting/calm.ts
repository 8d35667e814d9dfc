import { eq } from 'drizzle-orm';
import { sessions } from '../../../../src/core/tables/catalog.ts';
import { waitlistEntries } from '../../../../src/core/tables/queues.ts';
import { runWaitlist } from '../../../../src/modules/booking/waitlist/job.ts';
import { whomItSuits } from '../../../support/offer-oracle.ts';
import type { Stress } from '../stress.ts';
import { changing } from './changes.ts';
import { type WaitingClinic, wished } from './clinic.ts';
import { givingBack } from './giving-back.ts';
import { bookingLapsed } from './lapsed.ts';
import { limiting } from './limits.ts';
import { releasing } from './releasing.ts';
import { sharingRooms } from './rooms.ts';
import { minuteMs, openScene } from './scene.ts';
import { misjudged } from './silence.ts';

/**
 * One request at a time, on the state after the concurrent phase: the results that the rules require must happen, and
 * no others.
 */
export const calmly = async (stress: Stress, clinic: WaitingClinic): Promise<string[]> => {
  const scene = openScene(stress, clinic);
  const { random, db, deps, clock, clinicTime, violations, desk, pick, asked, ask } = scene;
  const change = changing(scene);
  const { giveBackOne, leaveMeanwhile } = givingBack(scene);
  const bookLapsed = bookingLapsed(scene);
  const release = releasing(scene);
  const shareRooms = sharingRooms(scene);
  const { acceptBeyond, seriesBeyond } = limiting(scene);

  const bookOutside = async (): Promise<void> => {
    const slot = pick(clinic.outside);
    await ask(desk, '/v1/bookings', { ...slot, patient_id: pick(clinic.patients).id, notes: '' });
  };

  /** A yes that meant another booking than the one that is offered now. */
  const acceptAnother = async (): Promise<void> => {
    const { rows, live } = await clinic.read();
    const offer = pick(live.filter(({ heldUntil }) => heldUntil !== null && heldUntil > clock.now));
    const other = pick(rows.filter(({ id }) => id !== offer?.id));
    if (offer === undefined || other === undefined) return;
    const { status } = await ask(desk, `/v1/waitlist/${offer.waitlistId}/accept`, { booking_id: other.id });
    if (status < 300) violations.push('another seat was accepted');
  };

  /** No seat that suits somebody is left, and no offer whose time is over. */
  const keepGoing = async (): Promise<void> => {
    await runWaitlist(deps, clock.now);
    const state = await clinic.read();
    for (const { heldUntil } of state.live)
      if (heldUntil !== null && heldUntil <= clock.now) violations.push('an offer outlives the job');
    for (const slot of clinic.freeSlots(clinicTime)) {
      const due = whomItSuits(state, slot, asked());
      if (due !== undefined)
        violations.push(`a seat of ${slot.scheduleTime} is left, and ${due.position} waits`);
    }
  };

  const order = async (): Promise<void> => {
    const inOrder = async () =>
      (await clinic.read()).entries
        .filter(({ endedAt, sessionId }) => endedAt === null && sessionId === clinic.sessionIds[0])
        .sort((a, b) => a.position - b.position)
        .map(({ id }) => id);
    const ids = await inOrder();
    const elsewhere = (await clinic.read()).entries.find(
      ({ endedAt, sessionId }) => endedAt === null && sessionId !== clinic.sessionIds[0],
    );
    const [id, before] = [pick(ids), random() < 0.2 ? elsewhere?.id : pick(ids)];
    if (id === undefined || before === undefined) return;
    const before_id = random() < 0.2 ? null : before;
    const isRefused = before_id !== null && !ids.includes(before_id);
    const { status } = await ask(desk, `/v1/admin/waitlist/${id}/move`, { before_id, reason: 'other' });
    const rest = ids.filter((one) => one !== id);
    const at = before_id === null ? rest.length : rest.indexOf(before_id);
    const expected = isRefused || before_id === id ? ids : rest.toSpliced(at, 0, id);
    if (status < 300 === isRefused || String(await inOrder()) !== String(expected))
      violations.push(`the list is not in the order that was asked for (${status})`);
  };

  const joinRefused = async (): Promise<void> => {
    await db.update(sessions).set({ retiredAt: 1 }).where(eq(sessions.id, clinic.sessionIds[1]));
    const member = pick(clinic.patients);
    const wish = { ...wished(clinic, random, member), session_id: clinic.sessionIds[1] };
    if ((await ask(member, '/v1/waitlist', wish)).status < 300)
      violations.push('a retired session is waited for');
  };

  /** Seats come free while offers are over and no job has run: their patients are as free as the others. */
  const giveBackLate = async (): Promise<void> => {
    await keepGoing();
    clock.now += 31 * minuteMs;
    for (let times = 0; times < 3; times++) await giveBackOne();
  };

  /** Nobody answers for a while: three offers in a row, and who got them waits no more. */
  const stayAway = async (): Promise<void> => {
    for (let times = 0; times < 3; times++) {
      clock.now += 31 * minuteMs;
      await runWaitlist(deps, clock.now);
    }
    const [one] = misjudged(await clinic.read());
    if (one !== undefined) violations.push(`an entry is ${one.endedAs} by the wrong number of silences`);
  };

  /** A process that stops ends no entry whose offer is still open. */
  const endOver = async (): Promise<void> => {
    clock.now += 3 * 24 * 60 * minuteMs;
    await runWaitlist(deps, clock.now, AbortSignal.abort());
    const { live, entries } = await clinic.read();
    const open = live.filter(({ heldUntil }) => heldUntil !== null);
    const ended = entries.filter(({ endedAt }) => endedAt !== null);
    if (open.some(({ waitlistId }) => ended.some(({ id }) => id === waitlistId)))
      violations.push('an entry ended while its offer was open');
    await runWaitlist(deps, clock.now);
    const left = await db.select().from(waitlistEntries);
    if (left.some(({ endedAt }) => endedAt === null)) violations.push('somebody waits for what is over');
  };

  await seriesBeyond();
  for (let steps = 0; steps < 6; steps++) {
    await bookOutside();
    if (random() < 0.7) await change();
    await giveBackOne();
    await giveBackOne();
    await order();
    await clinic.restore();
  }
  for (let tries = 0; tries < 3; tries++) await leaveMeanwhile();
  await shareRooms();
  await release();
  await keepGoing();
  await acceptAnother();
  await acceptBeyond('MAX_LIVE_BOOKINGS');
  await acceptBeyond('MAX_UNPROVED_BOOKINGS');
  await giveBackOne();
  await bookLapsed();
  await keepGoing();
  await bookLapsed();
  await giveBackLate();
  await stayAway();
  await joinRefused();
  await clinic.restore();
  await giveBackOne();
  await endOver();
  return violations.slice(0, 3);
};
