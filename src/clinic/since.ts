import type { ClinicTime } from './time.ts';

const isDate = /^\d{4}-\d\d-\d\d$/;

/** The instant that `updated_since` names: its own, or the beginning of its date; 0 where nothing was asked. */
export const instantSince = (clinicTime: Pick<ClinicTime, 'startOf'>, text: string | undefined): number => {
  if (text === undefined) return 0;
  return isDate.test(text) ? clinicTime.startOf(text) : Date.parse(text.toUpperCase());
};
