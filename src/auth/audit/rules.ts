/** Who changes something, in which request and when. */
export interface Author {
  actorId: string;
  deviceLoginId: string;
  requestId: string;
  now: number;
}

/** The names of the fields that a change gave, for the trail: never what they hold. */
export const fieldsIn = ({ version: _, ...given }: Readonly<Record<string, unknown>>): string =>
  Object.keys(given)
    .filter((name) => given[name] !== undefined)
    .join(',');
