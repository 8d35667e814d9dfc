import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Command } from 'commander';
import { withFolder } from '../database/cleared.ts';

export interface D1Options {
  d1?: true;
  remote?: true;
  persistTo?: string;
}

/** Which D1 database is meant: the deployed one, or the local one of this folder or of `persistTo`. */
export interface D1Place {
  remote: boolean;
  persistTo?: string | undefined;
  /** Another database of the Worker than its own. */
  binding?: typeof sandboxBinding;
}

const sandboxBinding = 'SANDBOX_DB';

/** Options that let a command use D1 instead of the database of DATABASE_URL. */
export const addD1Options = (command: Command): Command =>
  command
    .option('--d1', 'the local D1 database of this folder, by way of wrangler')
    .option('--remote', 'with --d1: the deployed D1 database')
    .option('--persist-to <folder>', 'with --d1: where the local D1 database lies, as for wrangler')
    .hook('preAction', (own) => {
      const { d1, remote, persistTo } = own.opts<D1Options>();
      if ((remote || persistTo !== undefined) && !d1)
        throw new Error('--remote and --persist-to go with --d1.');
    });

/** The D1 database that a command's options name; null if they do not name one. */
export const toPlace = ({ d1, remote, persistTo }: D1Options): D1Place | null =>
  d1 ? { remote: remote === true, persistTo } : null;

const readWorkerConfig = async () => {
  const { unstable_readConfig } = await import('wrangler');
  return unstable_readConfig({ config: 'wrangler.toml' }, { hideWarnings: true });
};

/** The variables that the Worker is deployed with, as wrangler.toml has them. */
export const workerVariables = async (): Promise<Record<string, unknown>> => (await readWorkerConfig()).vars;

/** The database of the Worker's sandbox; null if wrangler.toml binds none. */
export const findSandboxOnD1 = async (place: D1Place): Promise<D1Place | null> => {
  const { d1_databases } = await readWorkerConfig();
  return d1_databases.some((each: { binding: string }) => each.binding === sandboxBinding)
    ? { ...place, binding: sandboxBinding }
    : null;
};

const maxOutputBytes = 1_000_000_000;

/** Runs `wrangler d1 …` on a database, the one bound as DB unless the place names another; with `shown` its output and questions appear in the terminal. */
export const runOnD1 = (
  verb: readonly string[],
  { remote, persistTo, binding }: D1Place,
  options: readonly string[] = [],
  { shown = false } = {},
) => {
  const place = [
    remote ? '--remote' : '--local',
    ...(persistTo === undefined ? [] : ['--persist-to', persistTo]),
  ];
  const { error, ...result } = spawnSync('wrangler', ['d1', ...verb, binding ?? 'DB', ...place, ...options], {
    encoding: 'utf8',
    stdio: shown ? 'inherit' : 'pipe',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
    maxBuffer: maxOutputBytes,
  });
  if (error) throw new Error(`wrangler cannot be run: ${error.message}`);
  return result;
};

interface Answered {
  results: Record<string, unknown>[];
}

/** The rows of read-only statements, run by wrangler; null if the database refuses them. */
export const askD1 = (statements: readonly string[], place: D1Place): Answered[] | null => {
  const options = ['--yes', '--json', '--command', statements.join('\n')];
  const { status, stdout } = runOnD1(['execute'], place, options);
  return status === 0 ? (JSON.parse(stdout) as Answered[]) : null;
};

const constraint =
  /\b(?:UNIQUE|NOT NULL|CHECK|PRIMARY KEY|FOREIGN KEY) constraint failed(?:: (?!SQLITE_)\w+(?:\.\w+(?:, \w+\.\w+)*)?)?|\bno such table: \w+/;
const sqlError = /SQLITE_[A-Z_]+|syntax error|unrecognized token|incomplete input|\bno such\b/;

/**
 * Why wrangler failed, without the statements that it quotes: they may contain personal data or a hash. Of an SQL error
 * only the code and the constraint are shown.
 */
export const explainFailure = (coloured: string): string => {
  const printed = stripVTControlCharacters(coloured);
  const [line] = /(?<=\[ERROR\]|"text":)\s*.+/.exec(printed) ?? ['no reason was given'];
  if (!sqlError.test(printed)) return line.trim().slice(0, 160);
  return (constraint.exec(printed) ?? /SQLITE_[A-Z_]+/.exec(printed) ?? ['an error of SQL'])[0];
};

/** Runs a verb of `wrangler d1`; throws without quoting any data if it fails. */
export const orderD1 = (verb: string, place: D1Place, options: readonly string[]): void => {
  const { status, stdout, stderr } = runOnD1([verb], place, options);
  if (status !== 0) throw new Error(`D1 refused: ${explainFailure(`${stderr}\n${stdout}`)}`);
};

/** Executes a file of statements; on the deployed database all of them take effect, or none. */
export const executeFileOnD1 = (place: D1Place, file: string): void =>
  orderD1('execute', place, ['--yes', '--file', file]);

/** Executes statements through a file that only its owner can read. */
export const executeOnD1 = (place: D1Place, statements: readonly string[]): Promise<void> =>
  withFolder(async (folder) => {
    const file = join(folder, 'statements.sql');
    writeFileSync(file, `${statements.join('\n')}\n`, { mode: 0o600 });
    executeFileOnD1(place, file);
  });
