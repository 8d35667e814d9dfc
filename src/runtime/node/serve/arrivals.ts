import type { Server } from 'node:net';

/** Counts the connections that a server has accepted. */
export interface Arrivals {
  of: (server: Server) => void;
  count: () => number;
}

export const watchArrivals = (): Arrivals => {
  let arrived = 0;
  return {
    of: (server) => {
      server.on('connection', () => {
        arrived += 1;
      });
    },
    count: () => arrived,
  };
};
