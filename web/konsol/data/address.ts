import { useLocation } from 'preact-iso';

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
  return { query, set };
};
