import type { Server } from 'node:net';

/** Tells whether connections are coming in: Node lets in one at each turn of the event loop. */
export const watchArrivals = () => {
  let arrived = false;
  return {
    of: (server: Server): void => {
      server.on('connection', () => {
        arrived = true;
      });
    },
    /** Whether one came in since this was asked last. */
    areArriving: (): boolean => {
      const since = arrived;
      arrived = false;
      return since;
    },
  };
};
