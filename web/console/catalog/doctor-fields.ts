import { type DoctorField, doctorFields } from '../../shared/doctor.ts';
import { setup } from '../words/settings.ts';

export const ofEachDoctorField = <T>(of: (field: DoctorField) => T) =>
  Object.fromEntries(doctorFields.map((field) => [field, of(field)])) as Record<DoctorField, T>;

/** Each label has the field's name. */
export const doctorLabels = () => ofEachDoctorField((field) => setup.value.doctors[field]);
