import type { ServerType } from '@hono/node-server';
import type { Logger } from '../deps.ts';

const mostMsToFinish = 15_000;

/** On SIGTERM or SIGINT: no new connections, every running request is answered, then the database is closed. */
export const stopGracefully = (server: ServerType, log: Logger, close: () => Promise<void>): void => {
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    log.info('stopping', { signal });
    const forced = setTimeout(
      () => 'closeAllConnections' in server && server.closeAllConnections(),
      mostMsToFinish,
    );
    server.close(() => {
      clearTimeout(forced);
      close().then(
        () => log.info('stopped'),
        () => {
          process.exitCode = 1;
        },
      );
    });
    if ('closeIdleConnections' in server) server.closeIdleConnections();
  };
  process.once('SIGTERM', () => stop('SIGTERM'));
  process.once('SIGINT', () => stop('SIGINT'));
};
