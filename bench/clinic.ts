export const secret = 'a-secret-of-the-benchmark-and-of-nothing-else-0123456789';

export const patientCount = 9_000;
export const doctorCount = 50;
export const slotMinutes = 5;
export const slotsPerDay = 1_440 / slotMinutes;
export const dayMs = 86_400_000;

export const idOf = (kind: number, number: number): string =>
  `be7c${String(kind).padStart(4, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const patientId = (at: number) => idOf(3, at);
/** The desk, whose login follows those of the patients, and the people without an account who come tomorrow. */
export const deskId = idOf(9, 1);
export const expectedCount = 60;
export const expectedId = (at: number) => idOf(10, at);
export const loginId = (at: number) => idOf(5, at);
export const doctorId = (at: number) => idOf(1, at);
/** The doctor with the hours of a usual practice: 16 slots a day. */
export const listedDoctorId = doctorId(doctorCount);
export const sessionId = idOf(2, 1);

export function* count(to: number): Generator<number> {
  for (let at = 0; at < to; at++) yield at;
}
