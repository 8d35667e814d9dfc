/** Time as the screen's rules take it: handed in, so that a test turns it. */
export interface Clock {
  /** Milliseconds that only grow, whatever happens to the device's own clock. */
  now: () => number;
  /** Calls back once; gives what takes it back. */
  after: (ms: number, then: () => void) => () => void;
}
