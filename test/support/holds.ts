import { bookingInput, createPractice } from './clinic.ts';
import { createWorld, type World } from './world.ts';

/** What turns logging in by a code on, and holds with it. */
export const codesOn = { LOGIN_BY_CODE: 'on', MAIL_API_URL: 'https://mail.example/send' };

type Practice = Awaited<ReturnType<typeof createPractice>>;

interface By {
  token?: string;
  secret?: string;
  address?: string;
}

export const headersOf = ({ secret, address }: By) => ({
  ...(secret !== undefined && { 'X-Hold-Secret': secret }),
  ...(address !== undefined && { 'X-Test-Address': address }),
});

/** Holds Monday 09:00 of the practice unless said otherwise. */
export const hold = (
  world: World,
  practice: Practice,
  { token, ...by }: By = {},
  fields: Record<string, unknown> = {},
) => {
  const { notes: _, ...body } = bookingInput(practice, fields);
  return world.request('/v1/holds', {
    body,
    headers: headersOf(by),
    ...(token !== undefined && { token }),
  });
};

/** Books the same slot, with a hold if a secret is given. */
export const bookHeld = (
  world: World,
  practice: Practice,
  { token, ...by }: By,
  fields: Record<string, unknown> = {},
) =>
  world.request('/v1/bookings', {
    body: bookingInput(practice, fields),
    headers: headersOf(by),
    ...(token !== undefined && { token }),
  });

/** A clinic that holds slots, and its practice. */
export const createHolding = async (
  settings: Record<string, string> = {},
  schedule: Parameters<typeof createPractice>[1] = {},
) => {
  const world = await createWorld({ ...codesOn, ...settings });
  return { world, practice: await createPractice(world, schedule) };
};

/** The free seats of a slot by the list, 0 where it is not listed. */
export const seatsListed = async (world: World, { doctorId }: Practice, time = '09:00:00') => {
  const { body } = await world.request(`/v1/doctors/${doctorId}/slots?from=2026-11-23&to=2026-11-23`);
  const slots = body.data as { schedule_time: string; remaining: number }[];
  return slots.find(({ schedule_time }) => schedule_time === time)?.remaining ?? 0;
};
