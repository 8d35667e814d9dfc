const lookEveryMs = 500;

/**
 * npm hands SIGTERM to its shell alone, which dies of it and would leave a script serving behind: one that npm runs under
 * the given name ends as if the signal had reached it.
 */
export const endWithNpm = (script: string): void => {
  if (process.env.npm_lifecycle_event !== script) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, lookEveryMs);
  timer.unref();
  // Whoever signals all of npm's processes has reached this one: a second signal would cut its last answers short.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => clearInterval(timer));
};
