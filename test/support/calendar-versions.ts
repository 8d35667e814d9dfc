import { eq } from 'drizzle-orm';
import { clinic, doctors } from '../../src/core/tables/catalog.ts';
import type { World } from './world.ts';

export const versions = async ({ db }: World, doctorId: string) => {
  const [doctor] = await db.select().from(doctors).where(eq(doctors.id, doctorId));
  const [row] = await db.select().from(clinic);
  return [doctor?.calendarVersion ?? 0, row?.calendarVersion ?? 0];
};
