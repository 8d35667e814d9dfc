import type { Command } from 'commander';
import { run, runAll } from '../../../core/db/db.ts';
import { insertClosure } from '../../../modules/catalog/closures/queries.ts';
import { findWholeDaysInYear, holidayRow, holidaysView } from '../../../modules/catalog/holidays/actions.ts';
import { firstYear, lastYear } from '../../../modules/catalog/holidays/rules.ts';
import { openThere } from '../database/database.ts';
import { parseNodeSettings } from '../settings.ts';
import { documented, give, type JsonOption } from './documented.ts';

interface Options extends JsonOption {
  year: string;
  country: string;
  jointLeave?: string[];
  apply?: true;
}

const parseYear = (text: string): number => {
  const year = Number(text);
  if (!Number.isInteger(year) || year < firstYear || year > lastYear)
    throw new Error(`--year takes a year from ${firstYear} to ${lastYear}.`);
  return year;
};

const load = async (options: Options): Promise<void> => {
  const { year: typed, country, jointLeave = [], apply } = options;
  const year = parseYear(typed);
  if (country.toUpperCase() !== 'ID') throw new Error(`No holidays are known of ${country}: only of ID.`);
  const { db, close } = await openThere(parseNodeSettings(process.env));
  try {
    const days = holidaysView(year, await run(db, findWholeDaysInYear({ db }, year)));
    const unknown = jointLeave.filter(
      (date) => !days.some((day) => day.kind === 'joint_leave' && day.date === date),
    );
    if (unknown.length > 0) throw new Error(`No joint leave is known on ${unknown.join(', ')}.`);
    const missing = days.filter(
      ({ kind, date, closure_id }) =>
        closure_id === null && (kind === 'public_holiday' || jointLeave.includes(date)),
    );
    const print = (line: string) => void (options.json || process.stdout.write(line));
    for (const { date, name, kind, tentative, closure_id } of days) {
      const notes = [
        closure_id !== null && 'there already',
        tentative && 'tentative: check the decree',
        kind === 'joint_leave' &&
          closure_id === null &&
          !jointLeave.includes(date) &&
          'with --joint-leave alone',
      ].filter(Boolean);
      print(`${date} ${name}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}\n`);
    }
    const toAdd = missing.map(({ date }) => date);
    if (!apply) {
      give(options, { days, to_add: toAdd, added: 0 }, () =>
        print(`${missing.length} to add. Nothing was written: add --apply to write them.\n`),
      );
      return;
    }
    const now = Date.now();
    const rows = missing.map((day) => holidayRow(day, crypto.randomUUID(), now));
    await runAll(
      db,
      rows.flatMap((row) => [...insertClosure(db, row)]),
    );
    give(options, { days, to_add: [], added: rows.length }, () =>
      print(`${rows.length} added. An admin changes them under /v1/admin/closures.\n`),
    );
  } finally {
    await close();
  }
};

/** `holidays`: national holidays as closures of the clinic; an admin reviews them. */
export const addHolidays = (program: Command): void => {
  const command = program
    .command('holidays')
    .summary('the public holidays of a year, as closures')
    .description('Prints the public holidays of a year that the clinic lacks, and with --apply adds them.')
    .requiredOption('--year <year>', 'the year, such as 2027')
    .option('--country <code>', 'the country by its two letters: ID alone', 'ID')
    .option('--joint-leave <dates...>', 'days of joint leave that the clinic takes too')
    .option('--apply', 'write them to the database of DATABASE_URL')
    .action(load);
  documented(command, {
    examples: ['holidays --year 2027', 'holidays --year 2027 --joint-leave 2027-03-12 2027-03-15 --apply'],
  });
};
