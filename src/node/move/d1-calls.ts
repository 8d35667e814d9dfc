import { SettingError } from '../../config.ts';
import { askD1, type D1Place, runOnD1 } from '../wrangler.ts';

/** wrangler may quote the statement that failed, and with it a person's data: its own first line alone is told. */
const failureOf = (printed: string): string => {
  const [, line] = /(?:\[ERROR\]|"text":)\s*(.+)/.exec(printed) ?? [];
  return (line ?? 'no reason was given').slice(0, 160);
};

const run = (verb: string, place: D1Place, options: readonly string[]): void => {
  const { status, stdout, stderr } = runOnD1([verb], place, options);
  if (status !== 0) throw new Error(`D1 refused: ${failureOf(`${stderr}\n${stdout}`)}`);
};

type Row = Record<string, unknown>;

const commandFor = ({ remote, persistTo }: D1Place): string =>
  `npx wrangler d1 migrations apply DB ${remote ? '--remote' : '--local'}${persistTo ? ` --persist-to ${persistTo}` : ''}`;

/** The rows of each of some queries. */
export const queryD1 = (place: D1Place, queries: readonly string[]): Row[][] => {
  const texts = queries.map((query) => `${query.replaceAll(/\s+/g, ' ')};`);
  const answers = askD1(texts, place);
  if (answers === null)
    throw new SettingError(`D1 cannot be read. If it has no tables yet: ${commandFor(place)}`);
  return answers.map(({ results }) => results);
};

/** Executes a file of statements; on the deployed database all of them take effect, or none. */
export const executeOnD1 = (place: D1Place, file: string): void =>
  run('execute', place, ['--yes', '--file', file]);

/** Writes the whole database, tables included, as SQL. */
export const dumpD1 = (place: D1Place, file: string): void => {
  if (place.persistTo !== undefined)
    throw new SettingError('wrangler exports the local D1 of its own folder only: leave out --persist-to.');
  run('export', place, ['--skip-confirmation', '--output', file]);
};
