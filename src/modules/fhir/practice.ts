// What a doctor practises, in the words of FHIR: everything here that names this field of a doctor.

import { doctors } from '../../core/tables/catalog.ts';

/** The name of the element, and of the parameter that searches by it. */
export const practiceName = 'specialty';
/** Where its value is in a resource. */
export const practicePath = `${practiceName}.text` as const;

export const practiceColumn = doctors.specialty;

/** Of a doctor's row; empty without one. */
export const readPractice = (doctor: { specialty: string } | undefined): string => doctor?.specialty ?? '';

/** The element of a resource; FHIR knows no empty text. */
export const practiceElement = (practice: string) => ({
  [practiceName]: practice.trim() ? [{ text: practice }] : undefined,
});
