import { useLocation } from 'preact-iso';
import { isDate } from '../../shared/time.ts';

const dates = ['tanggal', 'dari', 'sampai'];

/** What an address says, without what is no date where one belongs: a page goes on with the day that it begins with. */
const understood = (query: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name, value]) => !dates.includes(name) || isDate(value)));

/** What a page keeps in its address: a reload, a second tab and the way back find it again. */
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
