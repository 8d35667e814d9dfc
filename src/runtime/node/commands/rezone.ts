import type { Command } from 'commander';
import { createClinicTime, isTimeZone } from '../../../core/clinic/time.ts';
import type { Db } from '../../../core/db/db.ts';
import { isHindered, planRezone, type RezonePlan, rezone } from '../../../modules/booking/rezone/rezone.ts';
import type { Placed } from '../../../modules/booking/rezone/rules.ts';
import { hastenArchive } from '../backup/with-archive.ts';
import { counted } from '../counted-rules.ts';
import { openD1ByWrangler } from '../d1/d1-database.ts';
import { addD1Options, type D1Options, toPlace } from '../d1/wrangler.ts';
import { findArchiveFile } from '../database/archive.ts';
import { openThere } from '../database/database.ts';
import { parseNodeSettings } from '../settings.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { note, tell } from './terminal.ts';

interface Options extends D1Options, JsonOption {
  to: string;
  apply?: true;
}

/** How many bookings move in one atomic step: a run of wrangler takes a second, a long lock on a file blocks a server. */
const maxBookings = { database: 500, d1: 5_000 };

const openChosen = async (options: Options): Promise<{ db: Db; close: () => Promise<void> }> => {
  const place = toPlace(options);
  if (place !== null) return { db: openD1ByWrangler(place), close: async () => {} };
  return openThere(parseNodeSettings(process.env));
};

/** The archive's bookings follow by the job. */
const hastenBeside = (): void => {
  const settings = parseNodeSettings(process.env);
  const archive = findArchiveFile(settings);
  if (archive !== null) hastenArchive(archive, settings.DATABASE_KEY);
};

const describeBooking = ({ scheduleDate, scheduleTime, bookingCode, id }: Placed): string =>
  `${scheduleDate} ${scheduleTime} (booking code ${bookingCode}, id ${id})`;

type Print = (line: string) => void;

const printHindrances = ({ skipped, overlapping }: RezonePlan, zone: string, print: Print): void => {
  for (const row of skipped) print(`${describeBooking(row)}: this local time does not exist in ${zone}.`);
  for (const [earlier, later] of overlapping)
    print(`${describeBooking(earlier)} and ${describeBooking(later)}: would overlap in ${zone}.`);
};

const hindered = 'Nothing moves before those bookings do: move or cancel them in the present zone first.';

const bookingsIn = ({ moves }: RezonePlan): number => moves.reduce((sum, { bookings }) => sum + bookings, 0);

const printPlan = (plan: RezonePlan, zone: string, print: Print): void => {
  const { from, begunTo, moves } = plan;
  print(`The bookings of this database are to move from ${from} to ${zone}; dates and times of day stay.`);
  if (begunTo !== null) print(`A move to ${begunTo} was begun and not ended.`);
  const coming = moves.reduce((sum, group) => sum + group.coming, 0);
  const dates = moves.map(({ date }) => date).sort();
  const span = dates.length === 0 ? '' : `, from ${dates[0]} to ${dates.at(-1)}`;
  const all = bookingsIn(plan);
  print(
    `${counted(all, 'booking')} ${all === 1 ? 'takes' : 'take'} another instant, ${coming} of them still to come${span}.`,
  );
  printHindrances(plan, zone, print);
};

/** Prints the progress at every tenth. */
const createProgress = (total: number, print: Print) => {
  let done = 0;
  return (bookings: number): void => {
    const tenths = Math.floor((done / total) * 10);
    done += bookings;
    if (Math.floor((done / total) * 10) > tenths) print(`${done} of ${total} moved.`);
  };
};

const move = async (options: Options): Promise<void> => {
  const { to, apply, d1, json } = options;
  // A script reads one line of JSON, and people what happens meanwhile.
  const print = json ? note : tell;
  if (!isTimeZone(to)) throw new Error(`--to takes an IANA zone such as Asia/Makassar, not ${to}.`);
  const { db, close } = await openChosen(options);
  try {
    const input = { db, clock: createClinicTime(to), now: Date.now() };
    const plan = await planRezone(input);
    const bookings = bookingsIn(plan);
    const answer = (applied: boolean, words: string) =>
      give(options, { from: plan.from, to, begun_to: plan.begunTo, bookings, applied }, () => tell(words));
    if (plan.from === to && plan.begunTo === null && plan.moves.length === 0)
      return answer(true, `The database is in ${to} already.`);
    printPlan(plan, to, print);
    if (isHindered(plan)) throw new Error(hindered);
    if (!apply)
      return answer(
        false,
        'Nothing was written: stop every server, make a backup, then add --apply to write it.',
      );
    const step = d1 ? maxBookings.d1 : maxBookings.database;
    const last = await rezone(input, { maxBookings: step, moved: createProgress(bookings, print) });
    if (isHindered(last)) {
      printHindrances(last, to, print);
      throw new Error(hindered);
    }
    if (!d1) hastenBeside();
    answer(true, `Done. Start the service with CLINIC_TIME_ZONE=${to}.`);
  } finally {
    await close();
  }
};

/** `rezone`: the only way to change the time zone of a database with bookings. */
export const addRezone = (program: Command): void => {
  const command = program
    .command('rezone')
    .summary('move a filled database to another time zone')
    .description(
      'Prints what a change of the clinic to another time zone moves, and with --apply does it. Local times stay.',
    )
    .requiredOption('--to <zone>', 'the IANA zone, such as Asia/Makassar')
    .option('--apply', 'write it to the database of DATABASE_URL, or with --d1 to D1')
    .addHelpText(
      'after',
      '\nStop every server first: one that runs on refuses bookings (503) until it is started in the new zone.' +
        '\nBroken off, it is ended by the same command, or undone by --to with the zone before.',
    )
    .action(move);
  documented(addD1Options(command), {
    examples: ['rezone --to Asia/Makassar', 'rezone --to Asia/Makassar --apply'],
    exitCodes: '0 moved, or nothing stands against it; 1 refused, or cut short',
  });
};
