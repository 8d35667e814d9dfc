import { setup } from '../words/settings.ts';

/** The text fields of a doctor, in the order of a form; each label has the field's name. */
export const doctorFields = ['title', 'name', 'specialty'] as const;
export type DoctorField = (typeof doctorFields)[number];

export const ofEachDoctorField = <T>(of: (field: DoctorField) => T) =>
  Object.fromEntries(doctorFields.map((field) => [field, of(field)])) as Record<DoctorField, T>;

export const doctorLabels = () => ofEachDoctorField((field) => setup.value.doctors[field]);
