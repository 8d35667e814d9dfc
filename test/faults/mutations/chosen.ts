/**
 * The mutants that CI examines, always the same: guards of seats, keys, erasure and offers, each of which is noticed
 * within seconds. `npm run faults:mutations` examines all.
 */
export const chosen: readonly string[] = [
  'all in one step',
  'a seat is free',
  'the doctor is free',
  'the login lives',
  'not written yet: a seat',
  'the event is written',
  'nothing is left of whom a record was',
  'a code is good once',
];
