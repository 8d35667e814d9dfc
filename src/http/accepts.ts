import { parseAccept } from 'hono/utils/accept';

/** How much an Accept header likes a media type: what it says most closely counts (RFC 9110, 12.5.1). */
const likingOf = (accepted: ReturnType<typeof parseAccept>, type: string): number => {
  const forms = [type, `${type.split('/')[0]}/*`, '*/*'];
  const known = forms.flatMap((form) => accepted.filter((one) => one.type.toLowerCase() === form));
  return known[0]?.q ?? 0;
};

/** The media type of these that an Accept header likes best; the first one where it likes none better. */
export const preferred = <const T extends string>(
  header: string | undefined,
  [first, ...others]: readonly [T, ...T[]],
): T => {
  if (header === undefined) return first;
  const accepted = parseAccept(header);
  return others.reduce(
    (best, type) => (likingOf(accepted, type) > likingOf(accepted, best) ? type : best),
    first,
  );
};
