const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** A document, or a part of it, in which no object may have a field that is not named. */
export const closed = <T>(part: T): T => {
  if (Array.isArray(part)) return part.map(closed) as T;
  if (!isObject(part)) return part;
  const parts = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]));
  const isOpen = part.type === 'object' && isObject(part.properties) && !('additionalProperties' in part);
  return (isOpen ? { ...parts, additionalProperties: false } : parts) as T;
};
