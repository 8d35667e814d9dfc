/** Makes a value at its first use, and caches it. */
export const once = <V extends object>(make: () => V): (() => V) => {
  let made: V | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
