/** Until when a file may be used. A thread that has it open looks at the same memory. */
export interface LeaseGate {
  /** What a thread makes its own view of the gate from. */
  readonly memory: SharedArrayBuffer;
  isOpen: () => boolean;
  /** Opens it until so many milliseconds after a moment. */
  openUntil: (moment: Moment, ms: number) => void;
  shut: () => void;
}

/** A moment on two clocks, in milliseconds. */
interface Moment {
  /** Never set by anybody, but it stands still while the computer sleeps. */
  steady: bigint;
  /** Goes on while the computer sleeps, but may be set. */
  wall: bigint;
}

export const readMoment = (): Moment => ({
  steady: process.hrtime.bigint() / 1_000_000n,
  wall: BigInt(Date.now()),
});

const ends = { steady: 0, wall: 1 };

/** A gate that is shut at first; it is open only while both clocks say so. */
export const createLeaseGate = (memory = new SharedArrayBuffer(16)): LeaseGate => {
  const until = new BigInt64Array(memory);
  return {
    memory,
    isOpen: () => {
      const { steady, wall } = readMoment();
      return steady < Atomics.load(until, ends.steady) && wall < Atomics.load(until, ends.wall);
    },
    openUntil: ({ steady, wall }, ms) => {
      Atomics.store(until, ends.wall, wall + BigInt(ms));
      Atomics.store(until, ends.steady, steady + BigInt(ms));
    },
    shut: () => void Atomics.store(until, ends.steady, 0n),
  };
};
