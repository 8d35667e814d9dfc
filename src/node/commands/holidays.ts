import type { Command } from 'commander';
import Holidays from 'date-holidays';
import { findClosurePage, insertClosure } from '../../catalog/closures/queries.ts';
import { run, runAll } from '../../db/db.ts';
import { openDatabase } from '../database/database.ts';
import { parseNodeSettings } from '../settings.ts';

interface Options {
  year: string;
  country: string;
  apply?: true;
}

interface Holiday {
  date: string;
  name: string;
}

/** The public holidays of a country in a year, from the library: whole days with local dates. */
export const publicHolidays = (country: string, year: number): Holiday[] => {
  const calendar = new Holidays(country);
  const found = calendar.getHolidays(year).filter(({ type }) => type === 'public');
  return found.map(({ date, name }) => ({ date: date.slice(0, 10), name }));
};

const dayMs = 86_400_000;

/** Whether a name appears on two dates that are not adjacent: a movable feast, of which one date may be wrong. */
export const isDoubtful = ({ date, name }: Holiday, all: readonly Holiday[]): boolean =>
  all.some(
    (other) =>
      other.name === name &&
      other.date !== date &&
      Math.abs(Date.parse(other.date) - Date.parse(date)) > 7 * dayMs,
  );

const yearOf = (text: string): number => {
  const year = Number(text);
  if (!Number.isInteger(year) || year < 1970 || year > 2075)
    throw new Error('--year takes a year from 1970 to 2075.');
  return year;
};

const load = async ({ year: typed, country, apply }: Options): Promise<void> => {
  const year = yearOf(typed);
  const holidays = publicHolidays(country, year);
  if (holidays.length === 0) throw new Error(`No holidays are known of ${country} in ${year}.`);
  const settings = parseNodeSettings(process.env);
  const { db, close } = await openDatabase(settings.DATABASE_URL, settings.DATABASE_AUTH_TOKEN, {
    key: settings.DATABASE_KEY,
  });
  try {
    const known = await run(
      db,
      findClosurePage(db, {
        afterDate: '',
        afterId: '',
        kind: 'holiday',
        doctorId: null,
        accountId: null,
        from: `${year}-01-01`,
        to: `${year}-12-31`,
        limit: 1_000,
      }),
    );
    const isKnown = ({ date }: Holiday) =>
      known.some((row) => row.startTime === null && row.startDate <= date && date <= row.endDate);
    const missing = holidays.filter((holiday) => !isKnown(holiday));
    for (const holiday of holidays)
      process.stdout.write(
        `${holiday.date} ${holiday.name}${isKnown(holiday) ? ' (there already)' : ''}${isDoubtful(holiday, holidays) ? ' (named twice this year: check it)' : ''}\n`,
      );
    if (!apply) {
      process.stdout.write(`${missing.length} to add. Nothing was written: add --apply to write them.\n`);
      return;
    }
    const now = Date.now();
    const rows = missing.map(({ date, name }) => ({
      id: crypto.randomUUID(),
      doctorId: null,
      name,
      startDate: date,
      endDate: date,
      startTime: null,
      endTime: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    }));
    await runAll(
      db,
      rows.flatMap((row) => [...insertClosure(db, row)]),
    );
    process.stdout.write(`${rows.length} added. An admin changes them under /v1/admin/closures.\n`);
  } finally {
    await close();
  }
};

/** `holidays`: national holidays as closures of the clinic; an admin reviews them. */
export const addHolidays = (program: Command): void => {
  program
    .command('holidays')
    .summary('the public holidays of a year, as closures')
    .description('Prints the public holidays of a year that the clinic lacks, and with --apply adds them.')
    .requiredOption('--year <year>', 'the year, such as 2027')
    .option('--country <code>', 'the country by its two letters', 'ID')
    .option('--apply', 'write them to the database of DATABASE_URL')
    .action(load);
};
