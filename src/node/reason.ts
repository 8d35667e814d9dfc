/** What went wrong, in words for whoever started it: never a statement, nor the parameters that it quotes. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const isQuery = 'query' in error && 'params' in error;
  return isQuery && error.cause !== undefined ? reasonOf(error.cause) : error.message;
};
