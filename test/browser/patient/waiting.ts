import assert from 'node:assert/strict';
import { bookFor, clinicDate, freeSlots, makePractice, type Practice } from '../support/clinic.ts';
import { call, newPatient } from '../support/people.ts';
import type { Stage } from '../support/stage.ts';

type Slot = Awaited<ReturnType<typeof freeSlots>>[number];
type Patient = Awaited<ReturnType<typeof newPatient>>;

/** A day whose only seat is taken, by somebody who can let it go. */
export const fullDay = async ({ url }: Stage, date = clinicDate(2)) => {
  const hours = { start_time: '10:00:00', end_time: '10:30:00' };
  const practice = await makePractice(url, 1, 'manual', hours);
  const [slot] = await freeSlots(url, practice, date);
  assert.ok(slot !== undefined);
  return { practice, slot, ...(await taken(url, practice, slot)) };
};

/** Somebody's booking of a slot, and how they give it back. */
export const taken = async (url: string, practice: Practice, slot: Slot) => {
  const holder = await newPatient(url);
  const { id } = await bookFor(url, holder.token, practice, slot);
  const giveBack = async (): Promise<void> => {
    const { status } = await call(url, 'POST', `/v1/bookings/${id}/cancel`, {
      token: holder.token,
      body: {},
    });
    assert.equal(status, 200);
  };
  return { giveBack };
};

/** Puts a patient on the waitlist for the day of a slot. */
export const waitFor = async (url: string, { token }: Patient, { doctor, session }: Practice, slot: Slot) => {
  const { schedule_date: from } = slot;
  const body = { session_id: session, doctor_id: doctor, from, to: from };
  const { status, body: answer } = await call(url, 'POST', '/v1/waitlist', { token, body });
  assert.equal(status, 201, JSON.stringify(answer));
};

/** A patient's waitlist entries, as the service answers them. */
export const waitlistOf = async (url: string, { token }: Patient) =>
  (await call(url, 'GET', '/v1/waitlist', { token })).body.data as {
    patient: { name: string };
    from: string;
    to: string;
    earliest_time: string | null;
    offer: { booking_id: string } | null;
  }[];

/** A patient for whom a seat is held now. */
export const offered = async (stage: Stage) => {
  const day = await fullDay(stage);
  const person = await newPatient(stage.url);
  await waitFor(stage.url, person, day.practice, day.slot);
  await day.giveBack();
  const [entry] = await waitlistOf(stage.url, person);
  assert.ok(entry?.offer, 'a seat is offered');
  return { ...day, person, booking: entry.offer.booking_id };
};
