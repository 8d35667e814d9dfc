import { eq } from 'drizzle-orm';
import { scopes } from '../../src/core/endpoint/endpoint.ts';
import { apiKeys } from '../../src/core/tables/keys.ts';
import { bookingInput } from './clinic.ts';
import { createClinic } from './clinic-people.ts';
import { addKey } from './keys.ts';
import { createWorld } from './world.ts';

export const open = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  const clinic = await createClinic(world);
  const key = await addKey(world, scopes);
  return { world, clinic, key };
};
export type Opened = Awaited<ReturnType<typeof open>>;

export const bookAs = ({ world, clinic, key }: Opened, fields: Record<string, unknown> = {}, headers = {}) =>
  world.request('/v1/bookings', {
    token: key.token,
    headers,
    body: bookingInput(clinic.practice, { patient_id: clinic.patient.id, ...fields }),
  });

export const revoke = ({ world, key }: Opened) =>
  world.db.update(apiKeys).set({ revokedAt: world.clock.now }).where(eq(apiKeys.id, key.id));
