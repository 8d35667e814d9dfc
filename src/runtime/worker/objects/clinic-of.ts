import { locationHint } from '../../../modules/clinics/location.ts';
import type { ClinicEntry } from '../../../modules/clinics/queries.ts';
import type { ClinicCalls, ObjectBindings } from './calls.ts';

/** The object of a clinic; it is made where the hint says when it is first called. */
export const clinicOf = (
  { CLINIC }: ObjectBindings,
  { id, timeZone }: Pick<ClinicEntry, 'id' | 'timeZone'>,
): ClinicCalls => {
  const hint = locationHint(timeZone);
  return CLINIC.get(CLINIC.idFromName(id), { ...(hint !== undefined && { locationHint: hint }) });
};
