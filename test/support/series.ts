import { bookings } from '../../src/core/tables/bookings.ts';
import { bookingInput } from './clinic.ts';
import { createClinic } from './clinic-people.ts';
import { createWorld, type Got, type World } from './world.ts';

export type Clinic = Awaited<ReturnType<typeof createClinic>>;

export const start = async (settings: Record<string, string> = {}, now?: number) => {
  const world = await createWorld(settings, now);
  return { world, clinic: await createClinic(world) };
};

const inSeries = (clinic: Clinic, fields: Record<string, unknown> = {}) =>
  bookingInput(clinic.practice, { every_days: 7, count: 4, ...fields });

export const ask = (
  world: World,
  clinic: Clinic,
  fields: Record<string, unknown> = {},
  token = clinic.patient.token,
  headers: Record<string, string> = {},
) => world.request('/v1/bookings/series', { token, body: inSeries(clinic, fields), headers });

export const second = { schedule_date: '2026-11-30' };
export const resultsOf = ({ body }: Got) =>
  (body.data ?? body).results.map((one: { result: string }) => one.result).join(' ');

export const countOf = async (world: World) => (await world.db.select().from(bookings)).length;
