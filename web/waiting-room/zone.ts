import { keep, kept } from '../shared/preferences.ts';
import { clinicZone, timeOf } from '../shared/time.ts';

const name = 'zona';

/** A screen that is loaded again without the service still shows the clock of its clinic. */
export const recallZone = (): void => {
  const zone = kept(name);
  if (zone === null) return;
  try {
    timeOf(0, zone);
    clinicZone.value = zone;
  } catch {
    // If this browser does not know the stored zone, the first answer sets it.
  }
};

export const noteZone = (zone: string): void => {
  clinicZone.value = zone;
  if (kept(name) !== zone) keep(name, zone);
};
