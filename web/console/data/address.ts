import { useLocation } from 'preact-iso';
import { isDate } from '../../shared/time.ts';

const dates = ['tanggal', 'dari', 'sampai'];

/** The parameters of an address, without an invalid date: a page then uses the day on which it was opened. */
const understood = (query: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name, value]) => !dates.includes(name) || isDate(value)));

/** The state that a page stores in its address: a reload, a second tab and the back button restore it. */
export const useAddress = () => {
  const { path, query, route } = useLocation();
  const set = (changes: Readonly<Record<string, string | null>>): void => {
    const next = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(changes))
      if (value === null || value === '') next.delete(name);
      else next.set(name, value);
    const text = next.toString();
    route(text === '' ? path : `${path}?${text}`, true);
  };
  return { query: understood(query), set };
};
