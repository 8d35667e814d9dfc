import { Failure } from '../../../core/endpoint/errors.ts';
import type { Bookable } from '../../patients/record/queries.ts';

const wrongPatient = (rule: 'required' | 'not_found') =>
  new Failure('validation_failed', { issues: [{ path: 'patient_id', rule }] });

/** For whom an account acts: itself, unless it names one of the family; others are refused like unknown ones. */
export const ownOrFamily = (accountId: string, named: string | undefined, patient: Bookable | undefined) => {
  if (named === undefined || patient?.id === accountId) return { patientId: accountId, familyAccount: null };
  if (!patient?.isFamily) throw wrongPatient('not_found');
  return { patientId: patient.id, familyAccount: accountId };
};

/** For whom the clinic acts: a patient whom it has to name, and none of its own people. */
export const patientOfClinic = (named: string | undefined, patient: Bookable | undefined) => {
  if (named === undefined) throw wrongPatient('required');
  if (patient === undefined || patient.worksHere) throw wrongPatient('not_found');
  return { patientId: patient.id, familyAccount: null };
};
