/** Whether a date of birth can be true on a day. */
export const isBirthDate = (birthDate: string, today: string): boolean =>
  birthDate <= today && birthDate >= '1900-01-01';
