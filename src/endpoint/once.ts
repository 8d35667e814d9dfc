/** Makes a value for each set of bounds when it is first asked for, and keeps it. */
export const onceEach = <A extends (number | string)[], V>(
  make: (...bounds: A) => V,
): ((...bounds: A) => V) => {
  const made = new Map<string, V>();
  return (...bounds) => {
    const key = bounds.join();
    const value = made.get(key) ?? make(...bounds);
    made.set(key, value);
    return value;
  };
};

/** Makes a value when it is first asked for, and keeps it. */
export const once = <V extends object>(make: () => V): (() => V) => {
  let made: V | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
