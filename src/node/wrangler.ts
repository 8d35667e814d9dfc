import { spawnSync } from 'node:child_process';
import type { Command } from 'commander';

export interface D1Options {
  d1?: true;
  remote?: true;
}

/** Lets a command work on D1 instead of the database of DATABASE_URL. */
export const addD1Options = (command: Command): Command =>
  command
    .option('--d1', 'the local D1 database of this folder, by way of wrangler')
    .option('--remote', 'with --d1: the deployed D1 database')
    .hook('preAction', (own) => {
      const { d1, remote } = own.opts<D1Options>();
      if (remote && !d1) throw new Error('--remote goes with --d1.');
    });

/** Runs wrangler; with `shown` its words and questions reach the terminal. */
export const runWrangler = (options: readonly string[], { shown = false } = {}) => {
  const { error, ...result } = spawnSync('wrangler', options, {
    encoding: 'utf8',
    stdio: shown ? 'inherit' : 'pipe',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  });
  if (error) throw new Error(`wrangler cannot be run: ${error.message}`);
  return result;
};

export const placeOf = (remote: boolean | undefined) => (remote ? '--remote' : '--local');

/** Asks D1 and gives the rows of each statement; null where the database refuses the question. */
export const askD1 = (statements: string, remote: boolean): Record<string, unknown>[][] | null => {
  const command = ['d1', 'execute', 'DB', placeOf(remote), '--yes', '--json', '--command', statements];
  const { status, stdout } = runWrangler(command);
  if (status !== 0) return null;
  const answer = JSON.parse(stdout) as { results: Record<string, unknown>[] }[];
  return answer.map(({ results }) => results);
};
