import { ensureClinic } from '../../src/core/clinic/row.ts';
import { createClinicTime } from '../../src/core/clinic/time.ts';
import { rezone } from '../../src/modules/booking/rezone/rezone.ts';
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
