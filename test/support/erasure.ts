import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { bookings } from '../../src/core/tables/bookings.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { act, createClinic } from './clinic-people.ts';
import { createWorld, type World } from './world.ts';

export interface Holder {
  id: string;
  token: string;
}

export const deleteAccount = (world: World, { token }: { token: string }) =>
  world.request('/v1/auth/account', { method: 'DELETE', token });

export const setUp = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  const clinic = await createClinic(world, { capacity: 5 });
  const addChild = async (who: Holder, fields: object = {}): Promise<string> => {
    const body = { name: 'Anak', birth_date: '2019-04-23', relation: 'child', ...fields };
    return (await world.request('/v1/family', { token: who.token, body })).body.data.id;
  };
  const recordOf = async (id: string) =>
    (await world.db.select().from(patients).where(eq(patients.id, id)))[0];
  const bookingOf = async (id: string) =>
    (await world.db.select().from(bookings).where(eq(bookings.id, id)))[0];
  /** A second parent, who claims the child at the desk. */
  const share = async (childId: string, who: Holder) => {
    const path = `/v1/patients/${childId}/claim-code`;
    const { code } = (await world.request(path, { method: 'POST', token: clinic.staff.token })).body.data;
    const body = { code, birth_date: '2019-04-23', relation: 'child' };
    expect((await world.request('/v1/family/claim', { token: who.token, body })).status).toBe(200);
  };
  const visit = async (id: string) => {
    for (const verb of ['check-in', 'complete'])
      expect((await act(world, clinic.staff, id, verb)).status).toBe(200);
  };
  return { world, clinic, addChild, recordOf, bookingOf, share, visit };
};
