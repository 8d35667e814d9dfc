import { bookingInput, createPractice } from './clinic.ts';
import { createPerson } from './people.ts';
import type { Sent, World } from './world.ts';

/** A practice with everybody who can have to do with its bookings. */
export const createClinic = async (world: World, schedule: Parameters<typeof createPractice>[1] = {}) => {
  const practice = await createPractice(world, schedule);
  const others = await createPractice(world);
  return {
    practice,
    others,
    patient: await createPerson(world),
    stranger: await createPerson(world),
    staff: await createPerson(world, 'staff'),
    admin: await createPerson(world, 'admin'),
    doctor: await createPerson(world, 'doctor', practice.doctorId),
    otherDoctor: await createPerson(world, 'doctor', others.doctorId),
  };
};

export type Clinic = Awaited<ReturnType<typeof createClinic>>;

/** Books for the clinic's patient (Monday 09:00 unless said otherwise) and gives the id. */
export const book = async (
  world: World,
  clinic: Clinic,
  fields: Record<string, unknown> = {},
  token = clinic.patient.token,
): Promise<string> => {
  const { body } = await world.request('/v1/bookings', {
    token,
    body: bookingInput(clinic.practice, fields),
  });
  if (body.status !== 'success') throw new Error(`Not booked: ${JSON.stringify(body)}`);
  return body.data.id;
};

/** Asks for a verb on a booking. */
export const act = (
  world: World,
  who: { token: string },
  id: string,
  verb: string,
  body: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) => {
  const sent: Sent = { method: 'POST', token: who.token, body, headers };
  return world.request(`/v1/bookings/${id}/${verb}`, sent);
};

export const detail = async (world: World, who: { token: string }, id: string) =>
  (await world.request(`/v1/bookings/${id}`, { token: who.token })).body.data;
