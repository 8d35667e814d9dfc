/** Makes a value when it is first asked for, and caches it. */
export const once = <V extends object>(make: () => V): (() => V) => {
  let made: V | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
