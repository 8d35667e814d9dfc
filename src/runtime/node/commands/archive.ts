import type { Command } from 'commander';
import { createClinicTime } from '../../../core/clinic/time.ts';
import { newId } from '../../../core/db/ids.ts';
import { consoleLogger } from '../../../core/log.ts';
import { archiveHorizon, movablePages, tendArchive } from '../../../jobs/archive.ts';
import { counted } from '../counted-rules.ts';
import { parseNodeSettings } from '../settings.ts';
import { documented, give, isAtEach, type JsonOption } from './documented.ts';
import { openChosen } from './rekey.ts';
import { tell } from './terminal.ts';

interface Options extends JsonOption {
  dryRun?: true;
}

const archive = async (options: Options): Promise<void> => {
  if (parseNodeSettings(process.env).CLINICS !== undefined && process.env.CLINIC_ID === undefined)
    throw new Error('With CLINICS say where: --clinic HOST|ID, or --all.');
  const opened = await openChosen({});
  try {
    const { config, db, archive: kept } = opened;
    const clinicTime = createClinicTime(config.CLINIC_TIME_ZONE);
    const now = Date.now();
    const needs = { db, clinicTime, config, newId, clock: Date.now, log: consoleLogger('warn') };
    const before = archiveHorizon(needs, now);
    if (before === null || kept === undefined) {
      const why = 'ARCHIVE_AFTER_DAYS is not set: no booking is old enough to be archived.';
      if (!isAtEach()) throw new Error(why);
      return give(options, { before: null, bookings: 0, dry_run: options.dryRun === true }, () => tell(why));
    }
    let bookings = 0;
    if (options.dryRun) for await (const page of movablePages(needs, before)) bookings += page.length;
    else {
      const bounds = { until: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY };
      bookings = (await tendArchive({ ...needs, archive: kept }, now, bounds)).moved;
    }
    give(options, { before, bookings, dry_run: options.dryRun === true }, () =>
      tell(
        options.dryRun
          ? `${counted(bookings, 'booking')} of before ${before} would be archived.`
          : `${counted(bookings, 'booking')} of before ${before} ${bookings === 1 ? 'is' : 'are'} archived.`,
      ),
    );
  } finally {
    await opened.close();
  }
};

/** `archive`: moves old bookings to the archive now. */
export const addArchive = (program: Command): void => {
  const command = program
    .command('archive')
    .summary('move old bookings to the archive now')
    .description(
      'Moves the bookings that are older than ARCHIVE_AFTER_DAYS from the database of DATABASE_URL to its archive, as the service does once a day, and a line into the audit trail.',
    )
    .option('--dry-run', 'say how many, and move none')
    .addHelpText(
      'after',
      `
The service may run meanwhile. Histories, lists, statistics and exports show archived bookings as before; nothing changes
in them any more. The last of each kind (completed, canceled, missed) of a patient with a doctor stays where it is. Ended
in the middle, it has lost nothing: begin again. On Cloudflare the scheduled job does it.`,
    )
    .action(archive);
  documented(command, {
    examples: ['archive --dry-run', 'archive --json'],
    exitCodes: '0 done, or with --all no horizon at some clinics; 1 not done, and said why',
  });
};
