// Pure: which part of a record a person gets in a copy of their data.

/** The limit of one file: enough for decades of an account, and small enough to build at once. */
export const most = { bookings: 5_000, events: 5_000, others: 500 } as const;

const adultAge = 18;

const isMinor = (birthDate: string | null, today: string): boolean =>
  birthDate !== null && `${Number(today.slice(0, 4)) - adultAge}${today.slice(4)}` < birthDate;

/**
 * Whether the person may see a whole record, with numbers and the clinic's notes: their own, and that of a minor child.
 * Other family members request their own: here they appear with the fields that the family sees.
 */
export const isWhole = (
  { isOwn, relation, birthDate }: { isOwn: boolean; relation: string | null; birthDate: string | null },
  today: string,
): boolean => isOwn || (relation === 'child' && isMinor(birthDate, today));
