import type { Command } from 'commander';
import { createClinicTime } from '../../../core/clinic/time.ts';
import { reportsToBpjs } from '../../../core/settings/config.ts';
import { compareNextWeek, type Difference } from '../../../modules/bpjs/compare.ts';
import { askByFetch } from '../../../modules/exchange/outbox/ask.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { openChosen } from './rekey.ts';
import { tell } from './terminal.ts';

const limitMs = 10 * 60_000;

const inWords = ({ what, missing, code, name, date, hours, janji, hfis }: Difference): string => {
  const where = `${what} ${code} (${name})${date === null ? '' : ` ${date} ${hours}`}`;
  if (missing === null) return `${where}: Janji has ${janji} places, HFIS ${hfis}`;
  return `${where}: ${missing === 'hfis' ? 'HFIS' : 'Janji'} has none`;
};

const compare = async (options: JsonOption): Promise<void> => {
  const { db, config, close } = await openChosen({});
  try {
    if (!reportsToBpjs(config)) throw new Error('BPJS and the four settings of its account are not set.');
    const clinicTime = createClinicTime(config.CLINIC_TIME_ZONE);
    const deps = { db, config, clinicTime, clock: Date.now, askPartner: askByFetch };
    const differences = await compareNextWeek(deps, AbortSignal.timeout(limitMs));
    if (differences.length > 0) process.exitCode = 2;
    give(options, { differences }, () => {
      for (const one of differences) tell(inWords(one));
      tell(differences.length === 0 ? 'Doctors, polis and hours are the same.' : 'Nothing was changed.');
    });
  } finally {
    await close();
  }
};

/** `bpjs`: what BPJS has of the clinic. */
export const addBpjs = (program: Command): void => {
  const bpjs = program
    .command('bpjs')
    .helpCommand(false)
    .summary('what BPJS has of the clinic')
    .description('Compares what BPJS has of the clinic.');
  const command = bpjs
    .command('compare')
    .summary('doctors, polis and hours beside those of HFIS')
    .description(
      'Asks BPJS for doctors, polis and the hours of the next seven days, and names what differs. Changes nothing.',
    )
    .action(compare);
  documented(command, {
    examples: ['bpjs compare', 'bpjs compare --json'],
    exitCodes: '0 the same on both sides, 1 BPJS did not answer, 2 something differs',
  });
};
