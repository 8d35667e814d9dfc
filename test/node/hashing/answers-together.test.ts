import fc from 'fast-check';
import { expect, it } from 'vitest';
import { answerTogether, mostAnswersTogether } from '../../../src/node/hashing/answers-together.ts';

/** What is given when these jobs arrive during the first job, the second and so on. */
const givenWhile = (arrivals: readonly (readonly number[])[], first = 0): number[][] => {
  const given: number[][] = [];
  // The first is asked before any job is done: nothing has arrived then.
  const toCome = [[], ...arrivals];
  answerTogether(
    first,
    () => toCome.shift() ?? [],
    (job) => job,
    (answers) => given.push(answers),
  );
  return given;
};

it('gives the answer of a job at once where none or one waits behind it', () => {
  expect(givenWhile([])).toEqual([[0]]);
  expect(givenWhile([[1]])).toEqual([[0], [1]]);
});

it('gives answers together while two or more wait, and leaves one to do while the next jobs are made', () => {
  expect(givenWhile([[1, 2, 3]])).toEqual([[0, 1, 2], [3]]);
});

it('keeps none longer than for three more hashes, however many wait', () => {
  expect(givenWhile([[1, 2, 3, 4, 5, 6, 7, 8, 9]])).toEqual([[0, 1, 2, 3], [4, 5, 6, 7], [8], [9]]);
});

it('answers each job once and in order, whenever it arrives', () => {
  const counts = fc.array(fc.nat({ max: 6 }), { maxLength: 40 });
  fc.assert(
    fc.property(counts, (arriving) => {
      let jobs = 0;
      let done = 0;
      let owed = 0;
      const given: number[][] = [];
      const arrive = () => Array.from({ length: arriving.shift() ?? 0 }, () => ++jobs);
      answerTogether(
        0,
        arrive,
        (job) => {
          done += 1;
          owed += 1;
          return job;
        },
        (answers) => {
          owed = 0;
          given.push(answers);
        },
      );
      expect(given.flat()).toEqual(Array.from({ length: jobs + 1 }, (_, nth) => nth));
      expect([done, owed]).toEqual([jobs + 1, 0]);
      for (const { length } of given) expect(length).toBeLessThanOrEqual(mostAnswersTogether);
    }),
  );
});
