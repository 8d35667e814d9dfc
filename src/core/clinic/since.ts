import type { ClinicTime } from './time.ts';

const isDate = /^\d{4}-\d\d-\d\d$/;

/** The instant of `updated_since`: its own, or the beginning of its date; 0 if it is not set. */
export const instantSince = (clinicTime: Pick<ClinicTime, 'startOf'>, text: string | undefined): number => {
  if (text === undefined) return 0;
  return isDate.test(text) ? clinicTime.startOf(text) : Date.parse(text.toUpperCase());
};
