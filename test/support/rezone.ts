import { rezone } from '../../src/booking/rezone/rezone.ts';
import { ensureClinic } from '../../src/clinic/row.ts';
import { createClinicTime } from '../../src/clinic/time.ts';
import type { World } from './world.ts';

export const moveTo = (world: World, zone: string, maxBookings = 3) =>
  rezone(
    { db: world.db, clock: createClinicTime(zone), now: world.clock.now },
    { maxBookings, moved: () => {} },
  );

/** The same service, started again in another zone. */
export const restartIn = async (world: World, zone: string) => {
  await ensureClinic(world.db, zone);
  world.deps.clinicTime = createClinicTime(zone);
};
