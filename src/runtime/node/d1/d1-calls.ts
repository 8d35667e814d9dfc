import { SettingError } from '../../../core/settings/parse-settings.ts';
import { askD1, type D1Place, orderD1 } from './wrangler.ts';

type Row = Record<string, unknown>;

const commandFor = ({ remote, persistTo }: D1Place): string =>
  `npx wrangler d1 migrations apply DB ${remote ? '--remote' : '--local'}${persistTo ? ` --persist-to ${persistTo}` : ''}`;

export const queryD1 = (place: D1Place, queries: readonly string[]): Row[][] => {
  const texts = queries.map((query) => `${query.replaceAll(/\s+/g, ' ')};`);
  const answers = askD1(texts, place);
  if (answers === null)
    throw new SettingError(`D1 cannot be read. If it has no tables yet: ${commandFor(place)}`);
  return answers.map(({ results }) => results);
};

/** Writes the whole database, tables included, as SQL. */
export const dumpD1 = (place: D1Place, file: string): void => {
  if (place.persistTo !== undefined)
    throw new SettingError('wrangler exports the local D1 of its own folder only: leave out --persist-to.');
  orderD1('export', place, ['--skip-confirmation', '--output', file]);
};
