const lookEveryMs = 500;

/**
 * npm passes SIGTERM only to its shell. The shell ends, and the script would go on serving: a script that npm runs under
 * the given name therefore ends as if it had received the signal.
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
  // If all of npm's processes got the signal, this one did too: a second signal would cut off its last answers.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => clearInterval(timer));
};
