import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorName, type Logger } from '../../../core/log.ts';
import { type EndingSignal, handleSignals, interruptedCode } from './early-end.ts';
import type { Tracked } from './tracked.ts';

/** Long enough to read the requests that the kernel has already received. */
const lastReadMs = 50;
const maxSilenceMs = 1000;
const maxMsToFinish = 15_000;
const maxMsToClose = 30_000;

/** Closes only the listener; http's own close would also cut connections whose request is still unread. */
const closeListener = (server: Server): Promise<void> =>
  new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));

/** What to end at the signal, and what to close last. */
interface Ending {
  end: () => Promise<unknown>;
  close: () => Promise<void>;
}

/** On SIGTERM or SIGINT: no new connections, every received request is answered, then the database is closed. */
export const stopGracefully = (
  server: Server,
  tracked: Tracked,
  log: Logger,
  { end, close }: Ending,
): void => {
  const finishConnections = async (): Promise<void> => {
    tracked.endConnections();
    await sleep(lastReadMs);
    let isClosed = false;
    const closed = closeListener(server).then(() => {
      isClosed = true;
    });
    const closedAt = performance.now();
    while (!isClosed) {
      await Promise.race([closed, sleep(lastReadMs)]);
      const waitedMs = performance.now() - closedAt;
      server.closeIdleConnections();
      // Otherwise connections without a request would delay the stop.
      if ((!tracked.isAnswering() && waitedMs > maxSilenceMs) || waitedMs > maxMsToFinish)
        server.closeAllConnections();
    }
  };

  let stopping = false;
  const stop = async (signal: EndingSignal): Promise<void> => {
    // A supervisor may send SIGTERM twice; a second SIGINT comes from a person who wants to stop at once.
    if (stopping && signal === 'SIGINT') process.exit(interruptedCode);
    if (stopping) return;
    stopping = true;
    log.info('stopping', { signal });
    setTimeout(() => process.exit(1), maxMsToClose).unref();
    try {
      const ended = end();
      await finishConnections();
      await tracked.idle();
      await ended;
      await close();
      log.info('stopped');
      // Abandoned work, such as a job that does not return, must not keep the process alive.
      setTimeout(() => process.exit(), maxSilenceMs).unref();
    } catch (error) {
      log.error('stopped badly', { cause: errorName(error) });
      process.exitCode = 1;
    }
  };
  handleSignals((signal) => void stop(signal));
};
