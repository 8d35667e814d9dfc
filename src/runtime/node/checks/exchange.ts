import { type Db, run } from '../../../core/db/db.ts';
import { type Config, reportsToBpjs } from '../../../core/settings/config.ts';
import { findReadiness } from '../../../modules/bpjs/inbound/queries.ts';
import { findBacklog } from '../../../modules/exchange/list-queries.ts';
import { listTargets } from '../../../modules/exchange/outbox/targets.ts';
import { systemNames } from '../../../modules/exchange/sentences.ts';
import { systemView } from '../../../modules/exchange/views.ts';
import { type Finding, note, ok } from './finding.ts';

/** What Mobile JKN still needs to be answered; nothing where it is not. */
const checkMobileJkn = async (db: Db, { BPJS: family }: Config, now: number): Promise<Finding[]> => {
  if (family === undefined) return [];
  const [row] = await run(db, findReadiness(db, { family, now }));
  const { keys = 0, polis = 0, uncoded = 0 } = row ?? {};
  const name = 'Mobile JKN';
  const field = family === 'rs' ? 'bpjs_poli_code' : 'bpjs_fktp_code';
  const missing = [
    ...(keys === 0 ? [note(name, 'no API key has the scope antrean:write', 'docs/interop.md')] : []),
    ...(polis === 0 ? [note(name, `no session has a ${field}`, 'docs/interop.md')] : []),
    ...(uncoded > 0 ? [note(name, `doctors without a bpjs_doctor_code: ${uncoded}`, 'docs/interop.md')] : []),
  ];
  return missing.length > 0 ? missing : [ok(name, `it is answered below /bpjs/${family}`)];
};

/** The state of the health systems to which visits are reported; nothing if none is on. */
export const checkExchanges = async (db: Db, config: Config, now: number): Promise<Finding[]> => {
  const targets = listTargets(config).map(({ name }) => name);
  const silent =
    config.BPJS !== undefined && !reportsToBpjs(config)
      ? [note('BPJS', 'it is answered, and nothing is reported to it', 'set BPJS_URL and the account')]
      : [];
  const mobile = await checkMobileJkn(db, config, now);
  if (targets.length === 0) return [...silent, ...mobile];
  const rows = await run(db, findBacklog(db, { targets: JSON.stringify(targets) }));
  const found = rows.map((row) => {
    const { waiting, parked, resting_until, message } = systemView(row, 'en', now);
    const name = systemNames[row.target];
    if (resting_until !== null)
      return note(name, `nothing is sent until ${resting_until}: ${message}`, 'docs/interop.md');
    return parked > 0
      ? note(name, `${parked} want a person, ${waiting} wait`, 'janji exchange list --state parked')
      : ok(name, `${waiting} wait`);
  });
  return [...silent, ...mobile, ...found];
};
