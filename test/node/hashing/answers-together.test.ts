import fc from 'fast-check';
import { expect, it } from 'vitest';
import { answerTogether, mostAnswersTogether } from '../../../src/runtime/node/hashing/answers-together.ts';

/** The answers when these jobs arrive during the first job, the second and so on. */
const givenWhile = (arrivals: readonly (readonly number[])[]): number[][] => {
  const given: number[][] = [];
  // The first is asked before any job is done: nothing has arrived then.
  const toCome = [[], ...arrivals];
  answerTogether(
    0,
    () => toCome.shift() ?? [],
    (job) => job,
    (answers) => given.push(answers),
  );
  return given;
};

/** How many of these arrive before a thread that began with one job has nothing left to do. */
const sumWhileBusy = (arriving: readonly number[]): number => {
  let jobs = 0;
  for (let done = 0; done <= jobs; done++) jobs += arriving[done] ?? 0;
  return jobs;
};

it('gives the answer of a job at once where none or one waits behind it', () => {
  expect(givenWhile([])).toEqual([[0]]);
  expect(givenWhile([[1]])).toEqual([[0], [1]]);
});

it('gives answers together while two or more wait, and leaves one to do while the next jobs are made', () => {
  expect(givenWhile([[1, 2, 3]])).toEqual([[0, 1, 2], [3]]);
});

it('keeps none longer than for two more hashes, however many wait', () => {
  expect(givenWhile([[1, 2, 3, 4, 5, 6, 7, 8, 9]])).toEqual([[0, 1, 2], [3, 4, 5], [6, 7, 8], [9]]);
});

it('answers each job once and in order, whenever it arrives', () => {
  const counts = fc.array(fc.nat({ max: 6 }), { maxLength: 40 });
  fc.assert(
    fc.property(counts, (arriving) => {
      let jobs = 0;
      const given = givenWhile(arriving.map((count) => Array.from({ length: count }, () => ++jobs)));
      // Jobs that arrive after the last answer come with a new call.
      const arrived = given.flat().length;
      expect(given.flat()).toEqual(Array.from({ length: arrived }, (_, nth) => nth));
      expect(arrived).toBe(1 + sumWhileBusy(arriving));
      for (const { length } of given) expect(length).toBeLessThanOrEqual(mostAnswersTogether);
    }),
  );
});
