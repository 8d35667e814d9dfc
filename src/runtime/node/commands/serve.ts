import type { Command } from 'commander';
import { documented } from './documented.ts';

/** `serve`: serves a clinic, in production unless NODE_ENV says otherwise. */
export const addServe = (program: Command, serve: () => Promise<void>): void => {
  const command = program
    .command('serve')
    .summary('serve a clinic')
    .description(
      'Serves the API, its reference and the pages, until SIGTERM or SIGINT. It is production unless NODE_ENV says otherwise: it wants JWT_SECRET and DATA_KEY, which `janji init` draws, and makes no demo clinic. The database is made and migrated where it is not yet.',
    )
    .action(() => {
      process.env.NODE_ENV ||= 'production';
      return serve();
    });
  documented(command, {
    examples: ['serve', '--settings /etc/janji/janji.env serve'],
    exitCodes:
      '0 stopped in order, 78 not started before something is changed, such as a setting, 1 any other failure',
    answers: false,
  });
};
