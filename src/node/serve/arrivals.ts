import type { Server } from 'node:net';

/** Counts the connections that a server has accepted. */
export const watchArrivals = () => {
  let arrived = 0;
  return {
    of: (server: Server): void => {
      server.on('connection', () => {
        arrived += 1;
      });
    },
    count: (): number => arrived,
  };
};
