type Fetch<Args extends unknown[]> = (...args: Args) => Response | Promise<Response>;

/** Counts the requests that are worked on, also those whose clients are gone: no answer of theirs is waited for. */
export const trackHandlers = <Args extends unknown[]>(fetch: Fetch<Args>) => {
  let running = 0;
  let resolveIdle = () => {};
  const ended = (): void => {
    running -= 1;
    if (running === 0) resolveIdle();
  };
  return {
    fetch: (...args: Args): Response | Promise<Response> => {
      const answer = fetch(...args);
      if (!(answer instanceof Promise)) return answer;
      running += 1;
      answer.then(ended, ended);
      return answer;
    },
    /** Resolves when none is worked on. */
    idle: (): Promise<void> =>
      new Promise((resolve) => {
        resolveIdle = resolve;
        if (running === 0) resolve();
      }),
  };
};
