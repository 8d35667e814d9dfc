import { askD1, type D1Place } from '../d1/wrangler.ts';
import { knownMigrations } from '../database/migrations.ts';
import { checkClinic } from './database.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

const migrateIt = ({ remote, persistTo }: D1Place) =>
  `janji migrate --d1${remote ? ' --remote' : ''}${persistTo === undefined ? '' : ` --persist-to ${persistTo}`}`;

/** Checks that D1 answers, has this version's schema, and is not a publicly reachable demo clinic. */
export const checkD1 = (zone: string, place: D1Place): Finding[] => {
  const { remote } = place;
  const names = `select name from sqlite_master where name in ('d1_migrations', 'clinic')`;
  const tables = askD1([names], place)?.[0]?.results;
  if (tables === undefined)
    return [wrong('database', 'wrangler cannot ask it', 'see wrangler.toml, and npx wrangler whoami')];
  const answers = ok('database', remote ? 'the deployed D1 answers' : 'the local D1 answers');
  const known = knownMigrations().map(({ name }) => name);
  if (tables.length < 2)
    return [answers, wrong('migrations', `missing: ${known.join(', ')}`, migrateIt(place))];
  const content = ['select name from d1_migrations;', 'select time_zone, demo_since from clinic;'];
  const [applied = [], [row] = []] = askD1(content, place)?.map(({ results }) => results) ?? [];
  const had = new Set(applied.map(({ name }) => String(name).replace(/\.sql$/, '')));
  const missing = known.filter((name) => !had.has(name));
  const migrations =
    missing.length > 0
      ? wrong('migrations', `missing: ${missing.join(', ')}`, migrateIt(place))
      : ok('migrations', 'all are applied');
  const clinic = row && {
    timeZone: String(row.time_zone),
    demoSince: row.demo_since as number | null,
  };
  const secret = remote
    ? note(
        'secret',
        'they cannot be read from here',
        'npx wrangler secret list shows whether JWT_SECRET and DATA_KEY are set',
      )
    : null;
  return [answers, migrations, ...checkClinic(clinic, zone, remote), ...(secret === null ? [] : [secret])];
};
