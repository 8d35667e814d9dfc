import { type Db, run } from '../../../core/db/db.ts';
import { type Config, reportsToBpjs } from '../../../core/settings/config.ts';
import { findBacklog } from '../../../modules/exchange/list-queries.ts';
import { listTargets } from '../../../modules/exchange/outbox/targets.ts';
import { systemNames } from '../../../modules/exchange/sentences.ts';
import { systemView } from '../../../modules/exchange/views.ts';
import { type Finding, note, ok } from './finding.ts';

/** The state of the health systems to which visits are reported; nothing if none is on. */
export const checkExchanges = async (db: Db, config: Config, now: number): Promise<Finding[]> => {
  const targets = listTargets(config).map(({ name }) => name);
  const silent =
    config.BPJS !== undefined && !reportsToBpjs(config)
      ? [note('BPJS', 'it is answered, and nothing is reported to it', 'set BPJS_URL and the account')]
      : [];
  if (targets.length === 0) return silent;
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
  return [...silent, ...found];
};
