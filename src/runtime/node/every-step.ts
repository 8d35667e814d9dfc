/** Does each of some steps, one after another, whichever of them fail; throws the first error afterwards. */
export const doEveryStep = async (steps: readonly ((() => unknown) | undefined)[]): Promise<void> => {
  const errors: unknown[] = [];
  for (const step of steps)
    try {
      await step?.();
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw errors[0];
};
