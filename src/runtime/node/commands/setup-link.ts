import type { Command } from 'commander';
import { sql } from 'drizzle-orm';
import { ensureClinic } from '../../../core/clinic/row.ts';
import { anyAdmin } from '../../../core/tables/accounts.ts';
import { clinic } from '../../../core/tables/catalog.ts';
import { makeSetupLink } from '../../../modules/setup/link.ts';
import { originOf } from '../clinics/add-clinics.ts';
import { addD1Options, type D1Options } from '../d1/wrangler.ts';
import { addressOf } from '../serve/tour.ts';
import { parseAllSettings } from '../settings.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { type Opened, openChosen } from './rekey.ts';
import { note, tell } from './terminal.ts';

/** Where the link leads: to a clinic of many as `clinics add` does, else to the service's own address. */
const originFor = (address: string | undefined): string => {
  const settings = parseAllSettings(process.env);
  if (address === undefined) return addressOf(settings.HOST, settings.PORT);
  return settings.CLINICS === undefined ? address : originOf(new URL(address).host, settings);
};

/** Wrangler gives no rows of a batch that writes, so that on D1 the service itself has to have written its clinic. */
const readD1Clinic = async ({ db, config }: Opened) => {
  const [row] = await db
    .select({ id: clinic.clinicId, hasAdmin: sql<number>`${anyAdmin}`.as('has_admin') })
    .from(clinic);
  if (row === undefined)
    throw new Error(
      'The database holds no clinic yet: open the address of the service once, then try again.',
    );
  return { clinicId: config.CLINIC_ID ?? row.id ?? '', hasAdmin: Boolean(row.hasAdmin) };
};

const makeLink = async (options: D1Options & JsonOption): Promise<void> => {
  const opened = await openChosen(options, { makes: true });
  const { db, config, close } = opened;
  try {
    const { CLINIC_TIME_ZONE, CLINIC_ID, PUBLIC_URL } = config;
    const { clinicId, hasAdmin } = options.d1
      ? await readD1Clinic(opened)
      : await ensureClinic(db, CLINIC_TIME_ZONE, CLINIC_ID);
    if (hasAdmin)
      throw new Error('The clinic has an admin already: invite others in the console, or use create-admin.');
    const origin = options.d1 ? (PUBLIC_URL ?? '') : originFor(PUBLIC_URL);
    const link = await makeSetupLink(db, clinicId, origin, Date.now());
    give(options, { link }, () => tell(link));
    note('It makes the first admin, once and within an hour; the link before it has ended.');
    if (PUBLIC_URL === undefined && options.d1)
      note('PUBLIC_URL is not set: put the address of the service before it.');
  } finally {
    await close();
  }
};

/** `setup-link`: prints the set-up link again, in case the one from the service's start was missed or has expired. */
export const addSetupLink = (program: Command): void => {
  const command = program
    .command('setup-link')
    .summary('print the link with which the first admin is made')
    .description(
      'Prints a link to the page on which the first admin is made and the clinic is set up: good once, for an hour, and only while there is no admin. The service prints one at each start, too; only the newest is good. A Worker prints none: use this with --d1 --remote.',
    );
  addD1Options(command).action(makeLink);
  documented(command, { examples: ['setup-link', 'setup-link --d1 --remote', 'setup-link --json'] });
};
