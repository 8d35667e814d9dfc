import { useLocation } from 'preact-iso';
import { understood } from '../../shared/address.ts';

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
