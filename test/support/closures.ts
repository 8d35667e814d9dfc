import { createClosure } from './clinic.ts';
import { type Clinic, createClinic } from './clinic-people.ts';
import { createWorld, type World } from './world.ts';

export const monday = '2026-11-23';

export const setUp = async (schedule = {}) => {
  const world = await createWorld();
  const clinic = await createClinic(world, schedule);
  return { world, clinic };
};

export const close = (world: World, clinic: Clinic, fields = {}) =>
  createClosure(world, { startDate: monday, doctorId: clinic.practice.doctorId, ...fields });

export const resolve = (
  world: World,
  who: { token: string },
  id: string,
  body: object,
  headers: Record<string, string> = {},
) => world.request(`/v1/admin/closures/${id}/resolve`, { method: 'POST', token: who.token, body, headers });
