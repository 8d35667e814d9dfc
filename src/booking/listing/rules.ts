// Pure: what the clinic's lists ask for, in the words of the interface.

export const bookingStatuses = ['waiting', 'approved', 'canceled'] as const;

/** How far the visit of a booking that stands is. */
export const listedVisits = ['expected', 'checked_in', 'called', 'completed', 'no_show'] as const;

export const longestListDays = 92;

type Counted = (typeof bookingStatuses)[number] | (typeof listedVisits)[number];
export type Counts = Record<Counted, number>;

export const noCounts: Counts = {
  waiting: 0,
  approved: 0,
  canceled: 0,
  expected: 0,
  checked_in: 0,
  called: 0,
  completed: 0,
  no_show: 0,
};

/** The digits of a phone number as it was typed, without leading zeros, which stand for the country code. */
export const phoneDigits = (q: string): string => {
  const digits = q.replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits.length >= 3 ? digits : '';
};
