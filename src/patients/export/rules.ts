// Pure: how much of a record somebody is given who asks for a copy of their data.

/** The most that one file holds: what an account grows to in decades, and few enough to be put together at once. */
export const most = { bookings: 5_000, events: 5_000, others: 500 } as const;

const adultAge = 18;

const isMinor = (birthDate: string | null, today: string): boolean =>
  birthDate !== null && `${Number(today.slice(0, 4)) - adultAge}${today.slice(4)}` < birthDate;

/**
 * Whether a record is the person's to see as a whole, numbers and the clinic's notes included: the own one, and that of
 * a child under age. Others of the family ask for theirs themselves: here they stand as the family sees them.
 */
export const isWhole = (
  { isOwn, relation, birthDate }: { isOwn: boolean; relation: string | null; birthDate: string | null },
  today: string,
): boolean => isOwn || (relation === 'child' && isMinor(birthDate, today));
