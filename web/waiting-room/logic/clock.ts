/** The clock of the screen's rules: an argument, so that a test can set it. */
export interface Clock {
  /** Milliseconds that only grow, also if the device's own clock is changed. */
  now: () => number;
  /** Calls back once; returns a function that cancels it. */
  after: (ms: number, then: () => void) => () => void;
}
