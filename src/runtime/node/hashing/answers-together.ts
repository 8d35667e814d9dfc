/** The first of these answers waits for two more hashes at most. */
export const mostAnswersTogether = 3;

/**
 * Does a job and all jobs that have arrived by then, in order. While two or more wait, the answers are collected and
 * sent together: each answer wakes the main thread and the one that commits, and their caches were emptied by a hash of
 * 19 MiB. One job is left when answers are sent, so that hashing continues while the next jobs are made.
 * @param takeArrived the jobs that have arrived since the last call
 * @param give called with one to `mostAnswersTogether` answers
 */
export const answerTogether = <Job, Answer>(
  first: Job,
  takeArrived: () => readonly Job[],
  doJob: (job: Job) => Answer,
  give: (answers: Answer[]) => void,
): void => {
  const waiting = [first, ...takeArrived()];
  let answers: Answer[] = [];
  for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
    answers.push(doJob(job));
    waiting.push(...takeArrived());
    if (waiting.length >= 2 && answers.length < mostAnswersTogether) continue;
    give(answers);
    answers = [];
  }
};
