import { isDate } from './time.ts';

const dates = ['tanggal', 'dari', 'sampai', 'sejak'];

/** The parameters of an address, without an invalid date: a page then uses the day on which it was opened. */
export const understood = (query: Record<string, string>): Partial<Record<string, string>> =>
  Object.fromEntries(Object.entries(query).filter(([name, value]) => !dates.includes(name) || isDate(value)));
